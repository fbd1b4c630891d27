"""What record_streams.py shares between its forms of recorded answers: a recorded line as a tree with tensors, choices that a seed determines, PyTorch asked twice."""
import json

import torch

from record import LeftOut, Record, Recorder, change, copied, equal, load

# What a line says beside its question.
ANSWERS = {"out", "alias", "cotangent", "grad", "after", "value_grad", "raises", "output", "input_grads", "loosen", "losses", "final", "norms", "tolerance", "lr", "momentum"}


def live(v, data):
    """A recorded tree with tensors and numbers where it describes them."""
    if isinstance(v, list):
        return [live(x, data) for x in v]
    if not isinstance(v, dict):
        return v
    return load(v, data) if "t" in v or len(v) == 1 and isinstance(v.get("f", v.get("dtype")), str) else {k: live(x, data) for k, x in v.items()}


def question(line):
    return {k: [question(x) for x in v] if k == "calls" else v for k, v in line.items() if k not in ANSWERS}


def same(a, b):
    return equal(a, b) and json.dumps(Record().value(a)) == json.dumps(Record().value(b))


class Form(Recorder):
    """Fresh questions of one form (`fresh`), and PyTorch's answers (`answers`, which raises what PyTorch raises)."""
    times, refusals = 6, True  # lines for each recorded one; whether a line can say that PyTorch refuses it

    def __init__(self, seed, name, lines, folder):
        super().__init__(seed, name)
        self.lines, self.folder = lines, folder

    def some(self, probability):
        return self.choice.random() < probability

    def tensor(self, dtype, shape):
        if dtype.is_floating_point or dtype.is_complex:
            t = self.normal(torch.empty(shape, dtype=dtype))
        else:
            t = torch.randint(*((0, 2) if dtype == torch.bool else (-5, 9)), shape, generator=self.generator).to(dtype)
        return self.any_strides(t)

    def any_strides(self, t):
        t = self.strided(t) if self.some(0.3) else t
        return t.clone(memory_format=torch.contiguous_format) if t.is_contiguous() else t  # a line cannot tell the other strides of one element

    def scaled(self, v):
        if isinstance(v, bool) or not isinstance(v, (int, float)) or self.some(0.3):
            return v
        return round(v * self.choice.uniform(0.6, 1.3), 4) if isinstance(v, float) else v + self.choice.randint(-1, 1) if 1 < v < 1000 else v

    def crossed(self, lists):
        """Options, each of one of the given ones or left out as often as there."""
        picked = {k: self.choice.choice(lists) for k in sorted({k for options in lists for k in options})}
        return {k: self.scaled(options[k]) for k, options in picked.items() if k in options}

    def answered(self, line):
        state, answers = self.choice.randrange(2**31), []
        for _ in range(2):
            self.generator.manual_seed(state)
            try:
                answers.append(self.answers(change(line, copied)))
            except LeftOut:
                raise
            except Exception as e:  # what PyTorch refuses
                answers.append({"raises": str(e) or type(e).__name__})
        if not same(*answers) or "raises" in answers[0] and not self.refusals:
            raise LeftOut
        return {**line, **answers[0]}
