"""Times every operator whose arguments can be guessed from its schema beside PyTorch, whose Python runs this, and prints those
first that are slowest beside it. What is slow for want of a kernel shows in seconds; single percents do not.
Usage: survey.py PROGRAM [DTYPE [LAYOUT [SIZES [PART]]]], e.g. `build/tests/bench/bench float32 rows 1024x1024 linalg`;
LAYOUT: rows or transposed."""
import subprocess
import sys
import time
import warnings

import torch

program, dtype, layout, sizes, part = (sys.argv[1:] + ["float32", "rows", "1024x1024", ""][len(sys.argv) - 2 :])[:5]
warnings.filterwarnings("ignore")
torch.set_num_threads(1)
torch.set_grad_enabled(False)
whole = dtype in ("int64", "int32", "uint8", "bool")
shape = [int(s) for s in sizes.split("x")]
# Of other tensors, devices and back ends, or with an effect.
STRANGE = ("quant", "sparse", "cudnn", "mkldnn", "miopen", "mps", "set", "resize", "record_stream", "fbgemm")
INTS = {"dim": 1, "dim0": 1, "axis": 1, "dim1": 0, "k": 4, "n": 4, "chunks": 4, "shifts": 4, "repeats": 4, "bins": 4, "split_size": 4, "step": 4, "size": 4}
LISTS = {"dim": [1], "dims": [1], "size": shape, "shape": shape, "normalized_shape": shape[-1:], "repeats": [2, 1], "shifts": [3]}


def guessed(argument):
    """An argument without a default, as survey.cpp reads it; None if there is no guess."""
    kind, name = str(argument.type), argument.name
    if kind == "Tensor":
        if name in ("index", "indices", "target", "sorter"):
            return f"places {shape[-1]} {sizes}"
        return f"tensor {'bool' if name in ('mask', 'condition') else dtype} {layout} {sizes}"
    if kind == "List[Tensor]":
        return f"tensors {dtype} {layout} {sizes}"
    if kind == "List[int]":
        return "ints " + "x".join(map(str, LISTS[name])) if name in LISTS else None
    if kind == "int":
        return f"int {INTS.get(name, 1)}"
    simple = {"number": "number 2" if whole else "number 0.5", "float": "float 0.5", "bool": "bool 1"}
    return "none" if kind.startswith("Optional") else simple.get(kind)


def default(argument):
    value, kind = argument.default_value, str(argument.type)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return f"bool {int(value)}"
    if kind == "number":
        return f"number {value}"
    if isinstance(value, int):
        return f"int {value}"
    if isinstance(value, float):
        return f"float {value}"
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, int) for v in value):
        return "ints " + "x".join(map(str, value))
    return None


def call_of(schema):
    words = []
    for a in schema.arguments:
        if a.is_out or a.alias_info and a.alias_info.is_write:
            return None
        words.append(default(a) if a.has_default_value() else guessed(a))
        if words[-1] is None:
            return None
    return " ".join(words) if "tensor" in " ".join(words) else None


def tensor(words):
    kind, order, size = words.pop(0), words.pop(0), [int(s) for s in words.pop(0).split("x")]
    if kind == "bool":
        t = torch.rand(size) > 0.5
    elif kind in ("int64", "int32", "uint8"):
        t = torch.randint(1, 100, size, dtype=getattr(torch, kind))
    elif kind == "complex64":
        t = torch.complex(torch.rand(size), torch.rand(size))
    else:
        t = (torch.rand(size) * 0.8 + 0.1).to(getattr(torch, kind))
    return t.transpose(0, 1).contiguous().transpose(0, 1) if order == "transposed" else t


def arguments(call):
    words, found = call.split(), []
    while words:
        kind = words.pop(0)
        if kind == "tensor":
            found.append(tensor(words))
        elif kind == "tensors":
            found.append([t := tensor(words), t.clone()])
        elif kind == "places":
            found.append(torch.randint(int(words.pop(0)), [int(s) for s in words.pop(0).split("x")]))
        elif kind == "ints":
            found.append([int(s) for s in words.pop(0).split("x")])
        elif kind == "none":
            found.append(None)
        else:
            found.append({"number": float, "float": float, "int": int, "bool": lambda w: bool(int(w))}[kind](words.pop(0)))
    return found


def best_of(operator, given):
    best, total, calls = 1e9, 0, 0
    while calls == 0 or (calls < 200 and total < 0.06):
        start = time.perf_counter()
        operator(*given)
        seconds = time.perf_counter() - start
        best, total, calls = min(best, seconds), total + seconds, calls + 1
    return best


theirs, calls = {}, []
for schema in torch._C._jit_get_all_schemas():
    base = schema.name[6:]
    if not schema.name.startswith("aten::") or base[0] == "_" or base[-1] == "_" or any(s in base for s in STRANGE) or part not in base:
        continue
    full = schema.name + (f".{schema.overload_name}" if schema.overload_name else "")
    positional = [a for a in schema.arguments if not a.kwarg_only]
    call = call_of(schema)
    if call is None or full in theirs:
        continue
    try:
        operator = getattr(getattr(torch.ops.aten, base), schema.overload_name or "default")
        theirs[full] = best_of(operator, arguments(call)[: len(positional)])
        calls.append(f"{full} {call}")
    except Exception:  # a guess that PyTorch refuses
        pass

rows, refused = [], []
done = subprocess.run([program, "--survey"], input="\n".join(calls), stdout=subprocess.PIPE, text=True)
for line in done.stdout.splitlines():
    name, value = line.split(" ", 1)
    if value.startswith("refused"):
        refused.append(line)
    else:
        rows.append((theirs[name] / float(value), name, float(value)))
for speed, name, seconds in sorted(rows):
    print(f"{name:<56}{seconds * 1e6:>12.1f}{theirs[name] * 1e6:>12.1f}{speed:>8.2f}")
print("\n".join(refused))
print(f"{len(rows)} operators of {dtype} {sizes}, {layout}: microseconds, PyTorch's, speed; {sum(r[0] < 0.9 for r in rows)} below 0.9, {sum(r[0] < 0.5 for r in rows)} below 0.5")
sys.exit(done.returncode)
