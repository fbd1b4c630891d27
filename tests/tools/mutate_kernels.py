"""Changes the bodies of CUDA kernels at random places and sees whether the programs on the simulated device notice, as mutate.py does for all headers.
Usage: mutate_kernels.py BUILD_FOLDER [COUNT [SEED [NAME...]]]: changes in the headers NAME alone where any is given. The build folder has the programs of tests/cuda_sim; only the units of kernels are compiled again, once with all changes
behind switches, then once more for each change that the compiler must see, as far as COMPILED (environment, 20) goes. Setting: JOBS (1)."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time

import mutate
from kernel_units import CASES, ROOT, Units, headers, listed
from mutate import MOST, run, say, summarize, write

place = mutate.build = pathlib.Path(sys.argv[1]).resolve() / "mutate_kernels"
FLAGS = ["-include", str(ROOT / "tests/tools/mutant.hpp"), "-MD", *mutate.TOLD_IN_FULL, "-Wno-error"]


def put(texts, mutants, plain=None):
    """The changed headers, in front of the library's."""
    for name, (text, _) in texts.items():
        edits = [e for m in mutants if m.path == name and m.switched and m is not plain for e in m.edits()]
        if plain is not None and plain.path == name:
            edits += plain.change.plain
        write(place / name, mutate.mutations.apply(text, edits).encode())


def compiled(units, only=None):
    results = units.compile(FLAGS, ["-I", str(place / "include")], only)
    return {name: output for name, (status, output) in results.items() if status}


def build_switched(units, texts, mutants):
    # What an earlier run of the same changes found out.
    known = place / "unswitched.json"
    key = hashlib.sha256(repr([(str(m.path), m.line, m.change.what, texts[m.path][0]) for m in mutants]).encode()).hexdigest()
    if known.exists() and (found := json.loads(known.read_text()))["of"] == key:
        for m in mutants:
            m.switched = m.switched and m.number not in found["numbers"]
    only = None
    for attempt in range(40):
        put(texts, mutants)
        failed = compiled(units, only)
        if not failed:
            if only is None:
                known.write_text(json.dumps({"of": key, "numbers": [m.number for m in mutants if not m.switched]}))
                return
            only = None
            continue
        wrong = set().union(*(mutate.blamed(output, mutants) for output in failed.values()))
        if not wrong:
            sys.exit(next(iter(failed.values()))[-6000:] + "\nthe units do not compile, and no change is to blame")
        for m in wrong:
            m.switched = False
        only = sorted(failed)
    sys.exit("the units still do not compile after 40 attempts")


def parts(programs):
    """What judges: each test of the units, each operator's cases."""
    out = []
    for program in ("unit_cuda_sim", "unit_cuda_runtime"):
        names = subprocess.run([str(programs[program]), "--list-test-names-only"], capture_output=True, text=True).stdout
        for name in names.splitlines():
            if name.strip():
                out.append({"name": f"{program}: {name.strip()}", "program": program, "command": [str(programs[program]), name.strip().replace(",", "\\,").replace("[", "\\["), "--abort"]})
    for name in listed():
        out.append({"name": f"cases of {name}", "program": "cases_cuda_sim", "command": [str(programs["cases_cuda_sim"]), str(CASES), "--device", "cuda", "--here", "--only", name]})
    return out


def main():
    place.mkdir(parents=True, exist_ok=True)
    units = Units(sys.argv[1], place, mutate.jobs)
    names = sys.argv[4:]
    texts, mutants = mutate.draw([p for p in headers() if not names or p.stem in names])
    # All of them, for those of an earlier run would stay, and ccache does not see one that comes to stand in front of the library's.
    for p in headers():
        write(place / p.relative_to(ROOT), p.read_bytes())
    if names:
        units.keep_those_with(names)
    start = time.time()
    build_switched(units, texts, mutants)
    programs = {name: units.link(name) for name in ("unit_cuda_sim", "unit_cuda_runtime", "cases_cuda_sim")}
    say(f"built {sum(m.switched for m in mutants)} switched changes in {time.time() - start:.0f} s")
    tests = parts(programs)

    def reach(test):
        reached = place / f"reached_{id(test)}"
        reached.write_bytes(bytes(MOST))
        start = time.time()
        status, output = run(test["command"], 300, {"TENON_MUTANT_REACHED": str(reached)}, place)
        test["seconds"], test["works"] = time.time() - start, status == 0
        test["env"] = {}
        test["reached"] = {i for i, b in enumerate(reached.read_bytes()) if b}
        reached.unlink()
        if status:
            say(f"left out {test['name']}: it fails without a change\n{output[-600:]}")
        return test

    def finish(m, verdict):
        m.verdict = verdict
        say(f"| {m.where()} | {m.change.what} | {verdict} |")

    def judge(m):
        return mutate.judge(m, [t for t in tests if m.number in t["reached"]], {"TENON_MUTANT": str(m.number)})

    with concurrent.futures.ThreadPoolExecutor(mutate.jobs) as pool:
        tests = sorted((t for t in pool.map(reach, tests) if t["works"]), key=lambda t: t["seconds"])
        say(f"{len(tests)} parts of tests take {sum(t['seconds'] for t in tests):.0f} s\n\n| place | change | verdict |\n|---|---|---|")
        everywhere = set().union(*(t["reached"] for t in tests))
        judged = {pool.submit(judge, m): m for m in mutants if m.switched and m.number in everywhere}
        for done in concurrent.futures.as_completed(judged):
            finish(judged[done], done.result())
    # So must it those whose value it computes, which no run reaches.
    left = int(os.environ.get("COMPILED", "20"))
    for m in mutants:
        if m.verdict is not None:
            continue
        if left == 0:
            finish(m, "not judged: the compiler must see it")
            continue
        left -= 1
        put(texts, mutants, m)
        affected = [name for name in units.device if f"/{m.path.name}" in (units.place / f"{name}.d").read_text()]
        failed = compiled(units, affected)
        if failed:
            finish(m, "stillborn" if len(failed) == len(affected) else "killed by the compiler")
        else:
            for name in programs:
                units.link(name)
            finish(m, mutate.judge(m, tests, {}))
        put(texts, mutants)
        compiled(units, affected)
    summarize(texts, mutants)


if __name__ == "__main__":
    main()
