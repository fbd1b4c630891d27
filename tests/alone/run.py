"""Compiles examples/hello.cpp with its kernels from headers alone and only what it calls, and holds the program against the
ordinary one. Usage: run.py hello BUILD_FOLDER ORDINARY_HELLO COMPILER...
Or a program that checks itself: run.py left_out BUILD_FOLDER COMPILER..."""
import pathlib
import resource
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import Count, ROOT, flags, run

LARGEST = 1_500_000  # bytes, stripped
MOST_UNITS = 40  # of the time that tenon.hpp alone takes; 16 when this was written
name, build = sys.argv[1], pathlib.Path(sys.argv[2])
work = build / "alone"
work.mkdir(parents=True, exist_ok=True)
count = Count()


def compiled(compiler, source, options):
    """The program and the compiler's user time in seconds. Without ccache, which would be what is timed."""
    program = work / source.stem
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    status, output = run(compiler + flags() + options + [str(source), "-pthread", "-o", str(program)])
    count.check(status == 0, f"{source} does not compile\n{output}")
    if status != 0:
        count.finish()
    return program, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


if name == "left_out":
    program, _ = compiled([c for c in sys.argv[3:] if c != "ccache"], ROOT / "tests/alone/left_out.cpp", ["-O0"])
    status, output = run([str(program)])
    count.check(status == 0, output)
    count.finish()

ordinary, compiler = sys.argv[3], [c for c in sys.argv[4:] if c != "ccache"]
optimised = ["-O2", "-DNDEBUG"]
umbrella = work / "umbrella.cpp"
umbrella.write_text("#include <tenon/tenon.hpp>\nint main() {}\n")
_, base = compiled(compiler, umbrella, optimised + ["-c"])
program, seconds = compiled(compiler, ROOT / "tests/alone/hello.cpp", optimised)
print(f"user time of the compiler: {seconds:.1f} s; tenon/tenon.hpp alone {base:.1f} s, {seconds / base:.0f} times")
count.check(seconds < MOST_UNITS * base, f"hello from headers alone takes {seconds / base:.0f} times the time of tenon/tenon.hpp alone")

outputs = [subprocess.run([p], capture_output=True, text=True) for p in (str(program), ordinary)]
count.check(outputs[0].returncode == 0 and outputs[0].stdout == outputs[1].stdout, f"expected\n{outputs[1].stdout}\ngot\n{outputs[0].stdout}{outputs[0].stderr}")
stripped = work / "stripped"
subprocess.run([shutil.which("strip") or "strip", "-o", str(stripped), str(program)], check=True)
size = stripped.stat().st_size
count.check(size < LARGEST, f"the stripped program has {size} bytes, at most {LARGEST} are wanted")
times = []
for _ in range(20):
    start = time.perf_counter()
    subprocess.run([str(stripped)], stdout=subprocess.DEVNULL, check=True)
    times.append(time.perf_counter() - start)
print(f"stripped: {size} bytes; from start to end {1e3 * min(times):.1f} ms, median {1e3 * sorted(times)[10]:.1f} ms")
count.finish()
