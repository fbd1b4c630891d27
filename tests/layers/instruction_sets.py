"""Proves that no code of a higher instruction set can be chosen for a lesser one.
Usage: instruction_sets.py LIBRARY ISOLATED_OBJECT...
A function that the linker may merge or that others may call (weak or global) and whose name does not carry its set must
hold no VEX or EVEX code. An isolated object must hold no state of the library: it would be a second copy."""
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import Count

TAGS = ("sse2", "avx2", "avx512")
VECTOR = re.compile(r"^\s*[0-9a-f]+:\s+(v[a-z0-9]+|k(?:mov|and|andn|or|xor|xnor|not|test|ortest|unpck|add|shift)[a-z]*)\b(.*)$")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def shared_functions(path):
    """(Object, name) of the functions that another object may reach."""
    found, member = set(), ""
    for line in output("nm", "--defined-only", path).splitlines():
        words = line.split()
        if len(words) == 1 and line.endswith(":"):
            member = line[:-1]
        elif len(words) == 3 and words[1] in "TWVui":
            found.add((member, words[2]))
    return found


def members(path):
    """The objects of an archive, by name; of an object, itself."""
    if not path.endswith(".a"):
        return {"": path}
    folder = tempfile.mkdtemp(dir=work)
    subprocess.run(["ar", "x", "--output", folder, path], check=True)
    return {name: os.path.join(folder, name) for name in sorted(os.listdir(folder))}


@functools.lru_cache(None)
def vector_code(path):
    """(Object, function name) -> first instruction that a baseline machine cannot run."""
    found = {}
    for member, file in members(path).items():
        # Linked, if in vain: objdump takes a hundred times as long where each function has a section and address 0 of its own.
        linked = os.path.join(work, "linked")
        output("ld", "--unresolved-symbols=ignore-all", "--noinhibit-exec", "-e", "0", "--defsym", "__dso_handle=0", "-o", linked, file)
        current = None
        for line in output("objdump", "-d", "--no-show-raw-insn", linked).splitlines():
            if line.endswith(">:"):
                current = (member, line.split("<", 1)[1][:-2])
            elif current is not None and current not in found:
                m = VECTOR.match(line)
                if m and not m.group(1).startswith("ver"):
                    found[current] = (m.group(1) + m.group(2)).strip()
    return found


count = Count()
library, objects = sys.argv[1], sys.argv[2:]
scratch = tempfile.TemporaryDirectory()
work = scratch.name
for path in [library] + objects:
    shared, vector = shared_functions(path), vector_code(path)
    leaks = sorted(f for f in shared & vector.keys() if not any(tag in f[1] for tag in TAGS[1:]))
    count.check(not leaks, f"{path}: " + "; ".join(f"{f[1]}: {vector[f]}" for f in leaks[:8]))

for path in objects:
    tag = next(t for t in reversed(TAGS) if t in pathlib.Path(path).name)
    outside = sorted(n for _, n in shared_functions(path) if not n.endswith(tag))
    count.check(not outside, f"{path}: global names without '{tag}': " + ", ".join(outside[:8]))
    # Its own are the tables and scratch memory named after the set, and the executor that it is given.
    state = sorted(l.split()[2] for l in output("nm", "--defined-only", "-C", path).splitlines()
                   if len(l.split()) >= 3 and l.split()[1] in "bBdD" and "tenon::" in l and "vtable" not in l and "typeinfo" not in l
                   and "cpu::" + tag not in l and "executor_slot" not in l and "inside_parallel" not in l)
    count.check(not state, f"{path}: holds its own copy of library state: " + ", ".join(state[:8]))
    if tag != "sse2":
        count.check(bool(vector_code(path)), f"{path}: holds no code of its instruction set")

count.finish()
