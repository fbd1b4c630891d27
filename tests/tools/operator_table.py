"""Holds docs/operator-table.md against the registry of a full program. Usage: operator_table.py OPDUMP [--write], which writes the page anew."""
import collections
import json
import pathlib
import subprocess
import sys

from checks import Count

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "operator-table.md"
HEAD = """# All operators

{count} operators of {names} names, as the registry of a full program has them; a test holds this page against it, and `python3 tests/tools/operator_table.py build/tools/opdump --write`
writes it. Overloads are those of PyTorch's schemas, `base` the one without a name. Forms: `in place` (`add_`), `out` (`"out"_a = y`). Made of others: a composite,
whose derivative and batching are those of its parts. Gradient, shapes (a function for Meta tensors and symbolic sizes) and vmap (one call for a whole batch; what is neither that nor
made of others runs once for each example) are those of the operator itself.

| operator | overloads | forms | made of others | gradient | shapes | vmap | tags |
|---|---|---|---|---|---|---|---|
"""
# What the other columns say, or all have.
PLAIN_TAGS = {"pt2_compliant_tag", "inplace", "out", "core", "generated"}


def families(operators):
    """The operators by the name of the function that they are forms of."""
    names = {op["name"].partition(".")[0] for op in operators}
    found = collections.defaultdict(list)
    for op in operators:
        base = op["name"].partition(".")[0]
        if "inplace" in op["tags"] and base[:-1] in names:
            base = base[:-1]
        found[base].append(op)
    return found


def row(base, ops):
    form = lambda op: "out" if "out" in op["tags"] else "in place" if "inplace" in op["tags"] else ""
    own = [op for op in ops if not form(op)] or [op for op in ops if form(op) == "in place"] or ops
    overloads = sorted({op["name"].partition(".")[2] or "base" for op in own}, key=lambda o: (o != "base", o))
    forms = [f for f in ("in place", "out") if any(form(op) == f for op in ops if op not in own)]
    every = lambda key: "yes" if all(op[key] for op in own) else "some" if any(op[key] for op in own) else ""
    tags = sorted({t for op in own for t in op["tags"]} - PLAIN_TAGS)
    cells = [f"`{base}`", ", ".join(overloads), ", ".join(forms), every("composite"), every("derivative"), every("meta"), every("batch_rule"), ", ".join(f"`{t}`" for t in tags)]
    return "| " + " | ".join(cells) + " |\n"


def main(opdump, *options):
    operators = json.loads(subprocess.run([opdump, "--json"], capture_output=True, text=True, check=True).stdout)
    operators = [op for op in operators if op["name"].startswith(("aten::", "tenon::")) and op["schema"]]
    found = families(operators)
    lines = (HEAD.format(count=len(operators), names=len(found)) + "".join(row(base, found[base]) for base in sorted(found))).splitlines()
    if "--write" in options:
        PAGE.write_text("\n".join(lines) + "\n")
        return
    count = Count()
    there = PAGE.read_text().splitlines()
    for line in lines:
        count.check(line in there, f"{PAGE.name} lacks: {line}")
    for line in sorted(set(there) - set(lines)):
        count.check(False, f"{PAGE.name} has what the registry has not: {line}")
    count.finish()


if __name__ == "__main__":
    main(*sys.argv[1:])
