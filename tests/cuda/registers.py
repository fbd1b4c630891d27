"""Registers, spilled bytes and shared memory of every kernel body as ptxas tells them, held against registers.txt: they may not grow unnoticed.
Usage: registers.py [--write] [--logs FOLDER]. Needs nvcc and no device; compiles all units with `-Xptxas -v`, or reads UNIT.log of an earlier run."""
import collections
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = pathlib.Path(__file__).with_name("registers.txt")
WORDS = ["-std=c++20", "-O3", "--expt-relaxed-constexpr", "--expt-extended-lambda", "-diag-suppress", "186", "-gencode", "arch=compute_80,code=sm_80",
         "-gencode", "arch=compute_90,code=sm_90", "-Xptxas", "-v", "-I", str(ROOT / "include"), "-c", "-o", "/dev/null"]
HEAD = ("# Body, architecture, kernels, and of these the most registers, bytes spilled and bytes of shared memory; by tests/cuda/registers.py --write.\n")


def output_of(unit, logs):
    if logs:
        return (logs / f"{unit.stem}.log").read_text()
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    done = subprocess.run([nvcc, *WORDS, str(unit)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{unit}: {done.stderr[-2000:]}")
    return done.stderr


def body_of(mangled):
    """The name behind `kernel<Body, ...>`: lengths in front of names are the Itanium ABI's."""
    at = mangled.index("kernelI") + len("kernelI")
    names = []
    nested = mangled[at] == "N"
    at += nested
    while at < len(mangled):
        if mangled[at] == "S":  # a substitution, as of tenon::cuda
            at = mangled.index("_", at) + 1
            continue
        digits = re.match(r"\d+", mangled[at:])
        if not digits:
            break
        at += digits.end()
        names.append(mangled[at:at + int(digits[0])])
        at += int(digits[0])
        if not nested:
            break
    return names[-1]


def measured(logs):
    worst = collections.defaultdict(lambda: [0, 0, 0, 0])
    for unit in sorted(set((ROOT / "kernels_cuda").glob("*.cu")) - {ROOT / "kernels_cuda/cub.cu"}):  # kernels of CUB
        text = output_of(unit, logs)
        for block in text.split("Compiling entry function ")[1:]:
            name, arch = re.match(r"'(\w+)' for '(sm_\d+)'", block).groups()
            used = re.search(r": Used (\d+) registers", block)
            shared = re.search(r"(\d+) bytes smem", block)
            # With those of functions that it calls.
            spilled = max(int(v) for v in re.findall(r"(\d+) bytes spill stores", block))
            row = worst[body_of(name), arch]
            row[0] += 1
            for i, value in enumerate((int(used[1]), spilled, int(shared[1]) if shared else 0)):
                row[i + 1] = max(row[i + 1], value)
    return worst


def main():
    arguments = sys.argv[1:]
    logs = pathlib.Path(arguments[arguments.index("--logs") + 1]) if "--logs" in arguments else None
    found = measured(logs)
    if "--write" in arguments:
        rows = [f"{body:24} {arch} {' '.join(str(v).rjust(5) for v in row)}\n" for (body, arch), row in sorted(found.items())]
        TABLE.write_text(HEAD + "".join(rows))
        return 0
    kept = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            body, arch, *row = line.split()
            kept[body, arch] = [int(v) for v in row]
    failed = 0
    for key, row in sorted(found.items()):
        if key not in kept:
            print(f"{' '.join(key)}: not in {TABLE.name}; run registers.py --write")
            failed += 1
        elif any(now > then for now, then in zip(row[1:], kept[key][1:])):
            print(f"{' '.join(key)}: registers, spilled, shared {row[1:]}, were {kept[key][1:]}")
            failed += 1
    compiled = {architecture for _, architecture in found}  # a build may leave some out
    for key in sorted(key for key in kept.keys() - found.keys() if key[1] in compiled):
        print(f"{' '.join(key)}: no such kernel; run registers.py --write")
        failed += 1
    print(f"{len(found) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
