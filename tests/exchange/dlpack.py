"""Passes arrays of NumPy and tensors of PyTorch through tenon and back, by capsules; what the interpreter lacks is skipped.
Usage: dlpack.py LIBRARY. PYTHON names the interpreter that has them; else the one that runs this."""
import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import Count
from others import by_named_interpreter

by_named_interpreter()

found = {}
for name in ("numpy", "torch"):
    try:
        found[name] = __import__(name)
    except ImportError:
        print(f"SKIPPED: {sys.executable} has no {name}; name one that has it by PYTHON")
if "numpy" not in found:
    sys.exit(77)

peer = ctypes.CDLL(sys.argv[1])
peer.peer_problem.restype = ctypes.c_char_p
api = ctypes.pythonapi
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
NAMES = {True: (b"dltensor_versioned", b"used_dltensor_versioned", "peer_versioned"), False: (b"dltensor", b"used_dltensor", "peer_old")}


class Through:
    """An array that went through tenon, for from_dlpack()."""

    def __init__(self, array, versioned, **how):
        name, used, function = NAMES[versioned]
        capsule = array.__dlpack__(max_version=(1, 0), **how) if versioned else array.__dlpack__(**how)
        through = getattr(peer, function)
        through.restype, through.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
        pointer = through(api.PyCapsule_GetPointer(capsule, name))
        if not pointer:
            raise BufferError(peer.peer_problem().decode())
        api.PyCapsule_SetName(capsule, used)
        self.capsule, self.name = api.PyCapsule_New(pointer, name, None), name

    def __dlpack__(self, **_):
        return self.capsule

    def __dlpack_device__(self):
        return (1, 0)


count = Count()
check = count.check


np = found["numpy"]
dtypes = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
shapes = {
    "plain": lambda a: a, "transposed": lambda a: a.T, "every other": lambda a: a[::2, 1:], "no elements": lambda a: a[:0],
    "no dimensions": lambda a: a[1, 2], "broadcast": None,
}
for dtype in dtypes:
    for shape, view in shapes.items():
        base = (np.arange(24).reshape(4, 6) % 2 if dtype == "bool" else np.arange(24).reshape(4, 6)).astype(dtype)
        array = np.asarray(view(base)) if view else np.lib.stride_tricks.as_strided(base, (3, 6), (0, base.itemsize))
        for versioned in (False, True):
            what = f"numpy {dtype} {shape} {'v1' if versioned else 'v0'}"
            back = np.from_dlpack(Through(array, versioned))
            check(back.dtype == array.dtype and back.shape == array.shape and np.array_equal(back, array), f"{what}: {back} is not {array}")
            check(array.size == 0 or back.ctypes.data == array.ctypes.data, f"{what}: copied")
guarded = np.arange(4.0)
guarded.flags.writeable = False
back = np.from_dlpack(Through(guarded, True))
check(np.array_equal(back, guarded) and back.ctypes.data != guarded.ctypes.data, "read-only memory is not copied")
raw = np.zeros(19, "uint8")
misaligned = raw[3:].view("float32")
misaligned[:] = [1, 2, 3, 4]
back = np.from_dlpack(Through(misaligned, True))
check(list(back) == [1, 2, 3, 4] and back.ctypes.data % 4 == 0, "misaligned memory")
reverse = np.arange(3.0)[::-1]
try:
    Through(reverse, True)
    check(False, "negative strides are taken")
except BufferError as error:
    check("expected strides from 0 up, got [-1]" in str(error), str(error))
held = sys.getrefcount(raw)
for versioned in (False, True):
    back = np.from_dlpack(Through(raw, versioned))
    check(sys.getrefcount(raw) > held or back.base is not None, "nothing keeps the memory")
    del back
    check(sys.getrefcount(raw) == held, "the memory is kept after its last user")

if "torch" in found:
    torch = found["torch"]
    import warnings
    warnings.simplefilter("ignore")
    more = "complex32 bfloat16 float8_e5m2 float8_e4m3fn".split()
    for dtype in dtypes + more:
        base = torch.arange(24).reshape(4, 6).to(torch.float32).to(getattr(torch, dtype))
        for what, t in {"plain": base, "transposed": base.t(), "no elements": base[:0], "expanded": base[:1].expand(3, 6)}.items():
            for versioned in (False, True):
                back = torch.from_dlpack(Through(t, versioned))
                same = torch.equal(back.contiguous().view(torch.uint8), t.contiguous().view(torch.uint8)) if t.numel() else back.shape == t.shape
                check(back.dtype == t.dtype and same, f"torch {dtype} {what}: {back} is not {t}")
                check(t.numel() == 0 or back.data_ptr() == t.data_ptr(), f"torch {dtype} {what}: copied")
count.finish()
