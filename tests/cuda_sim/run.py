"""Runs the recorded cases of the operators that have kernels on the simulated device, or on a real one.
Usage: run.py PROGRAM FOLDER LIST [--all] [--jobs N] [--device NAME] [--least SHARE]: LIST names operators, a line each; those of FOLDER that it lacks are not run. With --all everything is
run and what passes is printed, for writing LIST. N programs share the operators (1): on a real device each operator's process first makes it ready. With --least it is enough that so many per cent
of the cases pass."""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

program, folder, list_file = sys.argv[1:4]
listed = [line.split("#")[0].strip() for line in pathlib.Path(list_file).read_text().splitlines()]
if not pathlib.Path(folder).is_dir():
    print(f"no recorded answers in {folder}")
    sys.exit(77)
present = {p.stem for p in pathlib.Path(folder).glob("*.jsonl")}
every = "--all" in sys.argv
jobs = int(sys.argv[sys.argv.index("--jobs") + 1]) if "--jobs" in sys.argv else 1
device = sys.argv[sys.argv.index("--device") + 1] if "--device" in sys.argv else "cuda"
names = sorted(present) if every else [name for name in listed if name in present]
if not names:
    sys.exit("no operator of the list has cases")


def run(share):
    done = subprocess.run([program, folder, "--device", device, "--verbose", *(w for name in share for w in ("--only", name))], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout


with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    results = list(pool.map(run, [share for share in (names[i::jobs] for i in range(jobs)) if share]))
output = "".join(text for _, text in results)
if every:
    print("\n".join(sorted(re.findall(r"^(\w+) [1-9]\d* 0$", output, re.M))))
    sys.exit(0)
print(output[-20000:])
if "--least" in sys.argv:
    counts = [(int(p), int(f)) for p, f in re.findall(r"^(\d+) passed, (\d+) failed$", output, re.M)]
    passed, every = sum(p for p, _ in counts), sum(p + f for p, f in counts)
    share, least = 100 * passed / every if every else 0, float(sys.argv[sys.argv.index("--least") + 1])
    print(f"{passed} of {every} cases pass, {share:.2f} % ({least:g} % asked for)")
    sys.exit(share < least or len(counts) != len(results))  # a program that did not come to its end
sys.exit(max(status != 0 for status, _ in results))
