"""Fresh training runs and schedules of learning rates for record_streams.py: options crossed among the recorded ones of the same name, and what PyTorch makes of them."""
import math

import torch

from record import DTYPES, LeftOut, change, tensors_of
from record_form import Form


class Optim(Form):
    times, refusals = 3, False

    def __init__(self, *given):
        super().__init__(*given)
        rows = [[float(x) for x in row.split(",")] for row in (self.folder / "../../data/digits.csv").read_text().splitlines()[:640]]
        self.pixels, self.classes = torch.tensor([r[:64] for r in rows], dtype=torch.float64) / 16, torch.tensor([int(r[64]) for r in rows])

    def fresh(self):
        c = self.choice
        own = c.choice(self.lines)
        name, tame = own["optimizer"], [k for k in self.lines if k["optimizer"] not in ("Muon", "LBFGS")]
        base = own if name in ("Muon", "LBFGS") else c.choice(tame)
        line = {k: base[k] for k in ("problem", "dtype", "x", "y") if k in base}
        line["initial"] = change(base["initial"], lambda t: t * c.uniform(0.8, 1.2))
        line.update(optimizer=name, options=self.crossed([k["options"] for k in self.lines if k["optimizer"] == name]), steps=own["steps"])
        if line["problem"] == "mlp" and (name == "Muon" or self.some(0.3)) and name != "LBFGS":
            known = {"params", *getattr(torch.optim, name).__init__.__code__.co_varnames}
            groups = (own if name == "Muon" else c.choice([k for k in tame if "param_groups" in k]))["param_groups"]
            line["param_groups"] = [{k: self.scaled(v) for k, v in g.items() if k in known} for g in groups]
        if name != "LBFGS":
            line.update((k, v) for k, v in c.choice(tame).items() if k.startswith("clip_grad"))
        return {**line, "closure": True} if name == "LBFGS" or self.some(0.3) else line

    def run(self, line, nudged=False, dtype=None):
        """The whole run; `nudged`: from neighbours of its start."""
        dtype, options = dtype or DTYPES[line["dtype"]], {k: tuple(v) if isinstance(v, list) else v for k, v in line["options"].items()}
        start = change(line["initial"], lambda t: torch.nextafter(t, self.normal(t) * math.inf)) if nudged else line["initial"]
        p = {k: v.to(dtype).clone().requires_grad_() for k, v in start.items()}
        groups = [{**g, "params": [p[n] for n in g["params"]]} for g in line["param_groups"]] if "param_groups" in line else list(p.values())
        optimizer, losses, norms, f = getattr(torch.optim, line["optimizer"])(groups, **options), [], [], torch.nn.functional
        for step in range(line["steps"]):
            def closure():
                optimizer.zero_grad()
                if line["problem"] == "mlp":
                    rows = slice(step % 20 * 32, step % 20 * 32 + 32)
                    loss = f.cross_entropy(f.linear(torch.relu(f.linear(self.pixels[rows].to(dtype), p["w1"], p["b1"])), p["w2"], p["b2"]), self.classes[rows])
                else:
                    loss = f.mse_loss(line["x"].to(dtype) @ p["w"], line["y"].to(dtype))
                (-loss if options.get("maximize") else loss).backward()
                if "clip_grad_norm_" in line:
                    norms.append(torch.nn.utils.clip_grad_norm_(list(p.values()), **line["clip_grad_norm_"]))
                if "clip_grad_value_" in line:
                    torch.nn.utils.clip_grad_value_(list(p.values()), **line["clip_grad_value_"])
                return loss
            loss = optimizer.step(closure) if line.get("closure") else closure()
            losses.append(loss.detach())
            if not line.get("closure"):
                optimizer.step()
        return {"losses": torch.stack(losses), "final": {k: v.detach() for k, v in p.items()}, **({"norms": torch.stack(norms)} if norms else {})}

    def answers(self, line):
        answer, name, single, off = self.run(line), line["optimizer"], line["dtype"] == "float32", 0.0
        for other in [self.run(line, nudged=True) for _ in range(2)] + [self.run(line, dtype=torch.float64)] * single:
            for a, b in zip(tensors_of(answer), tensors_of(other)):
                if a.shape != b.shape or not torch.isfinite(a).all():
                    raise LeftOut
                off = max(off, ((a - b).abs().max() / a.abs().max().clamp(min=1e-300)).item())
        if off > (0.005 if name == "Muon" else 0.0025):
            raise LeftOut
        # Muon multiplies in bfloat16: its tolerance is always the same.
        answer["tolerance"] = 0.01 if name == "Muon" else max(1e-5 if single else 1e-7 if name == "LBFGS" else 1e-10, float(f"{30 * off:.0e}"))
        return answer


