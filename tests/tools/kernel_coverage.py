"""Which lines of the bodies of CUDA kernels the simulator's programs run: a row for each header, the lines that nothing runs, and the share of all.
Usage: kernel_coverage.py BUILD_FOLDER [LEAST]: fails below LEAST per cent (95). The build folder has the programs of tests/cuda_sim; JOBS (2) compilers at a time."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from kernel_units import CASES, KERNELS, ROOT, Units, headers, listed


def counted(place, units):
    """{header: {line: times run}}, over all units and all instances of a template."""
    lines = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(units):
            text = subprocess.run(["gcov", "--stdout", "--json-format", str(place / f"{name}.gcda")], cwd=folder, capture_output=True, text=True, check=True).stdout
            for record in text.splitlines():
                for file in json.loads(record)["files"]:
                    path = pathlib.Path(file["file"])
                    path = (place.parent / path).resolve() if not path.is_absolute() else path
                    if path.parent != KERNELS:
                        continue
                    at = lines.setdefault(path, {})
                    for line in file["lines"]:
                        at[line["line_number"]] = at.get(line["line_number"], 0) + line["count"]
    return lines


def main():
    build, least = pathlib.Path(sys.argv[1]).resolve(), float((sys.argv[2:] + ["95"])[0])
    units = Units(build, build / "kernel_coverage", int(os.environ.get("JOBS", "2")))
    for old in units.place.glob("*.gcda"):
        old.unlink()
    for name, (status, output) in units.compile(["--coverage", "-O0"]).items():
        if status:
            sys.exit(f"{name}: {output[-3000:]}")
    runs = [[units.link("unit_cuda_sim", ["--coverage"])], [units.link("unit_cuda_runtime", ["--coverage"])],
            [units.link("cases_cuda_sim", ["--coverage"]), CASES, "--device", "cuda", "--here", *(w for name in listed() for w in ("--only", name))]]
    for run in runs:
        done = subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode:
            sys.exit(f"{run[0]} fails:\n{done.stdout[-3000:]}")
    lines = counted(units.place, units.device)
    total = ran = 0
    for path in headers():
        at = lines.get(path, {})
        if not at:
            continue
        missed = sorted(n for n, times in at.items() if times == 0)
        total += len(at)
        ran += len(at) - len(missed)
        print(f"{path.name:24} {len(at) - len(missed):4} of {len(at):4}" + (f"  not: {' '.join(map(str, missed))}" if missed else ""))
    share = 100 * ran / total
    print(f"{share:.1f} % of {total} lines of kernel bodies run ({least:g} % asked for)")
    return share < least


if __name__ == "__main__":
    sys.exit(main())
