"""The library on AArch64: all kernels from headers in one unit, by Debian's cross compiler, and judging programs that qemu runs.
Usage: run.py BUILD_FOLDER selection|all: the answers that the repository holds, by Clang where it is there, which takes half of GCC's
time; or those in ../shared/oracle as well, by GCC."""
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
# What each program reads in a folder of answers, and what follows that.
JUDGES = {
    "cases": ["cases", ROOT / "tests/cross/may_fail.txt", "--verbose"],
    "programs": ["programs.jsonl", ORACLE / "programs_may_fail.txt", "--verbose"],
    "training": ["digits_training.safetensors", "-", ROOT / "examples/digits/digits.csv"],
    "symbolic": ["cases", "-", "--verbose"],
}

build, part = pathlib.Path(sys.argv[1]).resolve() / "cross", sys.argv[2]
count = Count()
for tool in (GCC, EMULATOR[0]):
    if not shutil.which(tool):
        print(f"{tool} is not installed; as root: apt-get install g++-aarch64-linux-gnu qemu-user")
        sys.exit(77)

compiler = [GCC]
if part == "selection" and shutil.which("clang++-19"):
    compiler = ["clang++-19", "--target=aarch64-linux-gnu"]

# Headers are the same for every processor; a folder of links keeps all other headers of this machine away.
host = build / "host"
host.mkdir(parents=True, exist_ok=True)
for name in ("boost", "xsimd", "nlohmann", "catch2"):
    link = host / name
    if not link.is_symlink():
        link.symlink_to(pathlib.Path("/usr/include") / name)
kernels = build / "kernels.cpp"
kernels.write_text("#include <tenon/cpu.hpp>\n")
judges = ["cases", "programs", "training"] if part == "selection" else list(JUDGES)
options = ["-std=c++20", "-O0", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-I", ROOT / "include", "-isystem", host]


def made(source):
    start = time.monotonic()
    target = build / (source.stem + ".o")
    status, output = run([str(w) for w in [*compiler, *options, "-c", source, "-o", target]])
    print(f"{source.name}: {compiler[0]} took {time.monotonic() - start:.0f} s", flush=True)
    return status == 0, f"{source} does not compile for AArch64\n{output}"


with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
    vectors = [ROOT / "tests/main.cpp", ROOT / "tests/cpu/simd.cpp"]
    for ok, message in pool.map(made, [kernels] + [ORACLE / (name + ".cpp") for name in judges] + vectors):
        count.check(ok, message)
if count.failed:
    count.finish()
objects = [build / (source.stem + ".o") for source in vectors]
count.demand([GCC, *objects, "-pthread", "-o", build / "vectors"], "the tests of vectors do not link")
output = count.demand([*EMULATOR, build / "vectors"], "vectors on AArch64")
print(f"vectors: {output.strip().splitlines()[-1] if output.strip() else 'no output'}")
count.check(True)
for name in judges:
    count.demand([GCC, build / "kernels.o", build / (name + ".o"), "-pthread", "-o", build / name], f"{name} does not link")

folders = [ORACLE / "selection"] + ([ROOT.parent / "shared/oracle"] if part == "all" else [])
environment = {**os.environ, "TENON_RUN_WITH": " ".join(EMULATOR)}
for folder in folders:
    for name in judges:
        if not (folder / JUDGES[name][0]).exists():
            continue
        start = time.monotonic()
        command = [sys.executable, ORACLE / "run.py", build / name, folder, *JUDGES[name]]
        done = subprocess.run([str(w) for w in command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        lines = done.stdout.splitlines()
        print(f"{folder.name}/{name}: {lines[-1] if lines else 'no output'}, {time.monotonic() - start:.0f} s", flush=True)
        count.check(done.returncode == 0, f"{name} on AArch64:\n{done.stdout[-4000:]}")
count.finish()
