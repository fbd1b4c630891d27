"""Records what PyTorch answers to calls that nobody has recorded yet: each is a recorded call with other numbers, strides, sizes or dtypes.
Usage: record.py CASES OUT [SEED [NAME...]], by an interpreter that has torch and safetensors. CASES is the folder of the recorded calls, OUT gets
`cases/NAME.*` for the program `cases` and `vmap/NAME.*`, `jvp/NAME.*` and `double_backward/NAME.*` for `transforms`, in the forms of README.md. What PyTorch refuses,
answers otherwise a second time or not as its own second way (a loop for vmap) is left out. What then fails is to be judged by eye: factors of a
matrix that is none of theirs, NaN among NaN and the last bits of 16-bit sums are nobody's fault."""
import json
import math
import os
import pathlib
import random
import sys
import warnings

import torch
import torch._dynamo  # PyTorch's first tangent imports it, for seconds: here once, not in each operator's process
import torch.autograd.forward_ad as forward
from safetensors.torch import load_file, save_file

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
DTYPES = {str(d).removeprefix("torch."): d for d in vars(torch).values() if isinstance(d, torch.dtype)}
# Answers that are not unique, and calls that read behind their memory where sizes do not fit.
LEFT_OUT = {"as_strided", "as_strided_copy", "as_strided_scatter", "geqrf", "linalg_eig", "linalg_eigh", "linalg_householder_product",
            "linalg_lstsq", "linalg_lu", "linalg_qr", "linalg_svd", "lu_unpack", "pinverse", "segment_reduce", "svd"}
SPECIAL = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 30000.0, 1e-5]
LARGEST = 4000  # elements of a call that is transformed


class LeftOut(Exception):
    pass


class Record:
    """Lines, and the tensors that they name."""

    def __init__(self):
        self.tensors, self.lines = {}, []

    def value(self, v):
        if isinstance(v, torch.Tensor):
            return self.tensor(v.detach())
        if isinstance(v, float) and not math.isfinite(v):
            return {"f": "nan" if math.isnan(v) else "inf" if v > 0 else "-inf"}
        if isinstance(v, complex):
            return {"c": [self.value(v.real), self.value(v.imag)]}
        if isinstance(v, torch.dtype):
            return {"dtype": str(v).removeprefix("torch.")}
        if isinstance(v, torch.device):
            return {"device": str(v)}
        if isinstance(v, torch.layout):
            return {"layout": "strided"}
        if isinstance(v, torch.memory_format):
            return {"memory_format": str(v).removeprefix("torch.")}
        if isinstance(v, (list, tuple)):
            return [self.value(x) for x in v]
        return {k: self.value(x) for k, x in v.items()} if isinstance(v, dict) else v

    def tensor(self, t):
        key = str(len(self.tensors))
        entry = {"dtype": str(t.dtype).removeprefix("torch."), "size": list(t.shape)}
        data = t.contiguous().clone()
        if t.numel() and not t.is_contiguous():
            span = 1 + sum((n - 1) * s for n, s in zip(t.shape, t.stride()))
            entry["stride"] = list(t.stride())
            data = torch.as_strided(t, (span,), (1,), t.storage_offset()).clone()
        self.tensors[key] = torch.view_as_real(data).contiguous() if data.is_complex() else data
        entry["t"] = key
        return entry

    def plain(self, t):
        return None if t is None else self.tensor(t.detach().contiguous())

    def save(self, path):
        if not self.lines:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".jsonl").write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        save_file(self.tensors, path.with_suffix(".safetensors"))


def load(v, data):
    if isinstance(v, list):
        return [load(x, data) for x in v]
    if not isinstance(v, dict):
        return v
    if "t" in v:
        dtype, t = DTYPES[v["dtype"]], data[v["t"]]
        if dtype.is_complex and not t.is_complex():
            t = torch.view_as_complex(t.contiguous())
        return torch.as_strided(t.clone(), v["size"], v["stride"]) if "stride" in v else t.reshape(v["size"]).clone()
    (kind, inner), = v.items()
    if kind == "f":
        return float(inner)
    if kind == "c":
        return complex(*(load(x, data) for x in inner))
    return {"dtype": DTYPES.get(inner), "device": inner, "layout": torch.strided, "memory_format": getattr(torch, str(inner), None)}[kind]


