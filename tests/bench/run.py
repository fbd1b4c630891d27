"""Runs the benchmark and, if the interpreter PYTHON has torch, the peer's between its runs; prints speed ratios.
Usage: run.py BENCH [PART]: rows `name best_ns median_ns`. The peer's rows are those of peer/*.cpp here, and of the folder that
TENON_PEER names (default ../shared/peer) where there is one. Speed is the peer's time over ours: above 1 the library is faster."""
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUNDS = 3
ours, part = sys.argv[1], sys.argv[2:3]
python = os.environ.get("PYTHON")


def own_peers():
    """The programs of peer/, compiled against the interpreter's torch once."""
    asked = subprocess.run([python, "-c", "import torch, os; print(os.path.dirname(torch.__file__), torch.__version__)"], stdout=subprocess.PIPE, text=True)
    if asked.returncode != 0:
        sys.exit(f"{python} has no torch")
    site, version = asked.stdout.split()
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tenon-peer"
    cache.mkdir(parents=True, exist_ok=True)
    for source in sorted((ROOT / "tests/bench/peer").glob("*.cpp")):
        program = cache / f"{source.stem}-{version}"
        newest = max(f.stat().st_mtime for f in (source, ROOT / "tests/bench/peer/peer.hpp", ROOT / "tests/bench/row.hpp"))
        if not program.exists() or program.stat().st_mtime < newest:
            subprocess.run(["g++", "-std=c++20", "-O2", "-DNDEBUG", source, "-o", program, f"-I{site}/include",
                            f"-I{site}/include/torch/csrc/api/include", f"-L{site}/lib", "-ltorch", "-ltorch_cpu", "-lc10",
                            f"-Wl,-rpath,{site}/lib"], check=True)
        yield [str(program)]


def peer_commands():
    if not python:
        print("# PYTHON names no interpreter with torch: the library alone")
        return []
    script = pathlib.Path(os.environ.get("TENON_PEER", ROOT.parent / "shared" / "peer")) / "torch_bench.sh"
    if "TENON_PEER" in os.environ and not script.exists():
        sys.exit(f"no peer in {script.parent}; TENON_PEER names the folder that holds torch_bench.sh")
    return ([[str(script)]] if script.exists() else []) + list(own_peers())


def rows(command):
    """name -> best and median nanoseconds; comments are shown."""
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
peer = peer_commands()
mine, theirs = {}, {}
for _ in range(ROUNDS if peer else 1):
    for table, commands in [(mine, [[ours]]), (theirs, peer)]:
        found = {}
        for command in commands:
            found.update(rows(command))
        for name, both in found.items():
            table.setdefault(name, []).append(both)

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
