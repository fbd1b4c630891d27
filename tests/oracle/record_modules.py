"""Records what PyTorch answers to layers and functions that nobody has recorded yet: each is a recorded line with other seeds, numbers, strides,
sizes, dtypes, options or keywords, or with train flipped; options and keywords are crossed among the lines of one layer.
Usage: record_modules.py RECORDED OUT [SEED [NAME...]], by an interpreter that has torch and safetensors. RECORDED is the folder of `modules.jsonl`
and `functional.jsonl`, OUT gets `modules/NAME.*` and `functional/NAME.*`, in the form of the recorded lines, errors included; NAME is that of a
layer or a function. With SEED `same` the lines are the recorded ones, asked again. What PyTorch answers otherwise a second time is left out, and so is
what its own answer in float64 lies far from. What then fails is to be judged by eye, as with record.py."""
import json
import math
import pathlib
import sys

import torch
from record import LeftOut, Record, Recorder, change, equal, has_slope, in_process, load, tensors_of
from safetensors.torch import load_file

EACH = 2  # lines made of each recorded one
TRIES = 8
RAISING = 0.25  # of the calls that PyTorch refuses, these are kept
FAR = 30.0  # tolerances between PyTorch's answer and that in float64: an ill-conditioned call
TOLERANCES = {torch.float32: (1.3e-6, 1e-5), torch.float16: (1e-3, 1e-5), torch.bfloat16: (1.6e-2, 1e-5)}
PLACES = ("MaxUnpool",)  # their integers name places, each once
KEYS = ("options", "inputs", "kwargs")


class Refused(Exception):
    """PyTorch's own error, and whether it was raised at `construct` or `forward`."""

    def __init__(self, at, error):
        super().__init__(str(error))
        self.at = at


def refused(at, error):
    return LeftOut() if "missing" in str(error) or "multiple values" in str(error) else Refused(at, error)  # what C++ cannot leave out either


def loaded(v, data):
    """As `load`, also options that are layers."""
    if isinstance(v, list):
        return [loaded(x, data) for x in v]
    if isinstance(v, dict) and "module" in v:
        return {"module": v["module"], "options": {k: loaded(x, data) for k, x in v["options"].items()}}
    return load(v, data)


def built(name, options):
    def part(v):
        if isinstance(v, list):
            return tuple(map(part, v))
        return built(v["module"], v["options"]) if isinstance(v, dict) else v
    parts = {k: part(v) for k, v in change(options, torch.clone).items()}
    return getattr(torch.nn, name)(*parts.pop("modules", ()), **parts)


def cast(v, to):
    return change(v, lambda t: t.to(to) if t.dtype.is_floating_point else t)


def seed_of(call, name):
    return torch.manual_seed(call.get(name) or 0)