def tensors_of(v):
    if isinstance(v, torch.Tensor):
        return [v]
    items = v.values() if isinstance(v, dict) else v if isinstance(v, (list, tuple)) else ()
    return [t for x in items for t in tensors_of(x)]


def change(v, f):
    """The same tree with other tensors."""
    if isinstance(v, torch.Tensor):
        return f(v)
    if isinstance(v, list):
        return [change(x, f) for x in v]
    return {k: change(x, f) for k, x in v.items()} if isinstance(v, dict) else v


def copied(t):
    """The same memory once more, strides and offset too."""
    return torch.as_strided(t.new_empty(0).set_(t.untyped_storage().clone()), t.shape, t.stride(), t.storage_offset()) if t.numel() else t.clone()


def flat(v):
    return [y for x in v for y in flat(x)] if isinstance(v, (list, tuple)) else [v]


def has_slope(t):
    return t.dtype.is_floating_point or t.dtype.is_complex


def equal(a, b):
    real = lambda t: torch.view_as_real(t) if t.is_complex() else t
    same = lambda x, y: x.shape == y.shape and x.dtype == y.dtype and torch.equal(torch.nan_to_num(real(x).double()), torch.nan_to_num(real(y).double()))
    a, b = tensors_of(a), tensors_of(b)
    return len(a) == len(b) and all(map(same, a, b))


