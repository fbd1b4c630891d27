"""Runs the benchmark and, if the interpreter PYTHON has torch, the peer's between its runs; prints speed ratios.
Usage: run.py BENCH [PART]: rows `name best_ns median_ns`. TENON_PEER names the folder of the peer's source
(default ../shared/peer). Speed is the peer's time over ours: above 1 the library is faster."""
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUNDS = 3
ours, part = sys.argv[1], sys.argv[2:3]
python = os.environ.get("PYTHON")


def peer_command():
    if not python:
        print("# PYTHON names no interpreter with torch: the library alone")
        return None
    folder = pathlib.Path(os.environ.get("TENON_PEER", ROOT.parent / "shared" / "peer"))
    script = folder / "torch_bench.sh"
    if not script.exists():
        sys.exit(f"no peer in {folder}; TENON_PEER names the folder that holds torch_bench.sh")
    return [str(script)]


def rows(command):
    """name -> best nanoseconds; comments are shown."""
    found = {}
    done = subprocess.run(command + part, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with status {done.returncode}")
    for line in done.stdout.splitlines():
        if line.startswith("#"):
            if line not in shown:
                print(line)
                shown.add(line)
            continue
        words = line.split()
        if len(words) >= 2:
            found[words[0]] = (float(words[1]), float(words[2] if len(words) > 2 else words[1]))
    return found


shown = set()
peer = peer_command()
mine, theirs = {}, {}
for _ in range(ROUNDS if peer else 1):
    for table, command in [(mine, [ours])] + ([(theirs, peer)] if peer else []):
        for name, (best, median) in rows(command).items():
            table.setdefault(name, []).append((best, median))

print(f"{'':<34}{'best ns':>12}{'median ns':>12}" + (f"{'peer best':>12}{'speed':>8}{'lowest':>8}{'highest':>8}" if peer else ""))
ratios = []
for name, runs in mine.items():
    best, median = min(r[0] for r in runs), statistics.median(r[1] for r in runs)
    line = f"{name:<34}{best:>12.1f}{median:>12.1f}"
    if name in theirs:
        each = [t[0] / m[0] for m, t in zip(runs, theirs[name]) if m[0] > 0]
        ratio = min(t[0] for t in theirs[name]) / best if best > 0 else float("nan")
        ratios.append(ratio)
        line += f"{min(t[0] for t in theirs[name]):>12.1f}{ratio:>8.2f}{min(each):>8.2f}{max(each):>8.2f}"
    print(line)
for name in theirs:
    if name not in mine:
        print(f"{name:<34}{'only in the peer':>24}")
if ratios:
    print(f"geometric mean of speed over {len(ratios)} rows: {statistics.geometric_mean(ratios):.2f}")
