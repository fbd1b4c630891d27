"""Records programs and functions that nobody has recorded yet: recorded steps with other arguments, and in half of the lines operators drawn by
their schemas too, in other orders.
Usage: record_programs.py RECORDED OUT [SEED [LINES [FORM...]]], by an interpreter that has torch and safetensors. RECORDED is the folder with
`programs.jsonl` and `transforms/`; OUT gets as many LINES of each FORM (`programs`, `engine`, `compositions`), in the forms of README.md, for the programs
`programs` and `transforms`. First the recorded lines are replayed: those that PyTorch answers otherwise now are named. Left out is what PyTorch answers
otherwise a second time or not as its own second way (loops for vmap, nested reverse mode for forward mode and for Jacobians), and numbers that are not
finite or large. What then fails is to be judged by eye."""
import itertools
import json
import math
import pathlib
import random
import re
import signal
import sys
import warnings

import torch

from record import LEFT_OUT, LeftOut, in_process
from replay_lines import LARGEST, Engine, Function, OneWay, Program, SecondWay, composed, inline, overload, replayed, same, tensor

MOST = 300  # elements of a tensor
SIZES = [[2, 3], [], [1, 3], [2, 3, 2], [3, 2], [4], [3], [0], [2, 0], [1], [1, 1, 1], [2, 1, 3], [5], [2, 2]]
NUMBERS = [0.5, 2, -1, 1.5, 0, -0.5, 3, 1, -2.5, 0.25]
# Random, unset or of the process; kernels of other back ends; formulas of gradients, which are called with what the forward pass gave.
SKIPPED = re.compile(r"^_|rand|empty|bernoulli|dropout|normal|poisson|multinomial|cauchy|exponential|geometric|uniform|sparse|mkldnn|cudnn|miopen|mps|xla|cuda|quant|qscheme|"
                     r"backward|rrelu|retain|requires_grad|set_data|record_stream|from_file|storage|sobol|nested|resize|align|rename|refine|q_|fbgemm|lstm|gru|rnn|"
                     r"fused|unsafe|shallow_copy|lift|pin_memory|is_pinned|crow|ccol|coalesce|squeeze_copy|_copy$|chalf|^to_|^set_?$|data$|hist|stft|fft|sym_|batch_norm_|^item|^allclose")
NOT_UNIQUE = LEFT_OUT | {"linalg_svdvals", "linalg_eigvals", "svd", "symeig", "lobpcg", "linalg_polar", "special_polygamma"}
OF_GRADIENTS = re.compile("view|in-?place|leaf|written-to|grad|[Ii]nference")


def by_schema():
    """Operators whose arguments can be written in a line."""
    written = re.compile(r"^(Optional\[|List\[)*(Tensor|int|float|number|bool)\]*$")
    found = []
    for schema in torch._C._jit_get_all_schemas():
        name = schema.name.removeprefix("aten::")
        if "::" in name or SKIPPED.search(name) or name in NOT_UNIQUE or "out" in schema.overload_name or any(a.is_out for a in schema.arguments):
            continue
        fit = all(written.match(str(a.real_type)) or a.has_default_value() for a in schema.arguments)
        if fit and schema.arguments and str(schema.arguments[0].type) in ("Tensor", "List[Tensor]") and schema.returns and "Tensor" in str(schema.returns[0].type):
            try:
                torch._C._dispatch_find_schema_or_throw(schema.name, schema.overload_name)
                op = overload(schema.name + ("." + schema.overload_name if schema.overload_name else ""))
            except (AttributeError, RuntimeError):  # TorchScript's alone
                continue
            if torch.Tag.nondeterministic_seeded not in op.tags:
                found.append(schema)
    return found


