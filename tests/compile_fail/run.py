"""Each file under this folder holds a mistake, `// expect-error: <regex>` and its right form under `#ifdef FIXED`.
The mistake must fail with the text in the first ten lines of output, of twelve at most; the right form must compile.
Usage: run.py BUILD_FOLDER COMPILER..."""
import collections
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from checks import Count, Memory, compilers, flags, in_parallel, precompiled, run

FIRST_LINES = 10
# Lines of words name a file. Those that quote the source, or say which file includes which or how a macro expands, tell nothing of the mistake.
WORDS = re.compile(r"\S+: (?!note: (expanded from|in expansion of|in definition of) )")
MOST_LINES = 12
build, named = pathlib.Path(sys.argv[1]), sys.argv[2:]
# Long types wrap nothing, and notes about instantiation do not push the message away.
options = flags() + ["-Wall", "-Wextra", "-fdiagnostics-color=never"]
only = {"gcc": ["-fmessage-length=0"], "clang": ["-fmessage-length=0"]}
found = compilers(named)
memory = Memory(build / "compile_fail.json", options, [(kind, version) for kind, _, version in found])
count = Count()


def first_of(path):
    """The header that a file begins with, before anything else that a preprocessor reads."""
    found = re.search(r"^#.*$", path.read_text(), re.M)
    return (re.fullmatch(r"#include <(tenon/.*)>", found.group()) or [None, None])[1]


def judge(case):
    path, (kind, compiler, _) = case
    text = path.read_text()
    name = f"{path.relative_to(HERE)} ({kind})"
    expected = re.findall(r"//\s*expect-error:\s*(.+?)\s*$", text, re.M)
    if not expected or "#ifdef FIXED" not in text and "#ifndef FIXED" not in text:
        return False, f"{name}: needs '// expect-error: <regex>' and a right form under '#ifdef FIXED'"
    compiler = [w for w in compiler if "ccache" not in w] + read_before.get((first_of(path), kind), [])
    status, output = run(compiler + options + only[kind] + ["-fsyntax-only", str(path)])
    if status == 0:
        return False, f"{name}: the mistake compiles"
    words = [line for line in output.splitlines() if WORDS.match(line)]
    first = "\n".join(words[:FIRST_LINES])
    for regex in expected:
        if not re.search(regex, first):
            return False, f"{name}: the first {FIRST_LINES} lines do not hold '{regex}'\n{first}"
    if len(words) > MOST_LINES:
        return False, f"{name}: {len(words)} lines for one mistake\n" + "\n".join(words)
    status, output = run(compiler + options + only[kind] + ["-fsyntax-only", "-DFIXED", str(path)])
    return status == 0, f"{name}: the right form does not compile\n{output}"


cases = [(path, compiler) for path in sorted(HERE.rglob("*.cpp")) for compiler in found]
todo = []
for path, compiler in cases:
    if memory.passed_before(memory.key(str(path), path.read_text(), compiler[0])):
        count.check(True)
    else:
        todo.append((path, compiler))
# A header that several files begin with is read once per compiler.
begun = collections.Counter((first_of(path), compiler[0]) for path, compiler in todo)
often = [(header, kind) for (header, kind), n in begun.items() if header and n >= 4]
with tempfile.TemporaryDirectory() as folder:
    words = {kind: compiler for kind, compiler, _ in found}
    read = lambda pair: precompiled(pair[0], pathlib.Path(folder), words[pair[1]], pair[1], options + only[pair[1]])
    read_before = dict(zip(often, in_parallel(read, often)))
    for case, (ok, message) in zip(todo, in_parallel(judge, todo)):
        count.check(ok, message)
        if ok:
            memory.passed(memory.key(str(case[0]), case[0].read_text(), case[1][0]))
    # An older standard is named, and the headers are not read by it.
    old = pathlib.Path(folder) / "old.cpp"
    old.write_text("#include <tenon/tenon.hpp>\nint main() {}\n")
    for kind, compiler, _ in found:
        status, output = run(compiler + options + ["-std=c++17", "-fsyntax-only", str(old)])
        errors = [line for line in output.splitlines() if "error" in line and WORDS.match(line)]
        count.check(status != 0 and len(errors) == 1 and "tenon needs C++20: compile with -std=c++20" in errors[0], f"C++17 ({kind}):\n{output}")
memory.save()
if len(found) < 2:
    print(f"skipped {len(cases)}: of GCC and Clang only {found[0][0]} is installed")
count.finish()
