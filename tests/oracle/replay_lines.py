"""What PyTorch answers to a line of `programs.jsonl`, `engine.jsonl` or `compositions.jsonl`, whose forms README.md tells: `replayed(line)`. A player
has the variables of a program and runs its steps; OneWay makes functions of functions by torch.func, SecondWay by loops and reverse mode alone."""
import math
import re

import torch
import torch.func
from torch.utils.checkpoint import checkpoint

from record import LeftOut, flat

LARGEST = 1e6  # a number
# Of a backward pass: what it says before anything runs.
BEFORE_THE_GRAPH = re.compile("can be implicitly created|element \\d+ of tensors|differentiated Tensor|Mismatch in shape|does not require grad")


def inline(t):
    return {"size": list(t.shape), "data": [x if not isinstance(x, float) or math.isfinite(x) else str(x) for x in t.detach().flatten().tolist()]}


def tensor(e):
    return torch.tensor([float(x) for x in e["data"]], dtype=torch.float64).reshape(e["size"]).clone()


def overload(name):
    space, name = name.split("::")
    name, _, rest = name.partition(".")
    return getattr(getattr(getattr(torch.ops, space), name), rest or "default")


class Variables:
    """Tensors by number; runs steps and writes down what came of them."""

    def __init__(self, leaves):
        self.list = leaves

    def value(self, v):
        if isinstance(v, list):
            return [self.value(x) for x in v]
        if not isinstance(v, dict):
            return v
        (kind, x), = v.items()
        if kind == "index":
            return torch.tensor(x, dtype=torch.int64)
        t = self.list[x]
        return t if kind == "v" else t.detach() > 0 if kind == "cmp" else -t.detach()

    def call(self, step):
        args, kwargs = self.value(step["args"]), {k: self.value(v) for k, v in step.get("kwargs", {}).items()}
        return [x for x in flat([overload(step["op"])(*args, **kwargs)]) if isinstance(x, torch.Tensor)]

    def run(self, step):
        """The step with its results."""
        step = {k: v for k, v in step.items() if k not in ("results", "raises", "calls")}
        try:
            got = self.act(step)
        except (RuntimeError, ValueError, IndexError, TypeError, NotImplementedError) as e:
            return {**self.noted(step), "raises": str(e).split("\n")[0][:160]}
        numbers = []
        for t in got or []:
            place = next((i for i, x in enumerate(self.list) if x is t), len(self.list))
            if t is not None and place == len(self.list):
                self.list.append(t)
            numbers.append(None if t is None else place)
        return self.noted(step) if got is None else {**self.noted(step), "results": numbers}

    def act(self, step):
        return self.call(step)

    def noted(self, step):
        return step

    def described(self):
        return [inline(t) for t in self.list]


class Function(Variables):
    """The function of a composition."""

    def act(self, step):
        counts = [t._version for t in self.list[:self.given]]
        got = self.call(step)
        if counts != [t._version for t in self.list[:self.given]]:
            raise LeftOut
        return got


class Program(Variables):
    """Views, in-place writes and gradients."""

    def __init__(self, leaves):
        super().__init__([tensor(x).requires_grad_(x["requires_grad"]) for x in leaves])

    def act(self, step):
        with torch.set_grad_enabled(not step.get("no_grad")):
            return self.call(step)

    def described(self):
        return [self.of_one(t) for t in self.list]

    def placed(self, t):
        return {"dtype": str(t.dtype).removeprefix("torch."), "size": list(t.shape), "stride": list(t.stride()), "offset": t.storage_offset(), "data": inline(t)["data"]}

    def of_one(self, t):
        e = {**self.placed(t), "version": t._version, "is_view": t._is_view()}
        try:
            node = t.grad_fn
        except RuntimeError as error:
            return {**e, "raises": str(error)[:160]}
        return {**e, "requires_grad": t.requires_grad, "is_leaf": t.is_leaf, "node": node and node.name()}

    def end(self, line):
        line["variables"] = self.described()
        leaves = [i for i, e in enumerate(line["variables"]) if e.get("requires_grad") and e["is_leaf"]]
        if "backward" in line:
            of = line["backward"]["of"]
            try:
                grads = torch.autograd.grad(torch.sum(self.list[of]), [self.list[i] for i in leaves], allow_unused=True)
                line["backward"] = {"of": of, "leaves": leaves, "grads": [g if g is None else self.placed(g) for g in grads]}
            except RuntimeError as error:
                line["backward"] = {"of": of, "raises": str(error)[:160]}
        return line

    def ended(self, step):
        return False


def function(forward, backward):
    return type("Function", (torch.autograd.Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)})


