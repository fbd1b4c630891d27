"""Records what PyTorch answers to indexing, einsum, streams of random numbers, training runs and schedules that nobody has recorded yet.
Usage: record_streams.py RECORDED OUT [SEED [FORM...]], by an interpreter that has torch and safetensors. RECORDED is the folder `modules` of recorded answers; OUT
gets `FORM.jsonl` and `FORM.safetensors` for the program FORM, one of `index`, `einsum`, `random`, `optim`, `schedulers`. Indices and equations are made up; calls
and options are crossed among the recorded ones of their name. Seed 0 asks the recorded questions themselves: it shows that they are put as they were. What PyTorch
answers otherwise a second time is left out, and so are runs that an ulp at the start changes much."""
import json
import math
import pathlib
import string
import sys

import torch
from safetensors.torch import load_file

from record import DTYPES, LeftOut, Record, equal, has_slope, tensors_of
from record_form import Form, live, question
from record_training import Optim, Schedulers

LARGEST = 20000  # elements of all operands of an einsum, multiplied


class Index(Form):
    times = 4

    def thinned(self, shape):
        """A shape that is spread over the given one."""
        return [1 if self.some(0.2) else n for n in shape][self.choice.choice([0, 0, 0, 1]):]

    def part(self, dims, common):
        """An index, and how many dimensions it takes."""
        c, kind, n = self.choice, self.choice.choices(["integer", "slice", "tensor", "mask", "zero-dim"], [25, 30, 28, 12, 5])[0], dims[0] + self.some(0.01)
        if kind == "slice" or n == 0:
            end = lambda: None if self.some(0.4) else c.randint(-n - 3, n + 3)
            return {"slice": [end(), end(), c.choice([None, None, 1, 2, 3, n + 2]) if self.some(0.97) else c.choice([0, -1])]}, 1
        if kind == "integer":
            return c.randint(-n, n - 1), 1
        if kind == "mask":
            taken = dims[:c.choice([1, 1, 2, 3])]
            mask = torch.zeros(math.prod(taken), dtype=torch.bool)
            count = c.randint(0, len(mask)) if self.some(0.3) or not common else common[-1]
            mask[torch.randperm(len(mask), generator=self.generator)[:count]] = True
            return mask.reshape(taken).to(torch.uint8 if self.some(0.02) else torch.bool), len(taken)
        shape = [] if kind == "zero-dim" else self.thinned(common) if self.some(0.98) else [3]
        dtype = c.choice([torch.int64] * 7 + [torch.int32]) if self.some(0.98) else torch.float32
        return torch.randint(-n, n, shape, generator=self.generator).to(dtype), 1  # row-major: strides decide which of two values for one place stays

    def parts(self, dims, common):
        parts = []
        while True:
            while self.some(0.2):
                parts.append(self.choice.choice([None, None, None, True, False, torch.tensor(True), torch.tensor(False)]))
            if not dims:
                return parts
            part, taken = self.part(dims, common)
            parts.append(part)
            dims = dims[taken:]

    def fresh(self):
        c = self.choice
        shape = [c.randint(1, 5) if self.some(0.97) else 0 for _ in range(c.choice([0, 1, 1, 2, 2, 3, 3, 4]))]
        common = [c.randint(1, 4) for _ in range(c.choice([1, 1, 1, 2, 2, 3, 0]))]  # of what tensors among the indices spread to
        before = c.randint(0, len(shape))
        indices = self.parts(shape[:before] + [2] * self.some(0.02), common)
        if self.some(0.3) or not indices:
            indices += ["..."] + self.parts(shape[c.randint(before, len(shape)):], common)
        dtype = c.choice([torch.float32, torch.float32, torch.float64, torch.float64, torch.int64, torch.bool])
        line = {"call": c.choice(["index", "index_put_"]), "self": self.tensor(dtype, shape), "indices": indices}
        if line["call"] == "index_put_":
            try:
                place = list(line["self"][self.of(line)].shape)
            except Exception:  # refused there too
                place = [2]
            shape = [1] * self.some(0.1) + self.thinned(place) if self.some(0.95) else place + [2]
            value = self.tensor(dtype if self.some(0.95) else c.choice([torch.float64, torch.float32, torch.int64, torch.bool]), shape)
            line["value"] = value if self.some(0.75) else self.scaled(c.choice([1.5, -0.25, 3, -2, True]))
        return line

    def of(self, line):
        index = tuple(... if isinstance(v, str) else slice(*v["slice"]) if isinstance(v, dict) else v for v in line["indices"])
        return False if len(index) == 1 and index[0] is False else index  # a lone False is not the same within a tuple

    def answers(self, line):
        x, index = line["self"], self.of(line)
        leaf = x.clone().requires_grad_(has_slope(x))
        if line["call"] == "index":
            out = x[index]
            answer = {"out": out.contiguous()}
            if out.numel() and out.untyped_storage().data_ptr() == x.untyped_storage().data_ptr():
                answer["alias"] = {"offset": out.storage_offset() - x.storage_offset(), "stride": list(out.stride())}
            if leaf.requires_grad and out.numel():
                answer["cotangent"] = self.normal(out)
                answer["grad"], = torch.autograd.grad(leaf[index], leaf, answer["cotangent"])
            return answer
        y, value = x.clone(), line["value"]
        try:
            y[index] = value
        except Exception:
            if not equal(x, y):
                raise LeftOut from None
            raise
        answer, leaves = {"after": y}, [leaf]
        if leaf.requires_grad:
            if isinstance(value, torch.Tensor) and has_slope(value):
                leaves.append(value := value.clone().requires_grad_())
            z = leaf.clone()
            z[index] = value
            answer["cotangent"] = self.normal(z)
            answer.update(zip(["grad", "value_grad"], torch.autograd.grad(z, leaves, answer["cotangent"], allow_unused=True)))
        return answer