class Answer:
    """One run of a call: outputs, changed state and gradients."""

    def __init__(self, call, cotangents=None, wide=False):
        copied = cast({k: call[k] for k in KEYS}, torch.float64) if wide else change({k: call[k] for k in KEYS}, keeping_strides)
        self.leaves = [t.requires_grad_(asks) for t, asks in zip(tensors_of(copied["inputs"]), call["asks"])]
        self.module = self.constructed(call, wide) if "module" in call else None
        seed_of(call, "forward_seed")
        before = torch.get_rng_state()
        try:
            self.outputs = self.forward(call, copied)
        except LeftOut:
            raise
        except Exception as e:
            raise refused("forward", e) from e
        self.random = not torch.equal(before, torch.get_rng_state())
        self.after = {} if self.module is None else {k: t.clone() for k, t in self.module.state_dict().items() if not equal([t], [self.state[k]])}
        self.cotangents = cotangents and [c if c is None else c.to(x.dtype) for c, x in zip(cotangents, self.outputs)]

    def constructed(self, call, wide):
        seed_of(call, "init_seed")
        try:
            module = built(call["module"], call["options"])
        except Exception as e:
            raise refused("construct", e) from e
        self.initial = {k: t.clone() for k, t in module.state_dict().items()}
        module.to(call["dtype"])
        if call["state"] is None and call["numbers"]:
            call["state"] = {k: call["numbers"](t) for k, t in module.state_dict().items()}
        if call["state"]:
            module.load_state_dict(call["state"])
        module.to(torch.float64 if wide else call["dtype"]).train(call["train"])
        self.state = {k: t.clone() for k, t in module.state_dict().items()}
        return module

    def forward(self, call, copied):
        inputs = [tuple(x) if isinstance(x, list) else x for x in copied["inputs"]]
        if self.module is None:
            return [getattr(torch.nn.functional, call["call"])(*inputs, **copied["options"])]
        inplace, packed = call["options"].get("inplace", False), call.get("packed")
        if inplace:
            inputs[0] = inputs[0].clone()
        if packed:
            first = call["options"].get("batch_first", False)
            if inputs[0].dim() > 1 and len(packed["lengths"]) != inputs[0].shape[0 if first else 1]:
                raise LeftOut  # PyTorch reads behind its memory
            inputs[0] = torch.nn.utils.rnn.pack_padded_sequence(inputs[0], packed["lengths"], first, packed.get("enforce_sorted", True))
        result = self.module(*inputs, **copied["kwargs"])
        outputs = []

        def flatten(v):
            if isinstance(v, torch.nn.utils.rnn.PackedSequence):
                v = torch.nn.utils.rnn.pad_packed_sequence(v, first)[0]
            for x in v if isinstance(v, tuple) else [v]:
                flatten(x) if isinstance(x, tuple) else outputs.append(x)
        flatten(result)
        if inplace and outputs[0] is not inputs[0]:
            raise LeftOut
        return outputs

    def backward(self, normal):
        if self.cotangents is None:
            self.cotangents = [normal(x) if x is not None and x.requires_grad else None for x in self.outputs]
        roots = [(x, c) for x, c in zip(self.outputs, self.cotangents) if c is not None]
        if roots:
            torch.autograd.backward(*map(list, zip(*roots)))
        self.grads = {} if self.module is None else {k: p.grad for k, p in self.module.named_parameters()}
        self.input_grads = [t.grad for t in self.leaves]
        return self

    def tensors(self):
        return [t for t in [*self.outputs, *self.after.values(), *self.grads.values(), *self.input_grads] if t is not None]


def keeping_strides(t):
    return torch.as_strided(t.new_empty(0).set_(t.untyped_storage().clone()), t.shape, t.stride(), t.storage_offset()) if t.numel() else t.clone()


def distance(narrow, wide):
    """How many tolerances lie between an answer and the same in float64."""
    far = 0.0
    for a, b in zip(narrow.tensors(), wide.tensors()):
        relative, absolute = TOLERANCES.get(a.dtype, (math.inf, math.inf))
        a, b = a.double(), b.double()
        both = torch.isfinite(a) & torch.isfinite(b)
        if both.any() and math.isfinite(relative):
            far = max(far, ((a - b).abs() / (absolute + relative * b.abs()))[both].max().item())
    return far