class Recorder:
    def __init__(self, form, recorded, schemas, seed):
        self.form, self.choice = form, random.Random(f"{form} {seed}")
        steps = [s for line in recorded for s in (line["function"] if "function" in line else line)["steps"]]
        self.steps = {}
        for s in steps:  # each operator as often as another
            self.steps.setdefault(s.get("op", "do"), []).append(s)
        self.names, self.schemas = [n for n in self.steps if n != "do"], schemas

    def numbers(self, size):
        return [self.choice.choice([round(self.choice.gauss(0, 1), 3), self.choice.gauss(0, 1)]) for _ in range(math.prod(size))]

    def random_tensor(self, size):
        return {"size": list(size), "data": self.numbers(size)}

    def variable(self, player, like=None):
        n = len(player.list)
        fit = [i for i in range(n) if like is not None and player.list[i].shape == player.list[like].shape]
        return self.choice.choice(fit) if fit and self.choice.random() < 0.6 else self.choice.choice([self.choice.randrange(n), max(0, n - 1 - self.choice.randrange(3))])

    def list_of_integers(self, player, v):
        size = list(player.list[self.variable(player)].shape)
        dims = list(range(len(size)))
        ways = [v, size, [-1], [2] + size, size[::-1], [1] + size, self.choice.sample(dims, len(dims)), [self.choice.randrange(-2, 3) for _ in range(self.choice.randrange(1, 4))], dims[:1],
                [math.prod(size)]]
        return self.choice.choice(ways)

    def other(self, v, player, places):
        """The argument in another call."""
        if isinstance(v, dict):
            (kind, x), = v.items()
            if kind == "index":
                return v if self.choice.random() < 0.3 else {"index": [self.choice.randrange(3) for _ in range(self.choice.randrange(4))]}
            if x not in places:
                places[x] = self.variable(player, next(iter(places.values()), None))
            return {kind: places[x] if self.choice.random() < 0.9 else self.variable(player, places[x])}
        if isinstance(v, list):
            if v and all(type(x) is int for x in v):
                return v if self.choice.random() < 0.4 else self.list_of_integers(player, v)
            return [self.other(x, player, places) for x in v]
        if isinstance(v, bool):
            return v ^ (self.choice.random() < 0.2)
        if isinstance(v, int) and self.choice.random() < 0.4:
            return self.choice.randrange(-3, 5)
        return self.choice.choice(NUMBERS) if isinstance(v, float) and self.choice.random() < 0.6 else v

    def of_type(self, argument, player, kind):
        if kind.startswith("Optional["):
            return None if self.choice.random() < 0.5 else self.of_type(argument, player, kind[9:-1])
        if kind == "List[Tensor]":
            return [{"v": self.variable(player)} for _ in range(self.choice.randrange(1, 4))]
        if kind.startswith("List["):
            return self.list_of_integers(player, [self.choice.randrange(3)]) if kind == "List[int]" else [self.of_type(argument, player, kind[5:-1]) for _ in range(2)]
        if kind == "Tensor":
            if re.search("index|indices|repeats|sections|target", argument.name) and self.choice.random() < 0.8:
                return {"index": [self.choice.randrange(3) for _ in range(self.choice.randrange(4))]}
            if argument.name in ("mask", "condition") and self.form == "programs":
                return {"cmp": self.variable(player)}
            return {"v": self.variable(player)}
        return {"int": self.choice.randrange(-2, 4), "bool": self.choice.random() < 0.5}.get(kind, self.choice.choice(NUMBERS))

    def drawn(self, player):
        schema, step = self.choice.choice(self.schemas), {"args": [], "kwargs": {}}
        shorter = self.choice.random() < 0.5
        for a in schema.arguments:
            if a.kwarg_only and (shorter or self.choice.random() < 0.5) and a.has_default_value():
                continue
            kind = str(a.real_type)
            if shorter and a.has_default_value() or re.search("Tensor|int|float|number|bool", kind) is None:
                shorter = True
                continue
            if a.kwarg_only:
                step["kwargs"][a.name] = self.of_type(a, player, kind)
            else:
                step["args"].append(self.of_type(a, player, kind))
        return {"op": schema.name + ("." + schema.overload_name if schema.overload_name else ""), "args": step["args"], **({"kwargs": step["kwargs"]} if step["kwargs"] else {})}

    def step(self, player):
        if self.choice.random() < self.drawing:
            step = self.drawn(player)
        else:
            old, places = self.choice.choice(self.steps["do" if self.form == "engine" and self.choice.random() < 0.5 else self.choice.choice(self.names)]), {}
            if "do" in old:
                return self.done(old, player)
            step = {k: self.other(v, player, places) if k == "args" else {n: self.other(x, player, places) for n, x in v.items()} if k == "kwargs" else v
                    for k, v in old.items() if k in ("op", "args", "kwargs")}
        if self.form == "programs" and self.choice.random() < 0.08:
            step["no_grad"] = True
        if self.form == "engine" and self.choice.random() < 0.1:
            step |= self.choice.choice([{"mode": "no_grad"}, {"mode": "inference"}, {"saved": "float32"}, {"saved": "twice"}, {"saved": "twice"}])
        return step

    def done(self, old, player):
        """Another step of the engine."""
        step = {k: v for k, v in old.items() if k not in ("results", "raises", "calls")}
        one = lambda: self.variable(player)
        if "var" in step:
            step["var"] = one()
        if step["do"] == "remove_hook":
            step["hook"] = self.choice.randrange(len(player.hooks) + 1)
        elif "hook" in step:
            step["hook"] = len(player.hooks)
        if "args" in step:
            step["args"] = [{"v": one()} for _ in step["args"]]
        if step["do"] == "checkpoint":
            step["inputs"], segments = [one() for _ in step["inputs"]], list(step["steps"])
            n = len(step["inputs"]) + len(segments)
            for k in range(self.choice.randrange(3)):
                extra = self.choice.choice(["sin", "exp", "tanh", "mul.Tensor", "sigmoid", "cos", "square"])
                segments.append({"op": f"aten::{extra}", "args": [{"v": n + k - 1}] + [{"v": self.choice.randrange(n + k)}] * (extra == "mul.Tensor")})
            total = len(step["inputs"]) + len(segments)
            step |= {"steps": segments, "returns": [max(0, total - 1 - self.choice.randrange(2)) for _ in step["returns"]]}
        if step["do"] in ("backward", "grad"):
            several = step["do"] == "grad"
            of = [one() for _ in range(self.choice.choice([1, 1, 2]))] if several else one()
            step["of"] = of
            if "inputs" in step or several:
                step["inputs"] = [self.choice.choice([one(), self.choice.randrange(min(3, len(player.list)))]) for _ in range(self.choice.choice([1, 1, 2, 3]))]
            gradient = lambda i: self.random_tensor(player.list[i].shape)
            if "gradient" in step or self.choice.random() < 0.3 and not several:
                step["gradient"] = gradient(of)
            if several:
                step.pop("grad_outputs", None)
                if self.choice.random() < 0.7:
                    step["grad_outputs"] = [gradient(i) for i in of]
        return step

    def fit(self, player, before, step):
        """Whether the step goes into the line."""
        if "raises" in step:
            return self.choice.random() < (0.4 if OF_GRADIENTS.search(step["raises"]) else 0.03) and (step.get("do", "") in ("backward", "grad") or player.described() == before)
        numbers = [i for i in step.get("results", []) if i is not None]
        if self.form == "compositions" and step["op"].endswith("_") and numbers and numbers[0] < player.given:
            return False
        if "op" in step and not numbers or any(t.numel() > MOST or t.layout != torch.strided or any(n < 0 for n in t.shape) for t in player.list):
            return False
        if self.form == "compositions":
            return True
        finite = self.form == "engine" or self.choice.random() < 0.9
        return all(t.dtype == torch.float64 and (not finite or bool((t.detach().abs() < LARGEST).all())) for t in player.list)

    def steps_of(self, make, least):
        """Steps one after the other: one that does not fit is tried with all before it gone through anew."""
        player, kept = make(), []
        wanted = self.choice.randrange(least, 4 * least + 2)
        for _ in range(12 * wanted):
            if len(kept) == wanted:
                break
            before = player.described()
            try:
                step = player.run(self.step(player))
                good = self.fit(player, before, step)
            except (LeftOut, AttributeError):
                good = False
            if good:
                kept.append(step)
                if isinstance(player, Program) and player.ended(step):
                    break
            else:
                player = make()
                for s in kept:
                    player.run(s)
        return player, kept

    def straight_line(self, name):
        leaves = [{"dtype": "float64", **self.random_tensor(size), "requires_grad": self.choice.random() < 0.65} for size in self.choice.choices(SIZES, k=self.choice.choice([1, 2, 3]))]
        if self.form == "engine":
            leaves = [{k: v for k, v in e.items() if k != "dtype"} for e in leaves]
        else:
            for e in leaves:
                e |= {"stride": list(torch.empty(e["size"]).stride()), "offset": 0}
        kind = Engine if self.form == "engine" else Program
        player, steps = self.steps_of(lambda: kind(leaves), 4)
        if not steps:
            raise LeftOut
        of = self.variable(player)
        more = {"backward": {"of": of}} if self.form == "programs" and player.described()[of].get("requires_grad", True) else {}
        return player.end({"id": name, "leaves": leaves, "steps": steps, **more})

    def composition(self, name):
        given = [self.random_tensor(size) for size in self.choice.choices(SIZES, k=self.choice.choice([1, 1, 2, 2, 3, 4]))]
        inputs = self.choice.randrange(1, len(given) + 1)

        def make():
            player = Function([tensor(e) for e in given])
            player.given = len(given)
            return player
        player, steps = self.steps_of(make, 1)
        steps = [s for s in steps if "raises" not in s]
        returned = [i for i, t in enumerate(player.list) if t.dtype == torch.float64 and (i >= len(given) or self.choice.random() < 0.05)]
        if not returned:
            raise LeftOut
        returns = sorted({returned[-1 - min(len(returned) - 1, self.choice.randrange(3))] for _ in range(self.choice.choice([1, 1, 2, 3]))}, reverse=self.choice.random() < 0.3)
        line = {"id": name, "function": {"inputs": inputs, "steps": steps, "returns": returns}, "constants": given[inputs:], "transforms": []}
        args = [tensor(e) for e in given[:inputs]]
        new = lambda t: torch.tensor(self.numbers(t.shape), dtype=torch.float64).reshape(t.shape)
        for _ in range(self.choice.choice([1, 1, 2, 2, 3, 4])):
            ys = list(composed(line, OneWay()))[-1](*args)
            if not all(torch.isfinite(y).all() for y in ys):
                raise LeftOut
            kind = self.choice.choice(["grad", "vjp", "jvp", "jacrev", "jacfwd", "hessian", "vmap", "vmap", "vmap"])
            if sum(y.numel() for y in ys) * max(a.numel() for a in args) > 20 * MOST and kind in ("jacrev", "jacfwd", "hessian"):
                continue
            if kind == "grad" and (len(ys) > 1 or ys[0].dim()):
                line["transforms"].append({"transform": "sum"})
            t = {"transform": kind}
            if kind == "grad":
                t["argnums"] = sorted(self.choice.sample(range(len(args)), self.choice.randrange(1, len(args) + 1)))
            elif kind == "vjp":
                t["inputs"] = len(args)
                args += map(new, ys)
            elif kind == "jvp":
                args += list(map(new, args))
            elif kind != "vmap":
                t["argnum"] = self.choice.randrange(len(args))
            else:
                dims = [self.choice.randrange(-a.dim() - 1, a.dim() + 1) if self.choice.random() < 0.65 else None for a in args]
                if all(d is None for d in dims):
                    dims[0] = 0
                size = self.choice.choice([1, 2, 3])
                args = [a if d is None else torch.stack([a] + [a * (0.5 + self.choice.random()) for _ in range(size - 1)], d) for a, d in zip(args, dims)]
                t |= {"in_dims": dims, "out_dims": [self.choice.choice([0, 0, self.choice.randrange(-y.dim() - 1, y.dim() + 1)]) for y in ys]}
            line["transforms"].append(t)
        line["args"] = list(map(inline, args))
        out = list(composed(line, OneWay()))[-1](*args)
        second = list(composed(line, SecondWay()))[-1](*args)
        close = lambda a, b: a.shape == b.shape and bool(((a - b).abs() <= 1e-8 + 1e-8 * b.abs()).all()) and bool((a.abs() < LARGEST).all())
        if len(out) != len(second) or not all(map(close, out, second)) or sum(y.numel() for y in out) > 10 * MOST or any(y.dtype != torch.float64 for y in out):
            raise LeftOut
        return {**line, "out": list(map(inline, out))}

    def line(self, name):
        self.drawing = self.choice.choice([0, 0.25])
        line = (self.composition if self.form == "compositions" else self.straight_line)(name)
        text = json.dumps(line)
        if json.dumps(replayed(json.loads(text))) != text or "NaN" in text or "Infinity" in text:
            raise LeftOut
        return text


