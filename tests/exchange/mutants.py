"""Damaged files: each reader of the library returns or throws its own error, and accepts none that the format's own library refuses.
Valid files are changed by bits, bytes, numbers that say sizes, cuts, repetitions and pieces of others. Usage: mutants.py PROGRAM [COUNT [SEED [FORMAT...]]].
PYTHON names the interpreter that has NumPy, PyTorch, safetensors and Pillow; what it lacks is compared with nothing."""
import csv
import gzip
import io
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import warnings
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import Count
from others import by_named_interpreter, there

by_named_interpreter()
program = sys.argv[1]
total = int(sys.argv[2]) if len(sys.argv) > 2 else 1800
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
warnings.simplefilter("ignore")


np, torch = there("numpy", "numpy"), there("torch", "torch")
safetensors, pil = there("safetensors", "safetensors"), there("PIL.Image", "pillow")


# --- valid files, without any library, so that an interpreter without them mutates too

def safetensors_file(entries, metadata=None):
    header, data = {"__metadata__": metadata} if metadata else {}, b""
    for name, (dtype, shape, raw) in entries.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def npy(descr, shape, raw, fortran=False, version=1):
    text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    length, form = (10, "<H") if version == 1 else (12, "<I")
    text += " " * (-(length + len(text) + 1) % 64) + "\n"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack(form, len(text)) + text.encode() + raw


def zip_file(members, deflated):
    import zipfile
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED) as archive:
        for name, raw in members.items():
            archive.writestr(name, raw)
    return out.getvalue()


def png(width, height, kind, rows, depth=8, interlace=0):
    def chunk(name, raw):
        return struct.pack(">I", len(raw)) + name + raw + struct.pack(">I", zlib.crc32(name + raw))
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlace)
    palette = chunk(b"PLTE", bytes(range(48))) if kind == 3 else b""
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + palette + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def floats(n):
    return struct.pack(f"<{n}f", *(i / 3 for i in range(n)))


arrays = [npy("<f4", (2, 3), floats(6)), npy(">i8", (4,), bytes(range(32))), npy("<c8", (2,), floats(4), True), npy("|b1", (0, 3), b""), npy("<f2", (), b"\0\x3c", version=2)]
matrices = {"a.npy": arrays[0], "b.npy": arrays[1], "c.npy": arrays[3]}
images = bytes([0, 0, 8, 3]) + struct.pack(">III", 2, 3, 4) + bytes(range(24))
generator = struct.pack("<QiiQ", 1, 1, 1, 0) + bytes(5056 - 24)  # the state of PyTorch's generators
SEEDS = {
    "safetensors": [safetensors_file({"a": ("F32", [2, 3], floats(6)), "b": ("I64", [2], bytes(16)), "c": ("BOOL", [0], b"")}, {"format": "pt", "é": "\\ \""}),
                    safetensors_file({"w": ("F16", [2, 2], bytes(8))})],
    "npy": arrays,
    "npz": [zip_file(matrices, False), zip_file(matrices, True)],
    "csv": [b"1,2.5,-3e4\n4,5,6\n", b'"1","2"\r\n3,4\r\n', b"inf,nan\n1e308,-0.0"],
    "idx": [images, bytes([0, 0, 13, 1]) + struct.pack(">I", 3) + struct.pack(">fff", 1, 2, 3), gzip.compress(images)],
    "png": [png(3, 2, 2, b"".join(b"\0" + bytes(range(9)) for _ in range(2))), png(4, 2, 0, b"\0\1\2\3\4" * 2), png(4, 2, 3, b"\0\1\2\3\4" * 2),
            png(2, 2, 6, (b"\4" + bytes(range(8))) * 2), png(2, 2, 0, b"\0\1\2\3\4" * 2, depth=16)],
    "ppm": [b"P6\n3 2\n255\n" + bytes(range(18)), b"P5 # grey\n2 2 1000\n" + bytes(8), b"P5\n4 1\n255\n" + bytes(4)],
    "checkpoint": [],
}


def torch_seeds():
    shared = torch.arange(12.0).reshape(3, 4)
    holds = [{"model": {"weight": shared, "view": shared[1:, ::2], "t": shared.t()}, "step": 3, "lr": [0.1, None, True], "name": "é"},
             [torch.ones(2, dtype=dtype) for dtype in (torch.bool, torch.int64, torch.bfloat16, torch.complex64)] + [torch.zeros(0, 3), torch.tensor(1)],
             {"parameter": torch.nn.Parameter(torch.ones(2, 2)), "size": torch.Size([1, 2]), "big": 2**40, "set": {1, 2}}]
    for value in holds:
        out = io.BytesIO()
        torch.save(value, out)
        yield out.getvalue()


def pickled():
    """The one file of PyTorch that is in the tree, for an interpreter without torch."""
    return [(pathlib.Path(__file__).resolve().parents[1] / "data" / "saved.pt").read_bytes()]


# --- what the format's own library makes of a file: it throws

def with_numpy(raw):
    np.lib.format.read_array(io.BytesIO(raw), allow_pickle=False)


def with_numpy_npz(raw):
    archive = np.load(io.BytesIO(raw), allow_pickle=False)
    for name in archive.files:
        archive[name]


def with_torch(raw):
    torch.load(io.BytesIO(raw), map_location="cpu", weights_only=True)


def with_safetensors(raw):
    safetensors.deserialize(raw)


def with_csv(raw):
    rows = [row for row in csv.reader(io.StringIO(raw.decode("latin-1"), newline=""), strict=True) if row]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("rows of different lengths")
    for row in rows:
        for cell in row:
            float(cell)


