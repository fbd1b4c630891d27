"""A session in a debugger, as docs/debugging.md tells it: break at a kernel, at a registration, where a tensor is made;
attach; find a function's line. Usage: session.py PROGRAM..., each compiled with -g, those whose names end in
_0 without optimisation."""
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from checks import ROOT, Count, run

SOURCE = HERE / "session.cpp"
LINES = SOURCE.read_text().splitlines()
KERNEL = next(i for i, line in enumerate(LINES, 1) if line.startswith("Tensor twice_kernel"))
BLOCK = next(i for i, line in enumerate(LINES, 1) if line.startswith("TENON_LIBRARY(session"))
# From the kernel up to the program: adaptor, way to a kernel, the derivative's kernel, the way again, the operator by its name.
# The way from the derivative's kernel is inlined, which lldb 14 shows by its place alone.
NEXT = r"call_path<.*::redispatch_here|at call\.hpp:"
LAYERS = [r"session::twice_kernel", r"function_entry<.*session::twice_kernel", NEXT, r"autograd_kernel<.*::call", r"call_operator<",
          r"bound_call<session::twice_base_op", r"main"]
# Optimised code has the kernel in its adaptor, and the operator in the program; its name is in the adaptor's.
OPTIMISED = [r"session::twice_kernel", NEXT, r"autograd_kernel<.*::call", r"call_operator<", r"main"]
MADE = [r"tenon::make_tensor", r"cpu::detail::empty_cpu", r"tenon::detail::tensor_from", r"main"]
count = Count()


def in_order(frames, layers):
    """The first layer that the frames do not reach, in the order of the stack; None where all are there."""
    at = 0
    for layer in layers:
        while at < len(frames) and not re.search(layer, frames[at]):
            at += 1
        if at == len(frames):
            return layer
    return None


def gdb(program, *commands):
    words = [w for c in commands for w in ("-ex", c)]
    return run(["gdb", "-nx", "-batch", "-ex", "set auto-load off", "-ex", "set width 0", "-ex", f"source {ROOT}/tools/debuggers/tenon_printers.py"] + words + [program])[1]


def frames_of(output):
    return [line for line in output.splitlines() if re.match(r"\s*(#\d+|\*? *frame #\d+)", line)]


def stops(debugger, output, layers, what):
    missing = in_order(frames_of(output), layers)
    count.check(missing is None, f"{debugger}, {what}: no frame {missing} in\n{output}")


for program in sys.argv[1:]:
    layers = LAYERS if program.endswith("_0") else OPTIMISED
    if shutil.which("gdb"):
        text = gdb(program, "break session::twice_kernel", "run", "backtrace", "print self")
        stops("gdb", text, layers, "at a kernel")
        count.check("float32[2] {1, 1}" in text, f"gdb does not show the kernel's argument:\n{text}")
        if layers is LAYERS:
            text = gdb(program, f"break session.cpp:{BLOCK}", "run", "backtrace")
            stops("gdb", text, [rf"session\.cpp:{BLOCK}", "_start|call_init|__libc"], "at a registration")
        stops("gdb", gdb(program, "break tenon::make_tensor", "run", "backtrace"), MADE, "where a tensor is made")
    else:
        print("SKIPPED: gdb is not installed")
    lldb = next((name for name in ("lldb", "lldb-19", "lldb-14") if shutil.which(name)), None)
    if lldb:
        text = run([lldb, "--no-lldbinit", "--batch", "-o", "breakpoint set --name twice_kernel", "-o", "run", "-o", "thread backtrace", program])[1]
        if "stop reason" in text:
            stops(lldb, text, layers, "at a kernel")
        else:
            print(f"SKIPPED: {lldb} does not run programs here:\n{text[-1000:]}")
    else:
        print("SKIPPED: no lldb is installed")

program = sys.argv[1]
names = run(["nm", "-Cl", program])[1]
count.check(re.search(rf" T session::twice_kernel\(.*session\.cpp:{KERNEL}$", names, re.M), "nm -Cl does not lead from the kernel to its line")
if shutil.which("gdb"):
    waiting = subprocess.Popen([program, "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    waiting.stdout.readline()
    text = run(["gdb", "-nx", "-batch", "-p", str(waiting.pid), "-ex", "backtrace"])[1]
    waiting.communicate(b"\n")
    if "Operation not permitted" in text:
        print("SKIPPED: this machine lets nobody attach; kernel.yama.ptrace_scope says so")
    else:
        stops("gdb", text, [r"\bmain\b"], "attached")
count.finish()