class Einsum(Form):
    def equation(self):
        c, terms, shapes = self.choice, [], []
        sizes = {k: c.randint(1, 4) if self.some(0.98) else 0 for k in c.sample(string.ascii_letters, c.randint(1, 6))}
        letters, dots = list(sizes), [c.randint(1, 3) for _ in range(c.randint(0, 2))] if self.some(0.35) else None
        for _ in range(c.choice([1, 1, 2, 2, 2, 3, 3, 4])):
            term = [c.choice(letters) for _ in range(c.randint(0, 4))]
            own = {k: 1 if self.some(0.08) else n for k, n in sizes.items()}  # a size of 1 spreads
            shape = [own[k] for k in term]
            if dots is not None and self.some(0.8):
                at = c.randint(0, len(term))
                term[at:at], shape[at:at] = ["..."], [1 if self.some(0.2) else n for n in dots[c.randint(0, len(dots)):]]
            terms.append("".join(term))
            shapes.append(shape)
        equation, used = ",".join(terms), sorted(set("".join(terms)) - {"."})
        if self.some(0.6):
            out = c.sample(used, c.randint(0, min(5, len(used))))
            if "..." in equation and self.some(0.8):
                out.insert(c.randint(0, len(out)), "...")
            equation += "->" + "".join(out)
        if self.some(0.1):
            equation = equation.replace(",", " , ").replace("->", c.choice([" -> ", "-> "])).replace("a", "a ")
        if self.some(0.1):  # likely wrong
            at = c.randint(0, len(equation))
            equation = equation[:at] + c.choice([".", ",", "->", "-", ">", "1", "_", "...", c.choice(letters), "z", " "]) + equation[at + c.randint(0, 1):]
        if self.some(0.03):
            shapes[0] = shapes[0][1:] if self.some(0.5) else shapes[0] + [2]
        return equation, shapes

    def dims(self):
        c, shapes = self.choice, [[self.choice.randint(1, 4) for _ in range(self.choice.randint(1, 4))] for _ in range(2)]
        common = c.randint(0, min(map(len, shapes)))
        if self.some(0.5):
            shapes[1][:common] = shapes[0][len(shapes[0]) - common:]
            return common if self.some(0.95) else c.choice([-1, 5]), shapes
        pairs = [c.sample(range(len(s)), common) for s in shapes]
        for a, b in zip(*pairs):
            shapes[1][b] = shapes[0][a] if self.some(0.93) else c.choice([1, 1, 5])
        dims = [[d - len(s) if self.some(0.3) else d for d in p] for p, s in zip(pairs, shapes)]
        if self.some(0.05):
            dims[1] = dims[1][1:] if self.some(0.5) else dims[1] + [0]
        return dims, shapes

    def fresh(self):
        call, name, make = self.choice.choice([("einsum", "equation", self.equation)] * 4 + [("tensordot", "dims", self.dims)])
        how, shapes = make()
        if math.prod(n for s in shapes for n in s) > LARGEST:
            raise LeftOut
        dtype = self.choice.choice([torch.float32, torch.float32, torch.float32, torch.float64, torch.int64, torch.complex64])
        return {"call": call, name: how, "inputs": [self.tensor(dtype, s) for s in shapes]}

    def computed(self, line, inputs, cotangent=None):
        leaves = [t.clone().requires_grad_(has_slope(t)) for t in inputs]
        out = torch.einsum(line["equation"], *leaves) if line["call"] == "einsum" else torch.tensordot(*leaves, dims=line["dims"])
        if not out.requires_grad:
            return {"output": out}
        cotangent = self.normal(out) if cotangent is None else cotangent
        return {"output": out, "cotangent": cotangent, "input_grads": list(torch.autograd.grad(out, leaves, cotangent))}

    def answers(self, line):
        answer = self.computed(line, line["inputs"])
        if answer["output"].dtype in (torch.float32, torch.complex64):
            wide = lambda t: t.to(torch.complex128 if t.is_complex() else torch.float64)
            exact = self.computed(line, [wide(t) for t in line["inputs"]], wide(answer["cotangent"]))
            off = max((((a - b).abs() / (1e-5 + 1.3e-6 * b.abs())).max().item() for a, b in zip(tensors_of(answer), tensors_of(exact)) if b.numel()), default=0)
            if off > 0.25:
                answer["loosen"] = math.ceil(4 * off)
        return answer


