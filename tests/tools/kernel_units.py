"""The units of CUDA kernels compiled in another way for the programs of tests/cuda_sim: other flags or headers, all else as the build folder has it.
For kernel_coverage.py and mutate_kernels.py."""
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from checks import ROOT

CASES = ROOT / "tests/oracle/selection/cases"
KERNELS = ROOT / "include/tenon/cuda"
# What is between the host's half and the runtime, what a device's compiler alone reads, and the executor itself, which unit_cuda judges: no kernel is in these.
NO_BODIES = {"calls", "complex_functions", "component", "events", "executor", "graphs", "lane", "launch", "memory", "own_formulas", "products", "rng_state", "runtime", "streams"}
OWN = "own_rows_device"  # rows of a program's own, a unit of unit_cuda_runtime
LIBRARY = "tests/cuda_sim/libtenon_cuda_sim.a"


def headers():
    """The headers that kernels are made of, without the executor's own."""
    return sorted(p for p in KERNELS.glob("*.hpp") if p.stem not in NO_BODIES)


def listed():
    """The operators whose recorded cases run on the simulated device."""
    names = [line.split("#")[0].strip() for line in (ROOT / "tests/cuda_sim/operators.txt").read_text().splitlines()]
    return [n for n in names if (CASES / f"{n}.jsonl").exists()]


class Units:
    def __init__(self, build, place, jobs):
        self.build, self.place, self.jobs = pathlib.Path(build).resolve(), pathlib.Path(place).resolve(), jobs
        self.place.mkdir(parents=True, exist_ok=True)
        commands = json.loads((self.build / "compile_commands.json").read_text())
        self.host, self.device, self.packed = [], {}, False
        for c in commands:
            if c["file"].endswith(f"cuda_sim/{OWN}.cpp"):
                self.device[OWN], self.own_object = shlex.split(c["command"]), c["output"]
            if not c["output"].startswith(LIBRARY + ".p/"):
                continue
            unit = re.search(r"\bdevice_(\w+)\.cpp$", c["file"])
            if unit:
                self.device[unit[1]] = shlex.split(c["command"])
            else:
                self.host.append(c["output"])

    def keep_those_with(self, names):
        """Of the units only those that read one of these headers; the others are as the build folder has them."""
        def reads(path, seen):
            for name in re.findall(r"#include <tenon/cuda/(\w+)\.hpp>", path.read_text()):
                if name not in seen:
                    seen.add(name)
                    reads(KERNELS / f"{name}.hpp", seen)
            return seen
        for name in set(self.device) - {OWN}:
            if not reads(ROOT / f"kernels_cuda/{name}.cu", set()) & set(names):
                self.host.append(f"{LIBRARY}.p/meson-generated_.._device_{name}.cpp.o")
                del self.device[name]

    def compile(self, flags, front=(), only=None):
        """Their objects, or (status, output) of the first that does not compile. `front` goes before the include paths of the build."""
        def one(name):
            words = self.device[name]
            at = words.index("-o")
            skip = {at, at + 1} | {i + k for i, w in enumerate(words) if w in ("-MF", "-MQ") for k in (0, 1)} | {i for i, w in enumerate(words) if w == "-MD"}
            kept = [w for i, w in enumerate(words) if i not in skip]
            first = 2 if kept[0].endswith("ccache") else 1
            done = subprocess.run([*kept[:first], *front, *kept[first:], *flags, "-o", str(self.place / f"{name}.o")], cwd=self.build, capture_output=True, text=True, errors="replace")
            return done.returncode, done.stderr
        names = sorted(only or self.device)
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return dict(zip(names, pool.map(one, names)))

    def link(self, program, words=()):
        """The program with these objects in front, whose inline functions then prevail."""
        archive = self.place / "host.a"
        if not self.packed:
            archive.unlink(missing_ok=True)
            self.packed = True
            subprocess.run(["ar", "rcs", str(archive), *self.host], cwd=self.build, check=True)
        command = subprocess.run(["ninja", "-C", str(self.build), "-t", "commands", f"tests/cuda_sim/{program}"], capture_output=True, text=True, check=True).stdout.strip().split("\n")[-1]
        line = shlex.split(command)
        assert LIBRARY in line, command
        instead = {LIBRARY: str(archive), self.own_object: str(self.place / f"{OWN}.o")}
        line = [instead.get(w, w) for w in line]
        first = 2 if line[0].endswith("ccache") else 1
        objects = [str(self.place / f"{name}.o") for name in sorted(self.device) if name != OWN]
        line[line.index("-o") + 1] = str(self.place / program)
        subprocess.run([*line[:first], *objects, *line[first:], *words], cwd=self.build, check=True)
        return self.place / program
