"""Compiles hygiene.cpp, fifty common macros and then the library's headers, with the warnings of careful programs as errors.
Usage: hygiene.py COMPILER... (the build's; the other of GCC and Clang too, if it is installed)"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from checks import Count, compilers, flags, run

WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wold-style-cast", "-Werror"]
count = Count()
source = HERE / "hygiene.cpp"
count.check(source.read_text().count("#define ") >= 50, "hygiene.cpp has fewer than fifty macros")
for kind, compiler, _ in compilers(sys.argv[1:]):
    command = [w for w in compiler if "ccache" not in w] + flags() + WARNINGS + ["-fsyntax-only", str(source)]
    status, output = run(command)
    count.check(status == 0, f"{kind}: {output[:3000]}")
count.finish()
