"""Writes tests/ops/facts.txt: what PyTorch says of its operators beside their schemas. Usage: python-with-torch record_facts.py
One line per overload: name, tags, variants, then NoCheck and NoGuard where its kernels have no device check or guard. Tags that a schema implies
(inplace, out) and the one that all have (pt2_compliant_tag) are not written, and no line for what is a function and nothing else."""
import pathlib
import re

import torch
import torchgen

IMPLIED = {"inplace", "out", "pt2_compliant_tag"}


def declared():
    """By name, the fields of each entry of native_functions.yaml; the forms that PyTorch generates are not in it."""
    path = pathlib.Path(torchgen.__file__).parent / "packaged/ATen/native/native_functions.yaml"
    entries, entry = {}, {}
    for line in path.read_text().splitlines():
        if m := re.match(r"- func: ([\w.]+)\(", line):
            entry = entries[m.group(1)] = {}
        elif m := re.match(r"  (variants|device_check|device_guard): *([^#]*)", line):
            entry[m.group(1)] = m.group(2).strip()
    return entries


def overloads():
    for text in sorted({str(s.name) + "." + s.overload_name for s in torch._C._jit_get_all_schemas() if s.name.startswith("aten::")}):
        name, _, overload = text[len("aten::"):].partition(".")
        packet = getattr(torch.ops.aten, name, None)
        if packet is not None and (overload or "default") in packet.overloads():
            yield name + ("." + overload if overload else ""), getattr(packet, overload or "default")


lines, entries = [], declared()
for name, op in overloads():
    entry = entries.get(name, {})
    variants = ",".join(v for v in ("function", "method") if v in entry.get("variants", "function"))
    words = [name, ",".join(sorted({t.name for t in op.tags} - IMPLIED)) or "-", variants]
    words += ["NoCheck"] * (entry.get("device_check") == "NoCheck") + ["NoGuard"] * (entry.get("device_guard") == "False")
    if words[1:] != ["-", "function"]:
        lines.append(" ".join(words))
head = f"# PyTorch {torch.__version__}, by tests/tools/record_facts.py: overload, tags, variants, NoCheck, NoGuard\n"
path = pathlib.Path(__file__).resolve().parents[1] / "ops/facts.txt"
path.write_text(head + "\n".join(lines) + "\n")
print(f"{len(lines)} overloads")
