"""Compiles every function of tenon/math and every row of pointwise/ and reduction/ for a device, where nvcc is found.
Usage: compile.py FOLDER_FOR_OUTPUT [NVCC]; ends with 77, which Meson shows as skipped, where there is no nvcc."""
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import INCLUDE, ROOT, Count, files, flags, in_parallel, run

HERE = pathlib.Path(__file__).resolve().parent
UNITS = ["math.cu", "formulas.cu", "reductions.cu"]
# Headers of math/ that serve the kernels of one unit, which is compiled in place of calls in math.cu.
KERNELS = {"tenon/math/ctc.hpp": "ctc_loss.cu", "tenon/math/fractional_pooling.hpp": "pooling.cu", "tenon/math/grid_taps.hpp": "grid_sampler.cu",
           "tenon/math/samplers.hpp": "samplers.cu"}
# Vectors of an instruction set, and what is made of them, are the host's.
OF_THE_HOST = ("tenon/math/detail/vec_raw.hpp", "tenon/math/arch.hpp")
INCLUDED = re.compile(r"#include <(tenon/[^>]+)>")


def rows():
    """The headers of pointwise/ that hold formulas."""
    return [str(p.relative_to(INCLUDE)) for p in files("include/tenon/pointwise", "*.hpp")
            if re.search(r"^TENON_(FORMULA|FORMULA_OF|COMPUTES)\(", p.read_text(), re.M)]


def of_the_device(header):
    """Whether a header of math/ can be read by a device's compiler: nothing that it includes knows vectors."""
    includes = INCLUDED.findall((INCLUDE / header).read_text())
    return header not in OF_THE_HOST and all(of_the_device(h) for h in includes if h.startswith("tenon/math/"))


def math_headers():
    return [h for h in (str(p.relative_to(INCLUDE)) for p in files("include/tenon/math", "*.hpp")) if of_the_device(h)]


def functions():
    """The public functions of math/ that are for a device too, by name."""
    found = set()
    for path in (INCLUDE / h for h in math_headers() if h not in KERNELS):
        text = re.sub(r"namespace detail \{.*?\n\}  // namespace detail", "", path.read_text(), flags=re.S)
        text = re.sub(r"#define(.*\\\n)*.*", "", text)
        found |= set(re.findall(r"TENON_HOST_DEVICE[^;{(]*?\b(\w+)\(", text))
        found |= set(re.findall(r"^TENON_INTERNAL_\w+\((\w+)", text, re.M))
        found |= set(re.findall(r"^struct (\w+Rule) \{", text, re.M))
    return found - {"operator"}  # of rules


def nvcc():
    given = sys.argv[2] if len(sys.argv) > 2 else shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    return given if os.path.exists(given) else None


compiler, work = nvcc(), pathlib.Path(sys.argv[1])
if compiler is None:
    print("SKIPPED: no nvcc, neither in PATH nor in /usr/local/cuda")
    sys.exit(77)
count = Count()
# A function that a formula calls is compiled with the formula.
text = (HERE / "math.cu").read_text() + "".join((INCLUDE / h).read_text() for h in rows())
for name in sorted(functions()):
    count.check(f"math::{name}" in text or re.search(rf"(FUNCTION(_OF)?|RULE)\({name},", text), f"neither math.cu nor a row calls math::{name}")
work.mkdir(parents=True, exist_ok=True)
(work / "device_math.hpp").write_text("".join(f"#include <{h}>\n" for h in math_headers()))
(work / "device_rows.hpp").write_text("".join(f"#include <{h}>\n" for h in rows()))
words = [f for f in flags() if f.startswith(("-I", "-isystem", "-D"))]


def compile_unit(source):
    # PTX is what shows whether the code is a device's; a machine's own code would take twice the time.
    return run([compiler, "-std=c++20", "-arch=sm_90", "--expt-relaxed-constexpr", "--expt-extended-lambda", "-ptx", "-Werror", "all-warnings",
                # Generic code asks whether a number is negative, of unsigned ones too.
                "-diag-suppress", "186"] + words +
               ["-I" + str(work), str(source), "-MD", "-MF", str(work / (source.name + ".d")), "-o", str(work / (source.name + ".ptx"))])


units = [HERE / name for name in UNITS] + [ROOT / "kernels_cuda" / name for name in KERNELS.values()]
for source, (status, output) in zip(units, in_parallel(compile_unit, units)):
    kernels = (work / (source.name + ".ptx")).read_text().count(".entry ") if status == 0 else 0
    print(f"{source.name}: {kernels} kernels")
    count.check(status == 0 and kernels > (10 if source.name in UNITS else 0), f"{source.name} does not compile for a device\n{output[:6000]}")
for header, unit in KERNELS.items():
    read = work / (unit + ".d")
    count.check(read.exists() and header in read.read_text(), f"{unit} does not read {header}")
count.finish()
