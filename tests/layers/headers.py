"""Compiles each header alone, which must define nothing that a second unit would define again, or the umbrellas in two
units that make one program, or (for a further compiler) all headers in a few units that are read and no more.
Usage: headers.py alone|two_units|read BUILD_FOLDER COMPILER..."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import Count, Memory, flags, headers, in_parallel, run, with_ccache

mode, build, compiler = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
work = build / "headers" / mode
work.mkdir(parents=True, exist_ok=True)
options = flags() + ["-O0", "-Wall", "-Wextra", "-Werror"]
version = run(compiler + ["--version"])[1]
memory = Memory(work / "passed.json", mode, options, version)
count = Count()


def compile_unit(name, text):
    """Compiles a unit with this text; an object file rather than a syntax check, since only that is cached."""
    source = work / (name + ".cpp")
    if not source.exists() or source.read_text() != text:
        source.write_text(text)
    return run(with_ccache(compiler) + options + ["-c", str(source), "-o", str(work / (name + ".o"))])


def alone(header):
    # Twice: the second inclusion must add nothing.
    status, output = compile_unit(header.replace("/", "_"), f"#include <{header}>\n#include <{header}>\n")
    if status:
        return False, f"<{header}> does not compile alone\n{output}"
    unit = work / (header.replace("/", "_") + ".o")
    symbols = run(["nm", "-C", "--defined-only", str(unit)])[1].splitlines()
    unit.unlink()
    strong = [words[2] for words in (s.split(maxsplit=2) for s in symbols) if len(words) == 3 and words[1] in "BCDGRST"]
    return not strong, f"<{header}> defines, not inline:\n" + "\n".join(strong)


if mode == "alone":
    todo = []
    for header in headers():
        if header.endswith("_impl.hpp"):
            continue
        if memory.passed_before(memory.key(header)):
            count.check(True)
        else:
            todo.append(header)
    for header, (ok, message) in zip(todo, in_parallel(alone, todo)):
        count.check(ok, message)
        if ok:
            memory.passed(memory.key(header))
elif mode == "read":
    # Of the two that define a row's macros a unit takes one.
    apart = "tenon/cuda/rows.hpp"
    all_headers = [h for h in headers() if not h.endswith("_impl.hpp") and h != apart]

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
    # Minutes for a compiler: both units are this one, each with another name for its function.
    text = "".join(f"#include <{h}>\n" for h in headers() if h.count("/") == 1) + 'extern "C" int unit() { return 0; }\n'
    status, output = compile_unit("unit", text)
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
    count.check(status == 0, "two units that include every umbrella do not make one program\n" + output)
    if status == 0:
        memory.passed(memory.key("two_units"))

memory.save()
count.finish()
