"""Runs one program over the recorded answers and forgives the operators that may fail.
Usage: run.py PROGRAM DEFAULT_FOLDER NAME [MAY_FAIL_FILE]: NAME is what the program reads in the folder; TENON_ORACLE names another folder."""
import os
import pathlib
import re
import subprocess
import sys

program = sys.argv[1]
recorded = pathlib.Path(os.environ.get("TENON_ORACLE", sys.argv[2])).resolve() / sys.argv[3]
if not recorded.exists():
    print(f"no recorded answers in {recorded}")
    sys.exit(77)
may_fail = set()
if len(sys.argv) > 4 and pathlib.Path(sys.argv[4]).exists():
    lines = pathlib.Path(sys.argv[4]).read_text().splitlines()
    may_fail = {line.split("#")[0].strip() for line in lines} - {""}

done = subprocess.run([program, str(recorded)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
output = done.stdout
sums = re.findall(r"^(\d+) passed, (\d+) failed$", output, re.M)
if not sums:
    print(output)
    print(f"{program} stopped with status {done.returncode} before its sum")
    print("0 passed, 1 failed")
    sys.exit(1)
passed, failed = map(int, sums[-1])
operators = {name: (int(p), int(f)) for name, p, f in re.findall(r"^operator (\S+): (\d+) passed, (\d+) failed$", output, re.M)}

forgiven = 0
for name in sorted(may_fail):
    p, f = operators.get(name, (0, 0))
    forgiven += f
    failed -= f
    if f == 0:
        print(f"FAILED: {name} passes {p} cases: remove it from {pathlib.Path(sys.argv[4]).name}")
        failed += 1
# What remains to be read: no operator that passes, no case that may fail.
for line in output.splitlines()[:-1]:
    if line.startswith("operator ") and line.endswith(" 0 failed"):
        continue
    if may_fail and any(line.startswith(start) for name in may_fail for start in (f"FAILED: {name}/", f"FAILED: {name}:", f"operator {name}:")):
        continue
    print(line)
if forgiven:
    print(f"skipped {forgiven}: they belong to {len(may_fail)} operators that may fail")
if done.returncode not in (0, 1) or done.returncode == 1 and sums[-1][1] == "0":
    print(f"FAILED: {program} ended with status {done.returncode} after {output[-2000:]}")
    failed += 1
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