def keeping(f):
    def forward(ctx, x, *rest):
        ctx.a, ctx.b = rest[-2:]
        return f(ctx, x, *rest)
    return forward


def dirty(ctx, x, a, b):
    x.mul_(a)
    ctx.mark_dirty(x)
    return x


def with_sign(ctx, x, a, b):
    sign = torch.sign(x)
    ctx.mark_non_differentiable(sign)
    return x * a, sign


def product(ctx, x, y, a, b):
    ctx.save_for_backward(y)
    return x * y * a


FUNCTIONS = {
    "scale": function(keeping(lambda ctx, x, a, b: x * a), lambda ctx, g: (g * ctx.b, None, None)),
    "scale_dirty": function(keeping(dirty), lambda ctx, g: (g * ctx.b, None, None)),
    "non_differentiable": function(keeping(with_sign), lambda ctx, g, _: (g * ctx.b, None, None)),
    "none_grad": function(keeping(product), lambda ctx, g: (g * ctx.saved_tensors[0] * ctx.b, None, None, None)),
    "two": function(keeping(lambda ctx, x, a, b: (x * a, x * b)), lambda ctx, g, h: (g * ctx.a + h * ctx.b, None, None)),
}
SAVED = {"float32": (lambda t: t.float(), lambda t: t.double()), "twice": (lambda t: t, lambda t: t * 2)}


class Engine(Program):
    """Hooks, functions, checkpoints and the options of backward passes."""

    def __init__(self, leaves):
        super().__init__(leaves)
        self.hooks, self.calls, self.runs = {}, [], []

    def act(self, step):
        self.calls = []
        if "do" in step:
            return getattr(self, step["do"])(step)
        with (torch.no_grad if step.get("mode") == "no_grad" else lambda: torch.inference_mode(step.get("mode") == "inference"))() if "mode" in step else torch.enable_grad():
            if "saved" not in step:
                return self.call(step)
            with torch.autograd.graph.saved_tensors_hooks(*SAVED[step["saved"]]):
                return self.call(step)

    def noted(self, step):
        return {**step, "calls": self.calls} if step.get("do") in ("backward", "grad") else step

    def var(self, step):
        return self.list[step["var"]]

    def register_hook(self, step):
        size, kind, number = self.var(step).shape, step["kind"], step["hook"]

        def hook(grad):
            self.calls.append(number)
            return torch.zeros(size, dtype=torch.float64) if kind == "zeros" else grad * step["by"] if kind == "scale" and grad is not None else None
        self.hooks[number] = self.var(step).register_hook(hook)

    def register_post_accumulate_grad_hook(self, step):
        self.hooks[step["hook"]] = self.var(step).register_post_accumulate_grad_hook(lambda _: self.calls.append(step["hook"]))

    def register_node_hook(self, step):
        node = self.var(step).grad_fn
        if node is None:
            raise RuntimeError("the variable has no gradient function")
        self.hooks[step["hook"]] = (node.register_prehook if step["pre"] else node.register_hook)(lambda *_: self.calls.append(step["hook"]))

    def remove_hook(self, step):
        if step["hook"] not in self.hooks:
            raise LeftOut
        self.hooks[step["hook"]].remove()

    def retain_grad(self, step):
        self.var(step).retain_grad()

    def requires_grad_(self, step):
        self.var(step).requires_grad_(step["value"])

    def zero_grad(self, step):
        t = self.var(step)
        if t.grad is not None and step["set_to_none"]:
            t.grad = None
        elif t.grad is not None:
            t.grad.detach_() if t.grad.grad_fn is not None else t.grad.requires_grad_(False)
            t.grad.zero_()

    def grad_of(self, step):
        return [self.var(step).grad]

    def backward(self, step):
        inputs = [self.list[i] for i in step["inputs"]] if "inputs" in step else None
        torch.autograd.backward(self.list[step["of"]], tensor(step["gradient"]) if "gradient" in step else None, step.get("retain_graph"), step.get("create_graph", False), inputs=inputs)

    def grad(self, step):
        outputs = [e and tensor(e) for e in step["grad_outputs"]] if "grad_outputs" in step else None
        return list(torch.autograd.grad([self.list[i] for i in step["of"]], [self.list[i] for i in step["inputs"]], outputs, step.get("retain_graph"),
                                        step.get("create_graph", False), allow_unused=step.get("allow_unused", False)))

    def function(self, step):
        return flat([FUNCTIONS[step["kind"]].apply(*self.value(step["args"]), step["a"], step["b"])])

    def checkpoint(self, step):
        number = len(self.runs)
        self.runs.append(0)

        def segment(*inputs):
            self.runs[number] += 1
            own = Variables(list(inputs))
            for s in step["steps"]:
                own.list.append(own.call(s)[0])
                if not bool((own.list[-1].detach().abs() < LARGEST).all()):
                    raise LeftOut
            return tuple(own.list[i] for i in step["returns"])
        return list(checkpoint(segment, *(self.list[i] for i in step["inputs"]), use_reentrant=False))

    def of_one(self, t):
        grad = t.grad
        return {**inline(t), "requires_grad": t.requires_grad, "is_leaf": t.is_leaf, "grad": grad if grad is None else {**inline(grad), "requires_grad": grad.requires_grad}}

    def end(self, line):
        return {**line, "variables": self.described(), "checkpoint_runs": self.runs}

    def ended(self, step):
        return step.get("do") in ("backward", "grad") and not BEFORE_THE_GRAPH.search(step.get("raises", "differentiated Tensor"))


