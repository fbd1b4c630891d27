"""What of a build with the CUDA component needs no device: registers of its kernels, what the lane object costs, its size, programs that have it and start. Usage: check.py BUILD"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from checks import Count

MOST = 60  # MB
count = Count()
build = pathlib.Path(sys.argv[1])


def program(what, *words):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    count.check(done.returncode == 0, f"{what}:\n{done.stdout[-4000:]}")


program("registers", sys.executable, HERE / "registers.py", "--logs", build / "kernels_cuda")
program("the cost of lanes", sys.executable, HERE / "plain.py")
size = (build / "kernels_cuda/libtenon_kernels_cuda.a").stat().st_size / 1e6
print(f"the component has {size:.1f} MB")
count.check(size < MOST, f"the component has {size:.1f} MB, at most {MOST} are asked for")
program("a program with the component", build / "tests/unit_base", "[component]")
program("rows of a program's own", build / "tests/own_rows_on_cuda")
count.finish()