class LayerRecorder(Recorder):
    # ---- other calls

    def neighbour(self, v):
        if isinstance(v, bool):
            return not v
        if isinstance(v, int):
            return v + self.choice.choice([-1, 1, 1, 2])
        if isinstance(v, float):
            return v * self.choice.choice([0.0, 0.5, 2.0, -1.0])
        if isinstance(v, list) and v:
            i = self.choice.randrange(len(v))
            return v[:i] + [self.neighbour(v[i])] + v[i + 1:]
        if isinstance(v, dict):
            return {**v, "options": self.crossed(v["options"], [])}
        return v

    def crossed(self, options, others):
        """One of them as in another call, or a neighbour, or left out."""
        other, way = self.choice.choice(others) if others else options, self.choice.random()
        name = self.choice.choice(sorted({*options, *other}) or [None])
        if name in (None, "modules"):  # those of a Sequential
            return options
        if way < 0.15:
            return {k: v for k, v in options.items() if k != name}
        if way < 0.7 and name in other:
            return {**options, name: other[name]}
        return {**options, name: self.neighbour(options[name])} if name in options else options

    def strided(self, t):
        if t.dim() in (4, 5) and self.choice.random() < 0.4:
            return t.contiguous(memory_format=torch.channels_last if t.dim() == 4 else torch.channels_last_3d)
        return super().strided(t)

    def numbers(self, t, special=False):
        ascending = not has_slope(t) and t.dtype != torch.bool and bool((t.flatten().diff() >= 0).all())  # offsets
        return t if ascending else super().numbers(t, special)

    def changed(self, call, others):
        call = dict(call)
        name = call.get("module", call.get("call"))
        fixed, special = name.startswith(PLACES), False
        call["init_seed"], call["forward_seed"] = (self.choice.randrange(2**31) for _ in range(2))
        ways = self.choice.choices(["numbers", "strides", "sizes", "unbatched", "dtypes", "train", "options", "kwargs", "inputs", "special"],
                                   [1, 2, 3, 0.7, 1, 1, 5, 1, 2, 0.3], k=self.choice.choice([1, 1, 2, 3]))
        for way in ways:
            parts = {k: call[k] for k in ("inputs", "kwargs")}
            if way == "sizes" and not fixed:
                call.update(self.sized(parts))
            elif way == "unbatched":
                d, more = self.choice.randrange(2), self.choice.random() < 0.3
                call["inputs"] = change(call["inputs"], lambda t: t.unsqueeze(0) if more else t.select(d, 0) if t.dim() > d and t.shape[d] else t)
                call.pop("packed", None)
            elif way == "dtypes":
                call["dtype"] = self.choice.choice([torch.float32, torch.float64, torch.bfloat16, torch.float16])
                call.update(cast(parts, call["dtype"]))
                if "call" in call:
                    call["options"] = cast(call["options"], call["dtype"])
            elif way == "train":
                call["train"] = not call.get("train", False)
            elif way in ("options", "kwargs"):
                call[way] = self.crossed(call[way], [o[way] for o in others])
            elif way == "inputs":
                other = self.choice.choice(others)
                call.update(inputs=cast(other["inputs"], call["dtype"]), asks=other["asks"], packed=other.get("packed"))
            special = special or way == "special"
        if not fixed:
            call.update({k: change(call[k], lambda t: self.numbers(t, special)) for k in ("inputs", "kwargs")})
        else:
            call["inputs"] = change(call["inputs"], lambda t: self.numbers(t) if has_slope(t) else t)
        if name == "EmbeddingBag":  # ascending from zero
            call["inputs"] = [t.sort()[0] - t.min() if i == 1 and t is not None and t.dim() == 1 and t.numel() else t for i, t in enumerate(call["inputs"])]
        if "strides" in ways:
            call["inputs"] = change(call["inputs"], self.strided)
        if "module" in call:
            call["state"] = None
            call["numbers"] = self.choice.random() < 0.8 and self.numbers  # of the state
        return call, "+".join(dict.fromkeys(ways))

    # ---- their lines

    def line(self, call, ident, record):
        line = {"id": ident, **{k: call[k] for k in ("module", "call") if k in call}}
        if "module" in call:
            line["dtype"] = str(call["dtype"]).removeprefix("torch.")
        line.update(options=record.value(call["options"]), inputs=record.value(call["inputs"]))
        if call["kwargs"]:
            line["kwargs"] = record.value(call["kwargs"])
        if call.get("packed"):
            line["packed"] = call["packed"]
        if "module" in call:
            line["train"] = call["train"]
        return line

    def refuse(self, call, ident, error, record):
        if "module" in call and error.at == "forward" and call["dtype"] != torch.float32:
            raise LeftOut  # such a line is never converted
        line = self.line(call, ident, record)
        line["raises"] = str(error)
        if "module" in call:
            line["raises_at"] = error.at
        record.lines.append(line)

    def answer(self, call, ident, record):
        answer = Answer(call, call.get("cotangents")).backward(self.normal)
        again = Answer(call, answer.cotangents).backward(None)
        if not equal(answer.tensors(), again.tensors()) or any(t.isnan().any() for t in answer.after.values()):
            raise LeftOut
        gradients = [*answer.input_grads, *answer.grads.values()]
        if any(c is not None for c in answer.cotangents) and all(g is None for g in gradients):
            raise LeftOut  # the line could not tell that there is a graph
        far = distance(answer, Answer(call, answer.cotangents, True).backward(None))
        if answer.random and far > FAR:  # other numbers were drawn
            far = 0.0
        if far > (FAR if "module" in call else 0.5):
            raise LeftOut
        line, plain = self.line(call, ident, record), record.plain
        grads = [plain(g) for g in answer.input_grads]
        for i, x in enumerate(call["inputs"]):
            if x is None:  # counts as an input without a gradient
                grads.insert(len(tensors_of(call["inputs"][:i])), None)
        if "call" in call:
            line["output"] = plain(answer.outputs[0])
            if answer.cotangents[0] is not None:
                line.update(cotangent=plain(answer.cotangents[0]), input_grads=grads)
        else:
            named = lambda tensors: {k: plain(t) for k, t in tensors.items()}
            line.update(init_seed=call["init_seed"], state_names_in_order=list(answer.initial), initial=named(answer.initial), state=named(answer.state),
                        output=[plain(x) for x in answer.outputs], cotangents=[plain(c) for c in answer.cotangents], grads=named(answer.grads), input_grads=grads)
            if answer.after:
                line["state_after"] = named(answer.after)
            if answer.random:
                line["forward_seed"] = call["forward_seed"]
            if far > 0.3:
                line["loosen"] = math.ceil(3 * far)
        record.lines.append(line)