class Random(Form):
    """Of each call the arguments are those of another of its name, then sizes, strides and dtypes others."""
    times = 3

    def __init__(self, *given):
        super().__init__(*given)
        self.calls = {}
        for call in (question(call) for line in self.lines for call in line["calls"]):
            self.calls.setdefault(call["call"], []).append(call)

    def changed(self, call):
        c, name, kin = self.choice, call["call"], self.calls[call["call"]]
        args, others = call.get("args"), [o for o in kin if list(map(type, o.get("args", ()))) == list(map(type, call.get("args", ())))]
        size = c.choice([[c.choice([0, 1, 7, 14, 15, 16, 17, 18, 24, 31, 32, 33, 40, 64, 65, 100])], [c.randint(1, 5), c.randint(1, 9)], [c.randint(1, 4) for _ in range(3)], []])
        if name == "manual_seed":
            args = [c.choice([0, 1, 2**32 - 1, 2**32, 2**32 + 5, c.randrange(2**32), c.randrange(2**63)])]
        elif name == "multinomial":
            args = [self.numbers(args[0]), *c.choice(others)["args"][1:]]
        elif name == "randperm":
            args = [c.choice([0, 1, 2, 9, 30, 100, 1000])] if self.some(0.9) else args
        elif args:
            resized = lambda t: t.flatten()[torch.randint(t.numel(), size, generator=self.generator)] if t.numel() else t
            args = [size if isinstance(a, list) and self.some(0.9) else resized(a) if isinstance(a, torch.Tensor) else self.scaled(a) for a in c.choice(others)["args"]]
        call = {**call, **({"args": args} if args is not None else {})}
        if "target" in call:
            size = c.choice(kin)["target"]["size"] if name.startswith("init.") or self.some(0.05) else size
            call["target"] = {"dtype": c.choice(kin)["target"]["dtype"], "size": size}
            if not name.startswith("init.") and size and self.some(0.35):
                stride, step = [0] * len(size), c.choice([1, 2, 3])
                for d in c.sample(range(len(size)), len(size)):
                    stride[d], step = step, step * max(1, size[d]) * c.choice([1, 1, 2])
                call["target"]["stride"] = stride
        call.pop("kwargs", None)
        kwargs = self.crossed([o.get("kwargs", {}) for o in kin])
        return {**call, "kwargs": kwargs} if kwargs else call

    def fresh(self):
        c = self.choice
        line = {"seed": c.choice([0, 1, 42, 2**32 - 1, 2**32 + 7, c.randrange(2**32), c.randrange(2**53)]), "generator": c.choice(["explicit", "default"]), "calls": []}
        states, length = [], c.randint(3, 8)
        while len(line["calls"]) < length:
            name = c.choices(list(self.calls), list(map(len, self.calls.values())))[0]
            if line["generator"] == "explicit" and name in ("init.sparse_", "dropout") or name == "set_state" and not states:  # those draw from the default one
                continue
            call = self.changed(c.choice(self.calls[name]))
            if name == "get_state":
                states.append(f"s{len(states)}")
                call["as"] = states[-1]
            if name == "set_state":
                call["from"] = c.choice(states)
            line["calls"].append(call)
        return line

    def draw(self, call, generator):
        name, args, kwargs = call["call"], call.get("args", []), {**call.get("kwargs", {}), **({} if generator is None else {"generator": generator})}
        if "target" not in call:
            return getattr(torch, name)(*args, **kwargs)
        t = call["target"]
        x = torch.empty_strided(t["size"], t.get("stride", torch.empty(t["size"]).stride()), dtype=DTYPES[t["dtype"]]).zero_()
        (getattr(torch.nn.init, name[5:]) if name.startswith("init.") else getattr(torch.Tensor, name))(x, *args, **kwargs)
        return x.contiguous()

    def answers(self, line):
        torch.manual_seed(line["seed"])
        given = torch.Generator().manual_seed(line["seed"]) if line["generator"] == "explicit" else None
        generator, states, calls = torch.default_generator if given is None else given, {}, []
        for call in map(dict, line["calls"]):
            calls.append(call)
            if call["call"] == "get_state":
                states[call["as"]] = generator.get_state()
            elif call["call"] == "set_state":
                generator.set_state(states[call["from"]])
            elif call["call"] == "manual_seed":
                generator.manual_seed(*call["args"])
            elif call["call"] == "initial_seed":
                call["out"] = generator.initial_seed()
            else:
                before = generator.get_state()
                try:
                    call["out"] = self.draw(call, given)
                except Exception as e:
                    call["raises"] = str(e)
                    if not equal(before, generator.get_state()):
                        raise LeftOut from None
        return {"calls": calls}


def main(folder, out, seed=1, *names):
    forms = {"index": Index, "einsum": Einsum, "random": Random, "optim": Optim, "schedulers": Schedulers}
    for name in names or forms:
        path, record = pathlib.Path(folder) / f"{name}.jsonl", Record()
        data = load_file(path.with_suffix(".safetensors")) if path.with_suffix(".safetensors").exists() else {}
        lines = [live(json.loads(text), data) for text in path.read_text().splitlines()]
        form = forms[name](int(seed), name, lines, path.parent)
        for k in range(len(lines) * (form.times if form.seed else 1)):
            try:
                line = form.answered(form.fresh() if form.seed else question(lines[k]))
            except LeftOut:
                continue
            kind = line["scheduler"]["name"] if "scheduler" in line else line.get("optimizer", line.get("call", "stream"))
            record.lines.append(record.value({"id": f"{name}/{kind}/{seed}/{k}", **line}))
        record.save(pathlib.Path(out) / name)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
