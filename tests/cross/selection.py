"""A selection on AArch64: all kernels from headers in one unit, by Clang where it is there, which takes half of the time of Debian's
cross compiler, and judging programs that qemu runs over the answers that the repository holds. `./dev cross` alone does all.
Usage: selection.py BUILD_FOLDER"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import Count, JOBS, ROOT, run

GCC = "aarch64-linux-gnu-g++"
EMULATOR = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
ORACLE = ROOT / "tests/oracle"
# What each program of the selection reads in a folder of answers, and what follows that.
JUDGES = {
    "cases": ["cases", ROOT / "tests/cross/selection_may_fail.txt", "--verbose"],
    "programs": ["programs.jsonl", ORACLE / "programs_may_fail.txt", "--verbose"],
    "training": ["digits_training.safetensors", "-", ROOT / "examples/digits/digits.csv"],
}

build = pathlib.Path(sys.argv[1]).resolve() / "cross"
count = Count()
for tool in (GCC, EMULATOR[0]):
    if not shutil.which(tool):
        print(f"{tool} is not installed; as root: apt-get install g++-aarch64-linux-gnu qemu-user")
        sys.exit(77)

compiler = ["clang++-19", "--target=aarch64-linux-gnu"] if shutil.which("clang++-19") else [GCC]

# Headers are the same for every processor; a folder of links keeps all other headers of this machine away.
host = build / "host"
host.mkdir(parents=True, exist_ok=True)
for name in ("boost", "xsimd", "nlohmann", "catch2"):
    link = host / name
    if not link.is_symlink():
        link.symlink_to(pathlib.Path("/usr/include") / name)
kernels = build / "kernels.cpp"
kernels.write_text("#include <tenon/cpu.hpp>\n")
options = ["-std=c++20", "-O0", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-I", ROOT / "include", "-isystem", host]


def made(source):
    start = time.monotonic()
    target = build / (source.stem + ".o")
    status, output = run([str(w) for w in [*compiler, *options, "-c", source, "-o", target]])
    print(f"{source.name}: {compiler[0]} took {time.monotonic() - start:.0f} s", flush=True)
    return status == 0, f"{source} does not compile for AArch64\n{output}"


with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
    vectors = [ROOT / "tests/main.cpp", ROOT / "tests/cpu/simd.cpp"]
    for ok, message in pool.map(made, [kernels] + [ORACLE / (name + ".cpp") for name in JUDGES] + vectors):
        count.check(ok, message)
if count.failed:
    count.finish()
objects = [build / (source.stem + ".o") for source in vectors]
count.demand([GCC, *objects, "-pthread", "-o", build / "vectors"], "the tests of vectors do not link")
output = count.demand([*EMULATOR, build / "vectors"], "vectors on AArch64")
print(f"vectors: {output.strip().splitlines()[-1] if output.strip() else 'no output'}")
count.check(True)
for name in JUDGES:
    count.demand([GCC, build / "kernels.o", build / (name + ".o"), "-pthread", "-o", build / name], f"{name} does not link")

environment = {**os.environ, "TENON_RUN_WITH": " ".join(EMULATOR)}
for name, words in JUDGES.items():
    start = time.monotonic()
    command = [sys.executable, ORACLE / "run.py", build / name, ORACLE / "selection", *words]
    done = subprocess.run([str(w) for w in command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = done.stdout.splitlines()
    print(f"{name}: {lines[-1] if lines else 'no output'}, {time.monotonic() - start:.0f} s", flush=True)
    count.check(done.returncode == 0, f"{name} on AArch64:\n{done.stdout[-4000:]}")
count.finish()
