"""Stops programs in gdb and in lldb and compares what they show of their values, without and with optimisation, by this build's
compiler and by GCC or Clang where that is another; a debugger that is missing is skipped.
Usage: run.py LIBRARY FOLDER COMPILER... : PROGRAM..."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
sys.path.insert(0, str(HERE.parents[1] / "tools/debuggers"))
from checks import ROOT, Count, compilers, flags, run, with_ccache
import natvis as write_natvis
import tenon_printers

library, folder = sys.argv[1:3]
end = sys.argv.index(":")
programs, count = [(pathlib.Path(p).name, p) for p in sys.argv[end + 1:]], Count()
for kind, compiler, _ in compilers(sys.argv[3:end])[1:]:
    for level in ("-O0", "-O2"):
        program = f"{folder}/shown_{kind}{level}"
        debug = ["-g"] + (["-fno-limit-debug-info"] if kind == "clang" else [])
        status, output = run(with_ccache(compiler) + flags() + debug + [level, "-c", str(HERE / "shown.cpp"), "-o", program + ".o"])
        if status == 0:
            status, output = run(compiler + [program + ".o", library, "-pthread", "-o", program])
        count.check(status == 0, f"shown.cpp does not compile by {kind}\n{output}")
        programs.append((f"{kind} {level}", program))
SCRIPT = ROOT / "tools/debuggers/tenon_printers.py"
EXPECTED = {
    "undefined": "undefined",
    "matrix": "float32[2, 3] {{1, 2.5, -3}, {4, 5, 6}}",
    "transposed": "float32[3, 2] {{1, 4}, {2.5, 5}, {-3, 6}}",
    "part": "float32[2] {5, 6}",
    "flags": "bool[2] {true, false}",
    "half": "float16[2] {0.5, -2}",
    "brain": "bfloat16[1] {3}",
    "small": "float8_e4m3fn[2] {1.5, -0.25}",
    "complex": "complex128[1] {1-2j}",
    "many": "uint8[100] {" + "7, " * 64 + "...}",
    "empty": "int64[0, 3] {}",
    "meta": "float32[2, 2] on meta",
    "keys": "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU)",
    "none": "None", "number": "Int 42", "real": "Double 2.5", "yes": "Bool true", "text": 'String "words"',
    "device": "Device cuda:1",
    "boxed": "Tensor float32[2, 3] {{1, 2.5, -3}, {4, 5, 6}}",
    "list": 'List [Int 1, String "two", Tensor bool[2] {true, false}]',
    "stack": '[Int 2, List [Int 1, String "two", Tensor bool[2] {true, false}]]',
    "sizes": "[4, 5]", "sizes_ref": "[4, 5]", "plain": "17", "scalar": "1.5",
    "schema": "shown::twice(Tensor self, *, int n=2) -> Tensor",
    "handle": "shown::twice(Tensor self) -> Tensor",
    "node": "Twice, sequence 1, of float32[2, 3] and 1 more -> AccumulateGrad, none",
    "derivative": "backward of shown::twice, sequence 2, of float64[2] -> Twice at 1",
}

# The dtypes are the library's.
rows = re.findall(r'X\([^,]+(?:<[^>]*>)?, (\w+), \d+, "(\w+)",', (ROOT / "include/tenon/base/scalar_type.hpp").read_text())
count.check(len(rows) == 18 and {n: t for n, t in rows} == {n: t for n, (t, _) in tenon_printers.DTYPES.items()}, f"tenon_printers.py knows other dtypes than the library: {rows}")


def compare(debugger, shown):
    for name, text in EXPECTED.items():
        count.check(shown.get(name) == text, f"{debugger} shows {name} as {shown.get(name)!r}, expected {text!r}")


def values(output):
    return dict(re.findall(r"^(?:\([^\n]*?\) )?(\w+) = (.*)$", output, re.M))


ran = 0


def look(what, program):
    global ran
    if shutil.which("gdb"):
        ran += 1
        ask = [word for name in EXPECTED for word in ("-ex", f"printf \"{name} = \"", "-ex", f"output {name}", "-ex", "printf \"\\n\"")]
        start = ["gdb", "-nx", "-batch", "-ex", "set auto-load off", "-ex", "set width 0"]
        status, output = run(start + ["-ex", f"source {SCRIPT}", "-ex", "break here", "-ex", "run", "-ex", "up"] + ask + [program])
        compare(f"gdb, {what},", values(output))
        if "matrix =" not in output:
            print(output)
        # A core dump has no process to call into.
        with tempfile.TemporaryDirectory() as folder:
            core = folder + "/core"
            run(start + ["-ex", "break here", "-ex", "run", "-ex", f"generate-core-file {core}", program])
            if os.path.exists(core):
                status, output = run(start + ["-ex", f"source {SCRIPT}", "-ex", "up"] + ask + [program, core])
                compare(f"gdb, {what}, of a core dump,", values(output))
            else:
                print("SKIPPED: the machine writes no core dumps")
    else:
        print("SKIPPED: gdb is not installed")

    for name in ("lldb", "lldb-19", "lldb-14"):
        if not shutil.which(name):
            continue
        # Debian's lldb does not find its own module.
        places = [str(p) for p in sorted(pathlib.Path("/usr/lib").glob("llvm-*/lib/python3.*/dist-packages")) if name.endswith(p.parts[3][5:])]
        environment = dict(os.environ, PYTHONPATH=":".join(places + ["/usr/lib/python3/dist-packages"]))
        status, output = run([name, "--batch", "-o", "script print('has', lldb.SBDebugger.Create is not None)"], env=environment)
        if "has True" not in output:
            continue
        ran += 1
        ask = [word for value in EXPECTED for word in ("-o", f"frame variable {value}")]
        status, output = run([name, "--no-lldbinit", "--batch", "-o", f"command script import {SCRIPT}", "-o", "breakpoint set --name here", "-o", "run",
                              "-o", "up"] + ask + [program], env=environment)
        if "matrix =" not in output:
            why = "shows no variable of it" if "stop reason" in output else f"does not run programs here:\n{output[-2000:]}"
            print(f"SKIPPED: {what} in {name}, which {why}")
        else:
            compare(f"{name}, {what},", values(output))
        break
    else:
        print("SKIPPED: no lldb with Python is installed")


for what, program in programs:
    look(what, program)

# Visual Studio's description cannot be run here: it is XML, and the members that it names are there.
natvis = ROOT / "tools/debuggers/tenon.natvis"
document = xml.dom.minidom.parse(str(natvis))
count.check(natvis.read_text() == write_natvis.text(), "tenon.natvis is not what tools/debuggers/natvis.py writes")
headers = "\n".join(p.read_text() for f in ("base", "tensor", "boxing", "keys", "schema", "dispatch", "autograd") for p in sorted((ROOT / "include/tenon" / f).rglob("*.hpp")))
members = set(re.findall(r"\b([a-z][a-z_]*_)\b", natvis.read_text()))
count.check(len(members) > 10, "tenon.natvis names no members")
for member in sorted(members):
    count.check(re.search(r"\b%s\b" % member, headers), f"tenon.natvis names {member}, which no header has")
if not ran and count.failed == 0:
    sys.exit(77)
count.finish()