def with_pillow(raw, kinds):
    with pil.open(io.BytesIO(raw), formats=kinds) as picture:
        picture.load()


def idx_reader(raw):
    """As torchvision.datasets.mnist.read_sn3_pascalvincent_tensor reads it, which asserts the size."""
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    kind, dims = divmod(struct.unpack(">I", raw[:4])[0], 256)
    size = {8: 1, 9: 1, 11: 2, 12: 4, 13: 4, 14: 8}[kind]
    for n in struct.unpack(f">{dims}I", raw[4:4 + 4 * dims]):
        size *= n
    if len(raw) != 4 + 4 * dims + size:
        raise ValueError("another size")


ORIGINALS = {
    "safetensors": with_safetensors if safetensors else None, "checkpoint": with_safetensors if safetensors else None,
    "npy": with_numpy if np else None, "npz": with_numpy_npz if np else None, "torch": with_torch if torch else None, "csv": with_csv, "idx": idx_reader,
    "png": (lambda raw: with_pillow(raw, ["PNG"])) if pil else None, "ppm": (lambda raw: with_pillow(raw, ["PPM"])) if pil else None,
}


# --- changes

def mutated(raw, others, rng):
    raw = bytearray(raw)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randrange(len(raw)) if raw else 0
        kind = rng.randrange(8)
        if kind == 0 and raw:
            raw[at] ^= 1 << rng.randrange(8)
        elif kind == 1 and raw:
            raw[at] = rng.choice((0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)))
        elif kind == 2:
            del raw[at:]
        elif kind == 3:
            del raw[at:at + rng.choice((1, 2, 4, 8, 50))]
        elif kind == 4:
            raw[at:at] = raw[at:at + rng.choice((1, 4, 16, 100))]
        elif kind == 5:  # a piece of another valid file
            other = rng.choice(others)
            begin = rng.randrange(len(other))
            piece = other[begin:begin + rng.choice((2, 8, 40, 400))]
            raw[at:at + rng.choice((0, len(piece)))] = piece
        elif kind == 6:  # a number that could be a size, in binary
            width = rng.choice((2, 4, 8))
            value = rng.choice((0, 1, 2**(8 * width) - 1, 2**(8 * width - 1), 2**(8 * width - 1) - 1, rng.randrange(1000))) % 2**(8 * width)
            raw[at:at + width] = value.to_bytes(width, rng.choice(("little", "big")))
        else:  # and in digits
            digits = [i for i, b in enumerate(raw) if 0x30 <= b <= 0x39]
            if digits:
                i = rng.choice(digits)
                raw[i:i + 1] = rng.choice((b"0", b"-1", b"18446744073709551616", b"9223372036854775807", b"4294967296", b"1e3", b"%d" % rng.randrange(100)))
    return bytes(raw)


def refusal(original, raw):
    try:
        original(raw)
    except BaseException as error:  # pyo3's panics are no Exception
        if isinstance(error, (KeyboardInterrupt, MemoryError)):
            raise
        return f"{type(error).__name__}: {error}"[:200]
    return None


count = Count()
with tempfile.TemporaryDirectory() as folder:
    pack = pathlib.Path(folder) / "pack"
    SEEDS["torch"] = list(torch_seeds()) if torch else pickled()
    state = {"generator": ("U8", [len(generator)], generator), "step": ("I64", [], bytes(8)), "loss": ("F64", [], bytes(8)), "model.w": ("F32", [2], floats(2))}
    SEEDS["checkpoint"] = [safetensors_file(state, {"tenon.checkpoint": "model,generator,step,loss"})]
    formats = sys.argv[4:] or list(SEEDS)
    for format in formats:
        rng = random.Random(f"{seed} {format}")
        seeds = SEEDS[format]
        each = max(1, total // len(formats))
        files = list(seeds) + [mutated(rng.choice(seeds), seeds, rng) for _ in range(each)]
        pack.write_bytes(b"".join(struct.pack("<I", len(raw)) + raw for raw in files))
        done = subprocess.run([program, format, pack], capture_output=True, text=True, errors="replace")
        lines = done.stdout.split()
        kept = pathlib.Path(os.environ.get("TENON_KEEP_MUTANTS", folder)) / f"broke.{format}"
        if done.returncode != 0 and len(lines) < len(files):
            kept.write_bytes(files[len(lines)])
        count.check(done.returncode == 0 and len(lines) == len(files), f"{format}: the reader ended with {done.returncode} at file {len(lines)}, {kept}:\n{done.stderr[-3000:]}")
        if ORIGINALS[format] is None:
            print(f"SKIPPED: {format}: compared with no other reader; {each} mutants read")
            continue
        refused = [i for i in range(len(seeds)) if i < len(lines) and lines[i] == "refused"]
        count.check(not refused, f"{format}: valid files {refused} are refused")
        accepted = [raw for raw, line in zip(files, lines) if line == "accepted"]
        wrong = [(raw, why) for raw in accepted if (why := refusal(ORIGINALS[format], raw))]
        for i, (raw, _) in enumerate(wrong):
            if "TENON_KEEP_MUTANTS" in os.environ:
                kept.with_name(f"accepted.{format}.{i}").write_bytes(raw)
        print(f"{format}: {each} mutants, {len(accepted)} accepted, {len(wrong)} of them refused by the original")
        count.check(not wrong, f"{format}: accepts what the original refuses, {len(wrong)} files: " + "; ".join(sorted({why for _, why in wrong})[:12]) + f"\n  {wrong[:1]}"[:600])
count.finish()