def call_of(line, data):
    """The recorded call, its tensors loaded."""
    call = {k: line[k] for k in ("module", "call", "init_seed", "forward_seed", "train", "packed") if k in line}
    call.update({k: {n: loaded(v, data) for n, v in line.get(k, {}).items()} for k in ("options", "kwargs")}, inputs=loaded(line["inputs"], data))
    dtypes = [t.dtype for t in tensors_of(call["inputs"]) if has_slope(t)]
    call["dtype"] = getattr(torch, line["dtype"]) if "dtype" in line else (dtypes or [torch.float32])[0]
    of_none = [i for i, x in enumerate(line["inputs"]) if x is None]  # few lines have any, and then no lists
    call["asks"] = [g is not None for i, g in enumerate(line.get("input_grads", [])) if i not in of_none]
    call["asks"] += [False] * (len(tensors_of(call["inputs"])) - len(call["asks"]))
    call["state"] = {k: load(v, data) for k, v in line.get("state", {}).items()}
    cotangents = line.get("cotangents", [line.get("cotangent")])
    call["cotangents"] = None if "raises" in line else [None if c is None else load(c, data) for c in cotangents]
    return call


def record_name(name, lines, data, seed, path):
    recorder, record, calls = LayerRecorder(seed, name), Record(), [call_of(line, data) for line in lines]
    for line, call in zip(lines, calls):
        for _ in range(1 if seed == "same" else EACH):
            for _ in range(TRIES):
                ident, changed = line["id"], call
                try:
                    if seed != "same":
                        changed, ways = recorder.changed({**call, "cotangents": None}, calls)
                        ident = f"{line['id']}/{ways}{seed}/{len(record.lines)}"
                    recorder.answer(changed, ident, record)
                    break
                except Refused as e:
                    if seed == "same" or recorder.choice.random() < RAISING and "special" not in ident:
                        try:
                            recorder.refuse(changed, ident, e, record)
                            break
                        except LeftOut:
                            pass
                except Exception:  # no gradient, or left out
                    pass
    record.save(path)


def main(folder, out, seed="1", *names):
    for file, key in ("modules", "module"), ("functional", "call"):
        path, by_name = pathlib.Path(folder, f"{file}.jsonl"), {}
        for line in map(json.loads, path.read_text().splitlines()):
            by_name.setdefault(line[key], []).append(line)
        data = load_file(path.with_suffix(".safetensors"))
        for name, lines in by_name.items():
            if names and name not in names:
                continue
            in_process(name, lambda: record_name(name, lines, data, seed, pathlib.Path(out, file, name)))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