class Recorder:
    def __init__(self, seed, name):
        self.seed, self.choice = seed, random.Random(f"{name} {seed}")
        self.generator = torch.Generator().manual_seed(self.choice.randrange(2**31))
        self.transformed = {kind: Record() for kind in ("vmap", "jvp", "double_backward")}

    # ---- other arguments

    def normal(self, t):
        wide = torch.complex128 if t.dtype.is_complex else torch.float64
        return torch.randn(t.shape, generator=self.generator, dtype=wide).to(t.dtype)

    def numbers(self, t, special=False):
        """Others within the domain that the recorded ones seem to have; integers are chosen among them."""
        if t.dtype == torch.bool:
            return torch.rand(t.shape, generator=self.generator) < 0.5
        if t.numel() == 0 or "float8" in str(t.dtype):
            return t
        if not has_slope(t):
            return t.flatten()[torch.randint(t.numel(), t.shape, generator=self.generator)]
        x = self.normal(t.to(torch.complex128 if t.dtype.is_complex else torch.float64))
        if not t.dtype.is_complex:
            if (t > 0).all():
                x = x.abs() + 0.05
            if (t.abs() <= 1).all():
                x = torch.tanh(x) * 0.98
            if special:
                some = torch.tensor(SPECIAL, dtype=torch.float64)[torch.randint(len(SPECIAL), t.shape, generator=self.generator)]
                x = torch.where(torch.rand(t.shape, generator=self.generator) < 0.4, some, x)
        return x.to(t.dtype)

    def strided(self, t):
        if t.dim() == 0 or t.numel() == 0:
            return t
        d, way = self.choice.randrange(t.dim()), self.choice.randrange(4)
        if way == 0 and t.dim() > 1:
            e = self.choice.randrange(t.dim())
            return t.transpose(d, e).contiguous().transpose(d, e)
        if way == 1:
            return torch.stack([t, torch.zeros_like(t)], d + 1).flatten(d, d + 1).unflatten(d, (t.shape[d], 2)).select(d + 1, 0)
        return torch.cat([t.narrow(d, 0, 1), t], d).narrow(d, 1, t.shape[d]) if way == 2 else t

    def spread(self, t):
        d = self.choice.randrange(max(1, t.dim()))
        return t.narrow(d, 0, 1).expand(t.shape) if t.numel() and t.dim() and self.choice.random() < 0.5 else t

    def sized(self, call):
        """One size of the call is another, wherever it occurs."""
        sizes = sorted({n for t in tensors_of(call) for n in t.shape})
        if not sizes:
            raise LeftOut
        old, new = self.choice.choice(sizes), self.choice.choice([0, 0, 1, 1, 2, 5, 9, 17])

        def resized(t):
            shape = [new if n == old else n for n in t.shape]
            if old not in t.shape or "float8" in str(t.dtype):
                return t
            return t.flatten()[torch.randint(t.numel(), shape, generator=self.generator)] if t.numel() and 0 not in shape else torch.zeros(shape, dtype=t.dtype)
        return change(call, resized)

    def cast(self, call):
        others = [torch.float32, torch.float64, torch.bfloat16, torch.float16]
        to = {d: self.choice.choice(others) for d in others}
        return change(call, lambda t: t.to(to.get(t.dtype, t.dtype)))

    # ---- the answers

    def call_of(self, case, operator, args, kwargs, record):
        way = self.choice.choice(["numbers", "special", "strides", "strides", "sizes", "sizes", "dtypes", "spread"])
        call = self.sized([args, kwargs]) if way == "sizes" else self.cast([args, kwargs]) if way == "dtypes" else [args, kwargs]
        args, kwargs = change(call, lambda t: self.numbers(t, way == "special"))
        kind = case["id"].split("/")[-2]
        if way == "strides":
            args = change(args, self.strided)
        if way == "spread" and kind == "f":
            args = change(args, self.spread)
        copy = lambda v: change(v, copied)
        written, again = copy(args), copy(args)
        torch.manual_seed(1)
        result = operator(*written, **copy(kwargs))
        torch.manual_seed(2)
        if not equal(flat(result), flat(operator(*again, **copy(kwargs)))) or not equal(written, again):
            raise LeftOut
        line = {"id": f"{case['op']}/{way}{self.seed}/{kind}/{len(record.lines)}", "op": case["op"], "args": record.value(args), "kwargs": record.value(kwargs)}
        if isinstance(result, list):
            line["out_list"] = True
        after = {str(i): y for i, (x, y) in enumerate(zip(args, written)) if isinstance(x, torch.Tensor) and (not equal(x, y) or kind == "i" and i == 0)}
        if after or "after" in case:
            line["after"] = {i: record.plain(t) for i, t in after.items()}
        line["out"] = [record.plain(x) if isinstance(x, torch.Tensor) else record.value(x) for x in flat(result)]
        if "grad" in case and kind == "f":
            call = change(copy([args, kwargs]), lambda t: t.detach().requires_grad_(has_slope(t)))
            results = tensors_of(flat(operator(*call[0], **call[1])))
            of, leaves = [i for i, x in enumerate(results) if x.requires_grad], [t for t in tensors_of(call) if t.requires_grad]
            if of:
                weights = [self.normal(results[i]) for i in of]
                slopes = torch.autograd.grad([results[i] for i in of], leaves, weights, allow_unused=True)
                line["grad"] = {"of": of, "cotangents": [record.plain(w) for w in weights], "inputs": [record.plain(s) for s in slopes]}
        record.lines.append(line)

    def transform(self, kind, case, operator, args, kwargs):
        record, call = self.transformed[kind], [args, kwargs]
        call = change(call, lambda t: t.to(torch.complex128 if t.dtype.is_complex else torch.float64) if has_slope(t) else t)
        if self.choice.random() < 0.3:
            call = self.sized(call)
        call = change(call, lambda t: self.numbers(t).contiguous())
        inputs = tensors_of(call)
        if not inputs or sum(t.numel() for t in inputs) > LARGEST:
            raise LeftOut

        def tree(tensors):
            rest = iter(tensors)
            return change(call, lambda _: next(rest))

        def apply(tensors):
            a, k = tree(tensors)
            return tensors_of(flat(operator(*a, **k)))
        torch.manual_seed(1)
        first, kept = apply([t.clone() for t in inputs]), [t.clone() for t in inputs]
        torch.manual_seed(2)
        if not equal(first, apply(kept)) or not equal(kept, inputs):
            raise LeftOut
        more = getattr(self, kind)(record, inputs, apply)
        args, kwargs = tree(more.pop("inputs of the call", inputs))
        record.lines.append({"id": f"{kind}/{case['op'].split('::')[1]}/{self.seed}/{len(record.lines)}", "op": case["op"], "args": record.value(args),
                             "kwargs": record.value(kwargs), **more})

    def jvp(self, record, inputs, apply):
        tangents = [self.normal(t) if has_slope(t) and self.choice.random() < 0.75 else None for t in inputs]
        if not any(t is not None for t in tangents):
            raise LeftOut
        with forward.dual_level():
            results = apply([t if u is None else forward.make_dual(t, u) for t, u in zip(inputs, tangents)])
            pairs = [forward.unpack_dual(x) if has_slope(x) else (x, None) for x in results]
            return {"tangents": [record.plain(t) for t in tangents], "out": [record.plain(p) for p, _ in pairs], "out_tangents": [record.plain(t) for _, t in pairs]}

    def double_backward(self, record, inputs, apply):
        variables = [t.clone().requires_grad_(has_slope(t)) for t in inputs]
        leaves, results = [t for t in variables if t.requires_grad], apply(variables)
        of = [i for i, x in enumerate(results) if x.requires_grad]
        weights = [self.normal(results[i]).requires_grad_() for i in of]
        slopes = torch.autograd.grad([results[i] for i in of], leaves, weights, create_graph=True, allow_unused=True) if of else []
        of2 = [i for i, s in enumerate(slopes) if s is not None and s.requires_grad]
        if not of2:
            raise LeftOut
        weights2 = [self.normal(slopes[i]) for i in of2]
        second = torch.autograd.grad([slopes[i] for i in of2], leaves + weights, weights2, allow_unused=True)
        if not all(torch.isfinite(s).all() for s in second if s is not None):
            raise LeftOut
        tensors = lambda list_: [record.plain(t) for t in list_]
        return {"of": of, "cotangents": tensors(weights), "of2": of2, "cotangents2": tensors(weights2), "inputs": tensors(second[:len(leaves)]),
                "grad_cotangents": tensors(second[len(leaves):])}

    def vmap(self, record, inputs, apply):
        levels = []
        for size in self.choice.choices([1, 2, 3], k=self.choice.choice([1, 1, 2])):  # the innermost first
            dims = [self.choice.randrange(t.dim() + 1) if self.choice.random() < 0.6 else None for t in inputs]
            if not any(d is not None for d in dims):
                dims[0] = 0
            inputs = [t if d is None else torch.stack([t] + [self.numbers(t) for _ in range(size - 1)], d).contiguous() for t, d in zip(inputs, dims)]
            levels.insert(0, {"in_dims": [d if d is None or self.choice.random() < 0.7 else d - t.dim() for t, d in zip(inputs, dims)], "size": size})

        def loop(tensors, levels):
            if not levels:
                return apply([t.clone() for t in tensors])
            dims, size = levels[0]["in_dims"], levels[0]["size"]
            each = [loop([t if d is None else t.select(d, i) for t, d in zip(tensors, dims)], levels[1:]) for i in range(size)]
            return [torch.stack(list(x)) for x in zip(*each)]

        def mapped(levels):
            return torch.func.vmap(mapped(levels[1:]), in_dims=tuple(levels[0]["in_dims"])) if levels else lambda *t: tuple(apply(list(t)))
        expected, got = loop(inputs, levels), mapped(levels)(*inputs)
        if len(got) != len(expected) or not all(a.shape == b.shape and a.dtype == b.dtype and torch.allclose(a, b, 1e-3, 1e-3, True) for a, b in zip(got, expected)):
            raise LeftOut
        return {"levels": levels, "out": [record.plain(x) for x in expected], "inputs of the call": inputs}