def composed(line, way):
    """The composition's function, and after each transform the function that it makes."""
    program, constants = line["function"], [tensor(c) for c in line["constants"]]

    def f(*xs):
        own = Variables([*xs, *constants])
        for step in program["steps"]:
            for number, t in zip(step["results"], own.call(step)):
                own.list[number:number + 1] = [t]
        return tuple(own.list[i] for i in program["returns"])
    yield f
    for t in line["transforms"]:
        f = getattr(way, t["transform"])(f, t)
        yield f


class OneWay:
    def sum(self, f, t):
        return lambda *xs: (sum(torch.sum(y) for y in f(*xs)),)

    def grad(self, f, t):
        return torch.func.grad(lambda *xs: f(*xs)[0], tuple(t["argnums"]))

    def vjp(self, f, t):
        return lambda *xs: torch.func.vjp(f, *xs[:t["inputs"]])[1](tuple(xs[t["inputs"]:]))

    def jvp(self, f, t):
        return lambda *xs: sum(torch.func.jvp(f, xs[:len(xs) // 2], xs[len(xs) // 2:]), ())

    def jacrev(self, f, t):
        return torch.func.jacrev(f, t["argnum"])

    def jacfwd(self, f, t):
        return torch.func.jacfwd(f, t["argnum"])

    def hessian(self, f, t):
        return torch.func.hessian(f, t["argnum"])

    def vmap(self, f, t):
        return torch.func.vmap(f, tuple(t["in_dims"]), tuple(t["out_dims"]))


class SecondWay(OneWay):
    def jvp(self, f, t):
        def of_both(*xs):
            xs, tangents = xs[:len(xs) // 2], xs[len(xs) // 2:]
            ys, back = torch.func.vjp(f, *xs)
            return ys + torch.func.vjp(back, tuple(map(torch.zeros_like, ys)))[1](tangents)[0]
        return of_both

    def jacrev(self, f, t):
        def jacobian(*xs):
            ys, back = torch.func.vjp(f, *xs)
            x, out = xs[t["argnum"]], []
            for k, y in enumerate(ys):
                units = torch.eye(y.numel(), dtype=y.dtype).reshape(y.numel(), *y.shape)
                rows = [back(tuple(u if i == k else torch.zeros_like(z) for i, z in enumerate(ys)))[t["argnum"]] for u in units]
                out.append(torch.stack(rows).reshape(y.shape + x.shape) if rows else y.new_zeros(y.shape + x.shape))
            return tuple(out)
        return jacobian

    jacfwd = jacrev

    def hessian(self, f, t):
        return self.jacrev(self.jacrev(f, t), t)

    def vmap(self, f, t):
        def loop(*xs):
            size = next(x.shape[d] for x, d in zip(xs, t["in_dims"]) if d is not None)
            each = [f(*(x if d is None else x.select(d, i) for x, d in zip(xs, t["in_dims"]))) for i in range(size)]
            return tuple(torch.stack(ys, d) for ys, d in zip(zip(*each), t["out_dims"]))
        return loop


def replayed(line):
    """What PyTorch answers to a line now."""
    if "transforms" in line:
        args = [tensor(a) for a in line["args"]]
        return {**line, "out": [inline(y) for y in list(composed(line, OneWay()))[-1](*args)]}
    player = (Engine if "checkpoint_runs" in line else Program)(line["leaves"])
    again = {k: v for k, v in line.items() if k not in ("variables", "checkpoint_runs")}
    again["steps"] = [player.run(step) for step in line["steps"]]
    return player.end(again)


def same(a, b):
    """Equal lines, but for the last bits of numbers and the texts of errors."""
    if isinstance(a, dict) and isinstance(b, dict):
        return all(k in a and k in b and (k == "raises" or same(a[k], b[k])) for k in {*a, *b})
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) if isinstance(a, float) and isinstance(b, (float, int)) else a == b
