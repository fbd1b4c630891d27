"""Passes columns of pyarrow through tenon and back by Arrow's C data interface; skipped where the interpreter has no pyarrow.
Usage: arrow.py LIBRARY. PYTHON names the interpreter that has it; else the one that runs this."""
import ctypes
import gc
import struct
import sys

from others import by_named_interpreter

by_named_interpreter()
try:
    import pyarrow as pa
except ImportError:
    print(f"SKIPPED: {sys.executable} has no pyarrow; name one that has it by PYTHON")
    sys.exit(77)

peer = ctypes.CDLL(sys.argv[1])
peer.peer_problem.restype = ctypes.c_char_p
peer.peer_arrow.restype = ctypes.c_int64
peer.peer_arrow.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_bool]
passed = failed = 0


def check(ok, what):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print("FAILED:", what)


def through(column, masked=False):
    """The column that comes back, how many of its values were missing, and the name it had."""
    blocks = [ctypes.create_string_buffer(128) for _ in range(4)]
    schema, array, out_schema, out_array = (ctypes.addressof(b) for b in blocks)
    field = pa.field("price", column.type)
    field._export_to_c(schema)
    column._export_to_c(array)
    missing = peer.peer_arrow(schema, array, out_schema, out_array, masked)
    if missing < 0:
        raise ValueError(peer.peer_problem().decode())
    back_field = pa.Field._import_from_c(out_schema)
    return pa.Array._import_from_c(out_array, back_field.type), missing, back_field.name


values = {"bool_": [True, False, True] * 7, "float16": None, "float32": [1.5, -2.0, 3.25], "float64": [1e300, -0.0, 5.0]}
for name in "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split():
    kind = getattr(pa, name)()
    if name == "float16":
        column = pa.Array.from_buffers(kind, 3, [None, pa.py_buffer(struct.pack("<3e", 1.5, -2, 3))])
    else:
        column = pa.array(values.get(name, [1, 0, 100]), kind)
    for what, c in {"plain": column, "sliced": column[1:], "empty": column[:0], "one": column[2:3]}.items():
        back, missing, _ = through(c)
        check(back.equals(c) and back.type == kind and missing == 0, f"{name} {what}: {back} is not {c}")
        back.validate(full=True)
        shared = name == "bool_" or len(c) == 0 or back.buffers()[1].address == c.buffers()[1].address + c.offset * kind.bit_width // 8
        check(shared, f"{name} {what}: copied")
    some = pa.array([column[0].as_py(), None, column[2].as_py()] * 5, kind)[1:] if name != "float16" else None
    if some is not None:
        try:
            through(some)
            check(False, f"{name}: missing values are taken")
        except ValueError as e:
            check("expected a column without missing values, got 5 of 14" in str(e), str(e))
        back, missing, title = through(some, masked=True)
        check(missing == 5 and title == "price" and len(back) == 14, f"{name}: {missing} missing in {title}")
        check(all(b == s for b, s in zip(back.to_pylist(), some.to_pylist()) if s is not None), f"{name}: values beside missing ones")
for kind in (pa.array(["a"]), pa.array([[1]]), pa.array(["a", "b"]).dictionary_encode(), pa.array([1], pa.timestamp("s"))):
    try:
        through(kind)
        check(False, f"{kind.type} is taken")
    except ValueError as e:
        check("expected a column of" in str(e), str(e))
# Memory comes back when its last holder ends.
back = column = c = some = None
gc.collect()
before = pa.total_allocated_bytes()
column = pa.array(range(1 << 16), pa.int64())
back = through(column)[0]
del column
check(pa.total_allocated_bytes() > before and back[65535].as_py() == 65535, "nothing keeps the memory")
del back
gc.collect()
check(pa.total_allocated_bytes() == before, "the memory is kept after its last user")
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
