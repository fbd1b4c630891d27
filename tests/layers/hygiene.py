"""Compiles hygiene.cpp, fifty common macros and then the library's headers, with the warnings of careful programs as errors.
Usage: hygiene.py COMPILER... (the build's; the other of GCC and Clang too, if it is installed)"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from checks import CAREFUL, Count, compilers, flags, run

count = Count()
source = HERE / "hygiene.cpp"
# The kernels take a minute to read; their umbrella keeps their warnings from a program.
count.check("#pragma GCC system_header" in (HERE.parents[1] / "include/tenon/cpu.hpp").read_text(), "<tenon/cpu.hpp> is no system header")
count.check(source.read_text().count("#define ") >= 50, "hygiene.cpp has fewer than fifty macros")
for kind, compiler, _ in compilers(sys.argv[1:]):
    command = [w for w in compiler if "ccache" not in w] + flags() + ["-Wall", "-Wextra", "-Werror", *CAREFUL] + ["-fsyntax-only", str(source)]
    status, output = run(command)
    count.check(status == 0, f"{kind}: {output[:3000]}")
count.finish()
