"""Runs the recorded cases of the operators that have kernels on the simulated device.
Usage: run.py PROGRAM FOLDER LIST [--all]: LIST names operators, a line each; those of FOLDER that it lacks are not run. With --all everything is run and
what passes is printed, for writing LIST."""
import pathlib
import re
import subprocess
import sys

program, folder, list_file = sys.argv[1:4]
listed = [line.split("#")[0].strip() for line in pathlib.Path(list_file).read_text().splitlines()]
present = {p.stem for p in pathlib.Path(folder).glob("*.jsonl")}
every = "--all" in sys.argv
only = [] if every else [w for name in listed if name in present for w in ("--only", name)]
done = subprocess.run([program, folder, "--device", "cuda", "--verbose", *only], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
if every:
    passed = re.findall(r"^(\w+) [1-9]\d* 0$", done.stdout, re.M)
    print("\n".join(sorted(passed)))
    sys.exit(0)
print(done.stdout[-20000:])
if not only:
    print("no operator of the list has cases")
    sys.exit(1)
sys.exit(done.returncode)
