"""Reads each header alone, or compiles all of them in two units that make one program, which must define nothing that a
second unit would define again, or (for a further compiler) reads all headers in a few units.
Usage: headers.py alone|two_units|read BUILD_FOLDER COMPILER..."""
import functools
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import CAREFUL, INCLUDE, NAMED, ROOT, Count, Memory, flags, headers, in_parallel, precompiled, run, with_ccache

mode, build, compiler = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
work = build / "headers" / mode
work.mkdir(parents=True, exist_ok=True)
# Units are named as from the tree's root: then a compiler's cache serves them wherever the tree lies.
os.chdir(ROOT)
options = [w.replace(str(ROOT) + "/", "") for w in flags()] + ["-O0", "-Wall", "-Wextra", "-Werror"]
if mode != "read":  # what a header lacks, or defines twice, it does with one dtype as with all, whose kernels take minutes
    options.append('-DTENON_SELECTED_DTYPES="float32"')
if mode == "alone":  # what each operator and kernel instantiates is compiled where they are, and takes most of the time
    options.append('-DTENON_SELECTED_OPERATORS="aten::add"')
version = run(compiler + ["--version"])[1]
memory = Memory(work / "passed.json", mode, options, version)
count = Count()


def written(name, text):
    source = work / (name + ".cpp")
    if not source.exists() or source.read_text() != text:
        source.write_text(text)
    return source


def compile_unit(name, text):
    source = written(name, text)
    return run(with_ccache(compiler) + options + ["-c", os.path.relpath(source), "-o", str(work / (name + ".o"))])


@functools.lru_cache(None)
def included(header):
    """The headers of the library that a header brings in whatever is defined, itself left out."""
    found, next_ones = set(), [header]
    while next_ones:
        depth = 0
        for line in (INCLUDE / next_ones.pop()).read_text().splitlines():
            if re.match(r"\s*#\s*if", line):
                depth += 1
            elif re.match(r"\s*#\s*endif", line):
                depth -= 1
            elif depth == 0 and (m := re.match(r"\s*#\s*include <(tenon/[^>]+)>", line)) and m[1] not in found and (INCLUDE / m[1]).exists():
                found.add(m[1])
                next_ones.append(m[1])
    return frozenset(found - {header})


def chosen_bases(todo, most=8):
    """Headers worth reading once for all that include them: those that save most lines, one after the other."""
    length = functools.lru_cache(None)(lambda h: sum(len((INCLUDE / i).read_bytes()) for i in {h} | included(h)))
    bases, saved = [], {h: 0 for h in todo}
    candidates = {i for h in todo for i in included(h)}
    for _ in range(most):
        gain = lambda c: sum(max(0, length(c) - saved[h]) for h in todo if c in included(h))
        best = max(candidates, key=gain, default=None)
        if not best or gain(best) < 8 * length(best):
            break
        bases.append(best)
        for h in todo:
            if best in included(h):
                saved[h] = max(saved[h], length(best))
    return sorted(bases, key=length, reverse=True)


@functools.lru_cache(None)
def base_of(header):
    """The largest of the headers read once that a header includes itself: with it nothing is there that would not be."""
    return next((base for base in bases if base in included(header)), None)


def chains(todo):
    """Lists of headers with one base, each of which includes all before it: in a unit that includes them in this order
    nothing stands before a header that it would not bring in, so that one unit compiles many alone."""
    found = []
    for header in sorted(todo, key=lambda h: len(included(h)), reverse=True):
        above = [c for c in found if header in included(c[-1]) and c[-1] not in included(header) and base_of(c[-1]) == base_of(header)]
        if above:
            min(above, key=lambda c: len(included(c[-1]))).append(header)
        else:
            found.append([header])
    return [c[::-1] for c in found]


def alone(chain):
    # Twice: the second inclusion must add nothing.
    source = written(chain[-1].replace("/", "_"), "".join(f"#include <{h}>\n#include <{h}>\n" for h in chain))
    status, output = run(compiler + options + [*bases.get(base_of(chain[0]), []), "-fsyntax-only", os.path.relpath(source)])
    return status == 0, f"a header does not compile alone, of <{'>, <'.join(chain)}>\n{output}"


# Of the two that define a row's macros a unit takes one.
apart = "tenon/cuda/rows.hpp"
all_headers = [h for h in headers() if not h.endswith("_impl.hpp") and h != apart]


def only_includes(header):
    """Whether a header is a list of others, which compiles as they do; the longest takes minutes."""
    text = re.sub(r"//.*", "", (INCLUDE / header).read_text())
    return not re.sub(r"^\s*#\s*(include <tenon/.*>|pragma once|pragma GCC system_header)\s*$", "", text, flags=re.M).strip()


if mode == "alone":
    todo = []
    for header in [*all_headers, apart]:
        if only_includes(header) or memory.passed_before(memory.key(header)):
            count.check(True)
        else:
            todo.append(header)
    names = chosen_bases(todo)
    kind = "clang" if "clang" in version else "gcc"
    bases = dict(zip(names, in_parallel(lambda name: precompiled(name, work, compiler, kind, options), names)))
    units = chains(todo)
    for unit, (ok, message) in zip(units, in_parallel(alone, units)):
        if not ok:
            count.check(False, message)
            continue
        for header in unit:
            count.check(True)
            memory.passed(memory.key(header))
elif mode == "read":
    if "clang" in version:
        options += CAREFUL

    def read(batch):
        source = work / (batch[0].replace("/", "_") + ".cpp")
        source.write_text("".join(f"#include <{h}>\n" for h in batch))
        status, output = run(compiler + options + ["-fsyntax-only", str(source)])
        return status == 0, f"headers from <{batch[0]}> to <{batch[-1]}>:\n{output}"

    batches = [all_headers[i : i + 50] for i in range(0, len(all_headers), 50)] + [[apart]]
    for ok, message in in_parallel(read, batches):
        count.check(ok, message)
elif memory.passed_before(memory.key("two_units")):
    count.check(True)
else:
    # Minutes for a compiler: both units are one, each with another name for its function.
    def compiled(name, some, text=""):
        status, output = compile_unit(name, "".join(f"#include <{h}>\n" for h in some) + text)
        if status:
            return status, output
        symbols = (s.split(maxsplit=2) for s in run(["nm", "-C", "--defined-only", str(work / (name + ".o"))])[1].splitlines())
        strong = [words[2] for words in symbols if len(words) == 3 and words[1] in "BCDGRST" and words[2] != "unit"]
        return len(strong), "defined, not inline:\n" + "\n".join(strong)

    # Headers that a program names itself may need a library to become one.
    status, output = compiled("named", NAMED)
    if status == 0:
        status, output = compiled("apart", [apart])
    if status == 0:
        status, output = compiled("unit", [h for h in all_headers if h not in NAMED], 'extern "C" int unit() { return 0; }\n')
    names = ("one", "two")
    for name in names:
        if status == 0:
            status, output = run(["objcopy", "--redefine-sym", f"unit={name}", str(work / "unit.o"), str(work / f"{name}.o")])
    if status == 0:
        status, output = compile_unit("main", 'extern "C" int one();\nextern "C" int two();\nint main() { return one() + two(); }\n')
    program = str(work / "program")
    if status == 0:
        status, output = run(compiler + [str(work / f"{n}.o") for n in (*names, "main")] + ["-pthread", "-o", program])
    if status == 0:
        status, output = run([program])
    count.check(status == 0, "two units that include every header do not make one program\n" + output)
    if status == 0:
        memory.passed(memory.key("two_units"))

memory.save()
count.finish()
