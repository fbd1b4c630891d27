"""Runs one program over recorded answers and forgives the operators, or the programs, that may fail.
Usage: run.py PROGRAM FOLDER NAME [MAY_FAIL_FILE|-] [ARGUMENT...]: NAME is what the program reads in the folder, ARGUMENTs follow it.
The environment variable TENON_ORACLE names a folder to take instead of one outside the repository; TENON_RUN_WITH, the command
that runs a program of another processor."""
import os
import pathlib
import platform
import re
import subprocess
import sys

program, folder, name, may_fail_file, *arguments = (sys.argv[1:] + ["-"])[:max(4, len(sys.argv) - 1)]
own = pathlib.Path(folder).resolve().is_relative_to(pathlib.Path(__file__).resolve().parent)
if not own:
    folder = os.environ.get("TENON_ORACLE", folder)
recorded = pathlib.Path(folder).resolve() / name
if not recorded.exists():
    print(f"no recorded answers in {recorded}")
    sys.exit(77)
emulator = os.environ.get("TENON_RUN_WITH", "")
may_fail = set()
if may_fail_file != "-" and pathlib.Path(may_fail_file).exists():
    lines = pathlib.Path(may_fail_file).read_text().splitlines()
    # A second word is the instruction set, or the processor, with which alone a case may fail.
    words = [line.split("#")[0].split() for line in lines]
    here = (os.environ.get("TENON_CPU_CAPABILITY"), "aarch64" if "aarch64" in emulator + platform.machine() else "x86_64")
    may_fail = {w[0] for w in words if w and (len(w) == 1 or w[1] in here)}

done = subprocess.run([*emulator.split(), program, str(recorded), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
output = done.stdout
sums = re.findall(r"^(\d+) passed, (\d+) failed$", output, re.M)
if not sums:
    print(output)
    print(f"{program} stopped with status {done.returncode} before its sum")
    print("0 passed, 1 failed")
    sys.exit(1)
passed, failed = map(int, sums[-1])
# What may fail is an operator with a summary of its own, or a single case.
operators = {case: (0, 1) for case in re.findall(r"^FAILED: (\S+): ", output, re.M)}
operators.update({op: (int(p), int(f)) for op, p, f in re.findall(r"^(\S+) (\d+) (\d+)$", output, re.M)})

forgiven = 0
for op in sorted(may_fail):
    p, f = operators.get(op, (0, 0))
    forgiven += f
    failed -= f
    # A selection need not hold the case that fails.
    if f == 0 and not own:
        print(f"FAILED: {op} passes: remove it from {pathlib.Path(may_fail_file).name}")
        failed += 1
# What remains to be read: no operator that passes, no case that may fail.
for line in output.splitlines()[:-1]:
    summary = re.match(r"(\S+) (\d+) (\d+)$", line)
    if summary and (summary[3] == "0" or summary[1] in may_fail):
        continue
    if any(line.startswith(f"FAILED: {op}: ") for op in may_fail):
        continue
    print(line)
if forgiven:
    print(f"skipped {forgiven}: they belong to {len(may_fail)} entries of {pathlib.Path(may_fail_file).name}")
if done.returncode not in (0, 1) or done.returncode == 1 and sums[-1][1] == "0":
    print(f"FAILED: {program} ended with status {done.returncode} after {output[-2000:]}")
    failed += 1
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
