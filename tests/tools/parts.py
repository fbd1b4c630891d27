"""Deals the unit tests of a configured build to parts of about as many objects to compile, so that a machine with little time
can run them one part after the other. Prints two lines: the targets of a part, and the names of its tests.
Usage: parts.py BUILD_FOLDER PART/PARTS, e.g. 1/3"""
import collections
import json
import pathlib
import subprocess
import sys

build, (part, parts) = pathlib.Path(sys.argv[1]).resolve(), map(int, sys.argv[2].split("/"))
programs = collections.defaultdict(set)  # the names of the tests of each program, or of each that is not this build's
targets = {}
for test in json.loads((build / "meson-info/intro-tests.json").read_text()):
    if any(suite.endswith(":unit") for suite in test["suite"]):
        program = pathlib.Path(test["cmd"][0])
        own = program.is_relative_to(build)
        key = str(program.relative_to(build)) if own else test["name"]
        programs[key].add(test["name"])
        targets[key] = own


def objects(program):
    """How many objects of the tests a program is made of; some for a test that compiles its own."""
    if not targets[program]:
        return 20
    done = subprocess.run(["ninja", "-C", str(build), "-t", "inputs", program], check=True, capture_output=True, text=True)
    return sum(name.startswith("tests/") and name.endswith(".o") for name in done.stdout.split())


dealt = [[0, []] for _ in range(parts)]
for count, program in sorted(((objects(p), p) for p in programs), reverse=True):
    least = min(dealt, key=lambda d: d[0])
    least[0] += count
    least[1].append(program)
mine = sorted(dealt[part - 1][1])
print(*(p for p in mine if targets[p]))
print(*sorted(name for p in mine for name in programs[p]))