def late(*_):
    raise LeftOut


def main(folder, out, seed=1, lines=1000, *forms):
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    files = {"programs": "programs.jsonl", "engine": "transforms/engine.jsonl", "compositions": "transforms/compositions.jsonl"}
    schemas = by_schema()
    for form in forms or files:
        recorded = list(map(json.loads, (pathlib.Path(folder) / files[form]).read_text().splitlines()))
        other = [line["id"] for line in recorded if not same(line, replayed(line))]
        print(f"{form}: {len(recorded)} recorded, {len(other)} answered otherwise now", *other[:20], flush=True)
        path = pathlib.Path(out) / files[form]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        for part in itertools.count():
            written = len(path.read_text().splitlines())
            if written >= int(lines) or part > int(lines):
                break

            def record_part():
                signal.signal(signal.SIGALRM, late)
                recorder = Recorder(form, recorded, schemas, f"{seed} {part}")
                with path.open("a") as file:
                    for number in range(100 * part, 100 * part + min(100, int(lines) - written)):
                        signal.alarm(4)  # Jacobians of Jacobians by loops
                        try:
                            print(recorder.line(f"{form}/{seed}/{number}"), file=file, flush=True)
                        except Exception:  # PyTorch refuses it, or it is left out
                            pass

            in_process(f"{form}, part {part}", record_part)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