class Schedulers(Form):
    def __init__(self, *given):
        super().__init__(*given)
        self.known = {}
        for line in self.lines:
            self.keep(line["scheduler"], wrong="raises" in line)

    def keep(self, scheduler, wrong):
        for part in scheduler["options"].get("schedulers", ()):
            self.keep(part, wrong)
        if "schedulers" not in scheduler["options"] and (not wrong or self.seed % 2):  # for odd seeds wrong options are crossed with right ones
            self.known.setdefault(scheduler["name"], []).append(scheduler["options"])

    def scheduler(self, groups, within=""):
        c = self.choice
        plain = [n for n in self.known if not within or n != "ReduceLROnPlateau" and (n not in ("OneCycleLR", "CyclicLR", "SWALR") or self.some(0.3))]
        nest = not within or self.some(0.2 if within == "ChainedScheduler" else 0.02)  # PyTorch refuses most of the latter
        name = c.choice(plain + ["SequentialLR", "SequentialLR", "ChainedScheduler", "ChainedScheduler"] * nest)
        if name in self.known:
            fit = lambda k, v: (3 * v)[:groups] if isinstance(v, list) and k != "milestones" and self.some(0.97) else v
            return {"name": name, "options": {k: fit(k, v) for k, v in self.crossed(self.known[name]).items()}}
        parts = [self.scheduler(groups, name) for _ in range(c.choice([1, 2, 2, 2, 3, 4]))]
        milestones = {"milestones": sorted(c.sample(range(1, 30), len(parts) - self.some(0.97)))} if name == "SequentialLR" else {}
        return {"name": name, "options": {"schedulers": parts, **milestones}}

    def fresh(self):
        c, base = self.choice, self.choice.choice(self.lines)
        line = {**{k: base[k] for k in ("optimizer", "groups", "steps")}, "options": {k: self.scaled(v) for k, v in base["options"].items()}}
        line["scheduler"] = self.scheduler(len(line["groups"]))
        if line["scheduler"]["name"] == "ReduceLROnPlateau":
            value, line["metrics"] = c.uniform(0.5, 2), []
            for _ in range(line["steps"]):
                value = value * c.choice([1, 0.99, 0.9, 0.8, 1.1, 1.0001, 0.99995]) if self.some(0.97) else -value
                line["metrics"].append(round(value, c.choice([1, 4])))
        if line["scheduler"]["name"] == "CosineAnnealingWarmRestarts" and self.some(0.4):
            step = c.uniform(0.1, 1.5)
            line["epochs"] = [round(step * (k + 1), 2) for k in range(line["steps"])]
        return line

    def built(self, optimizer, given):
        kinds = {"power": lambda v: lambda e: v["base"]**e, "inverse": lambda v: lambda e: 1 / (1 + v["k"] * e),
                 "warmup": lambda v: lambda e: min(1, (e + 1) / v["n"]), "constant": lambda v: lambda e: v["c"]}
        functions = lambda v: [functions(x) for x in v] if isinstance(v, list) else kinds[v["lambda"]](v)
        options = {k: functions(v) if k == "lr_lambda" else [self.built(optimizer, x) for x in v] if k == "schedulers" else v for k, v in given["options"].items()}
        made = getattr(torch.optim.swa_utils if given["name"] == "SWALR" else torch.optim.lr_scheduler, given["name"])
        return made(**options) if given["name"] == "ChainedScheduler" else made(optimizer, **options)

    def answers(self, line):
        groups = [{"params": [torch.nn.Parameter(torch.zeros(1))], **g} for g in line["groups"]]
        optimizer, lr, momentum = getattr(torch.optim, line["optimizer"])(groups, **line["options"]), [], []

        def note():
            lr.append([float(g["lr"]) for g in optimizer.param_groups])
            momentum.append([g["momentum"] if "momentum" in g else g["betas"][0] for g in optimizer.param_groups])
        scheduler = self.built(optimizer, line["scheduler"])
        note()
        for k in range(line["steps"]):
            optimizer.step()
            scheduler.step(*[line[name][k] for name in ("metrics", "epochs") if name in line])
            note()
        return {"lr": lr, **({"momentum": momentum} if any(m != momentum[0] for m in momentum) else {})}