def record_file(path, out, seed):
    """The changed calls of one operator, in files of their own."""
    recorder, data, record = Recorder(seed, path.stem), load_file(path.with_suffix(".safetensors")), Record()
    for case in map(json.loads, path.read_text().splitlines()):
        space, name = case["op"].split("::")
        name, _, overload = name.partition(".")
        kind = case["id"].split("/")[-2]
        if kind == "o":
            continue
        operator = getattr(getattr(getattr(torch.ops, space), name), overload or "default")
        args, kwargs = load(case["args"], data), {k: load(v, data) for k, v in case["kwargs"].items()}
        ways = [lambda: recorder.call_of(case, operator, args, kwargs, record)]
        if kind == "f":
            ways += [lambda kind=kind: recorder.transform(kind, case, operator, args, kwargs) for kind in recorder.transformed if kind == "vmap" or "grad" in case]
        for way in ways:
            try:
                way()
            except Exception:  # PyTorch refuses the changed call, or it is left out
                pass
    for kind, lines in {"cases": record, **recorder.transformed}.items():
        lines.save(out / kind / path.stem)


def in_process(what, record):
    """Records in a process of its own: some calls end PyTorch's."""
    child = os.fork()
    if child == 0:
        record()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        print(f"{what}: PyTorch ended with status {status}", flush=True)


def main(folder, out, seed=1, *names):
    for path in sorted(pathlib.Path(folder).glob("*.jsonl")):
        if names and path.stem not in names or path.stem in LEFT_OUT:
            continue
        in_process(path.stem, lambda: record_file(path, pathlib.Path(out), int(seed)))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
