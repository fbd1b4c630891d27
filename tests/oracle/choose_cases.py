"""Chooses a small part of the recorded answers for the repository: choose_cases.py RECORDED [NAME...].
Of every operator the smallest cases that together show each overload, dtype, layout, keyword and kind of result that its cases show;
of programs and schemas an even part. NAMEs are operators (stems of RECORDED/cases/*.jsonl); without any, those already in selection/, which it
replaces."""
import json
import pathlib
import shutil
import struct
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "selection"
PROGRAMS = 100
SCHEMAS = 300


def read_safetensors(path):
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    return {k: (v["dtype"], v["shape"], data[8 + size + v["data_offsets"][0]:8 + size + v["data_offsets"][1]]) for k, v in header.items()}


def write_safetensors(path, tensors):
    header, offset = {}, 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(t[2] for t in tensors.values()))


def tensors_of(value):
    if isinstance(value, dict):
        if "t" in value:
            yield value
        else:
            for v in value.values():
                yield from tensors_of(v)
    elif isinstance(value, list):
        for v in value:
            yield from tensors_of(v)


def traits(case):
    """What a case shows; a selection shall show all of it."""
    op, dtype = case["op"], case["id"].split("/")[1]
    inputs = list(tensors_of([case["args"], case["kwargs"]]))
    yield op, dtype
    if "grad" in case:
        yield op, "grad", dtype
        if any(i is None for i in case["grad"]["inputs"]):
            yield op, "no grad"
    yield op, "dtypes", tuple(t["dtype"] for t in inputs)
    for what, there in {
        "strided": any("stride" in t for t in inputs),
        "empty": any(0 in t["size"] for t in inputs[:1]),
        "zero-dim": any(t["size"] == [] for t in inputs),
        "broadcast": len({tuple(t["size"]) for t in inputs}) > 1,
        "alias": any("alias" in o for o in case["out"] if isinstance(o, dict)),
        "strided result": any("stride" in o for o in case["out"] if isinstance(o, dict)),
        "after": "after" in case,
    }.items():
        if there:
            yield op, what
    yield op, "dims", tuple(len(t["size"]) for t in inputs)
    yield op, "keywords", tuple((k, json.dumps(v) if not list(tensors_of(v)) else "") for k, v in case["kwargs"].items() if k != "out")


def choose(lines, tensors):
    """Greedy cover: the most new traits per byte, until nothing new is left."""
    cases = []
    for line in lines:
        case = json.loads(line)
        keys = sorted({t["t"] for t in tensors_of(case)}, key=int)
        size = len(line) + sum(len(tensors[k][2]) + 70 for k in keys)
        cases.append([size, set(traits(case)), line, keys])
    chosen, seen = [], set()
    while True:
        best = max(cases, key=lambda c: len(c[1] - seen) / c[0], default=None)
        if best is None or not best[1] - seen:
            return chosen
        seen |= best[1]
        chosen.append(best)
        cases.remove(best)


def main():
    recorded, folder = pathlib.Path(sys.argv[1]).resolve(), FOLDER
    if not (recorded / "cases").is_dir() or recorded == folder:
        sys.exit(f"{recorded} is no folder of recorded answers")
    names = sys.argv[2:] or sorted(p.stem for p in (folder / "cases").glob("*.jsonl"))
    for old in (folder / "cases").glob("*"):
        old.unlink()
    (folder / "cases").mkdir(parents=True, exist_ok=True)
    total = 0
    for name in names:
        source = recorded / "cases" / (name + ".jsonl")
        if not source.exists():
            print(f"{name}: no recorded cases")
            continue
        tensors = read_safetensors(source.with_suffix(".safetensors"))
        lines = [l for l in source.read_text().splitlines() if l]
        order = {line: i for i, line in enumerate(lines)}
        chosen = sorted(choose(lines, tensors), key=lambda c: order[c[2]])
        (folder / "cases" / source.name).write_text("".join(c[2] + "\n" for c in chosen))
        kept = {k: tensors[k] for k in sorted({k for c in chosen for k in c[3]}, key=int)}
        write_safetensors(folder / "cases" / (name + ".safetensors"), kept)
        size = sum(p.stat().st_size for p in (folder / "cases").glob(name + ".*"))
        total += size
        print(f"{name}: {len(chosen)} of {len(lines)} cases, {size} bytes")
    for name, count in (("programs.jsonl", PROGRAMS), ("schemas-aten.txt", SCHEMAS), ("transforms/engine.jsonl", PROGRAMS)):
        lines = (recorded / name).read_text().splitlines()
        part = lines[::max(1, len(lines) // count)][:count]
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("".join(l + "\n" for l in part))
        total += (folder / name).stat().st_size
    shutil.copyfile(recorded / "digits_training.safetensors", folder / "digits_training.safetensors")
    total += (folder / "digits_training.safetensors").stat().st_size
    print(f"{total} bytes")


if __name__ == "__main__":
    main()
