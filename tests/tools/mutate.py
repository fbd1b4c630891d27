"""Changes the headers at random places and sees whether a test notices: a table of the changes, the survivors once more, and a summary line.
Usage: mutate.py BUILD_FOLDER [COUNT [SEED]]. `./dev mutate` calls it.
All changes are built at once into a copy of the tree under the build folder, behind switches (mutant.hpp); a run without any tells which programs reach which change, and
each change is then judged by those that reach it, programs of its folder first, then the cheapest. What only the compiler sees (constant expressions) is built for itself, for
at most LIMIT seconds (environment, 300). Settings: CXX, JOBS (1), TENON_ORACLE (the recorded answers)."""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mutations
from checks import ROOT

place = pathlib.Path(sys.argv[1]).resolve() / "mutate"
count, seed = int((sys.argv + ["", ""])[2] or 40), int((sys.argv[3:] + ["1"])[0])
tree, build, jobs, limit = place / "tree", place / "build", int(os.environ.get("JOBS", "1")), int(os.environ.get("LIMIT", "300"))
environment = {**os.environ, "TENON_ORACLE": os.environ.get("TENON_ORACLE", str(ROOT.parent / "shared" / "oracle"))}
TOLD_IN_FULL = ["-w", "-ftemplate-backtrace-limit=0", "-fmax-errors=0"]  # an error names every place on the way to it
MOST = 4096  # bytes of the file that says what was reached


def say(text):
    print(text, flush=True)


def run(command, seconds=None, env=None, cwd=None):
    """(exit status, output); what takes longer is ended with all its children. Memory is bounded too: a loop may never end."""
    def bounded():
        resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, errors="replace",
                               cwd=cwd or build, env={**environment, **(env or {})}, start_new_session=True, preexec_fn=bounded)
    try:
        output, _ = started.communicate(timeout=seconds)
        return started.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)
        started.communicate()
        return 124, "stopped at its time limit"


def write(path, text):
    """Only what differs, for the build looks at dates."""
    if not path.exists() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


class Mutant:
    def __init__(self, number, path, line, change):
        self.number, self.path, self.line, self.change = number, path, line, change
        self.switched = bool(change.switched)
        self.verdict = None

    def where(self):
        return f"{self.path.relative_to('include/tenon')}:{self.line + 1}"

    def edits(self):
        return [(a, b, text.replace("TENON_MUTANT(N)", f"TENON_MUTANT({self.number})")) for a, b, text in self.change.switched]


def draw(paths):
    """Places with equal chances for each line of code, one change each; none overlaps another."""
    texts = {}
    lines = []
    for path in paths:
        text = path.read_text()
        name = path.relative_to(ROOT)
        texts[name] = (text, mutations.masked(text))
        lines += [(name, i) for i in mutations.code_lines(texts[name][1])]
    chance = random.Random(seed)
    out, taken, drawn = [], {}, 0
    for name, line in chance.sample(lines, len(lines)):
        if len(out) == min(count, MOST):
            break
        drawn += 1
        kinds = mutations.changes(*texts[name], line)
        if not kinds:
            continue
        change = chance.choice(chance.choice(kinds))
        low, high = change.span()
        if any(low <= b and a <= high for a, b in taken.get(name, [])):
            continue
        taken.setdefault(name, []).append((low, high))
        out.append(Mutant(len(out), name, line, change))
    say(f"{len(lines)} lines of code, {drawn} drawn, {len(out)} can be changed (seed {seed})")
    return texts, out


def copy_tree():
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True).stdout
    wanted = {pathlib.Path(os.fsdecode(n)) for n in names.split(b"\0") if n}
    for name in wanted:
        if (ROOT / name).is_file() and not str(name).startswith("include/tenon/"):
            write(tree / name, (ROOT / name).read_bytes())
            os.chmod(tree / name, (ROOT / name).stat().st_mode)
    for path in tree.rglob("*"):
        if path.is_file() and path.relative_to(tree) not in wanted:
            path.unlink()


def place_headers(texts, mutants, plain=None):
    """The headers with the switches of all that have one; `plain` is changed in its own words instead."""
    for name, (text, _) in texts.items():
        edits = [e for m in mutants if m.path == name and m.switched and m is not plain for e in m.edits()]
        if plain is not None and plain.path == name:
            edits += plain.change.plain
        write(tree / name, mutations.apply(text, edits).encode())


def configure():
    compiler = environment.get("CXX") or "c++"
    if not compiler.startswith("ccache ") and subprocess.run(["which", "ccache"], capture_output=True).returncode == 0:
        compiler = "ccache " + compiler
    environment["CXX"] = compiler
    if not (build / "build.ninja").exists():
        build.mkdir(parents=True, exist_ok=True)
        include = tree / "tests/tools/mutant.hpp"
        status, output = run(["meson", "setup", str(build), str(tree), "-Doptimization=0", "-Db_ndebug=false", "-Dexamples=disabled", f"-Dcpp_args=['-include','{include}',{','.join(map(repr, TOLD_IN_FULL))}]"],
                             cwd=place)
        if status:
            sys.exit(output)


def programs():
    """The unit tests and the oracle programs: name, command, what it is built from."""
    out = []
    for test in json.loads(run(["meson", "introspect", "--tests", str(build)])[1]):
        own = [a[len(str(build)) + 1:] if a.startswith(str(build) + "/tests") else a for a in test["cmd"]]
        targets = [a for a in own if re.fullmatch(r"tests/(unit_\w+|oracle/\w+|fuzz/\w+_replay)", a)]
        if targets:
            out.append({"name": test["name"], "command": test["cmd"] + (["--abort"] if "unit_" in targets[0] else []), "target": targets[0], "env": dict(test["env"])})
    return out


def blamed(output, mutants):
    """The changes that a compiler's output names by their lines."""
    at = {(str(m.path), m.line + 1): m for m in mutants if m.switched}
    blocks = re.split(r"\n(?=\S+:\d+:\d+: (?:fatal )?error:|In file included)", output)
    found = set()
    for block in blocks:
        if "error:" not in block:
            continue
        named = [at[k] for k in ((f, int(n)) for f, n in re.findall(r"(include/tenon/[\w/.]+):(\d+)", block)) if k in at]
        if "TENON_MUTANT" in block or "tenon_mutant" in block:
            numbers = {int(n) for n in re.findall(r"TENON_MUTANT\((\d+)\)|\bon\((\d+)\)", block) for n in n if n}
            named += [m for m in mutants if m.number in numbers]
        if not any(m.switched and m in named for m in mutants):
            # An operator's call is instantiated where no line of the caller is named: by the names that are swapped in it.
            for m in at.values():
                callee = re.search(r"\?[ ]([\w:]+)\(", m.change.switched[0][2]) if m.change.what.startswith("swap") else None
                if callee and re.search(rf"\bops::{callee.group(1).split('::')[-1]}_", block):
                    named.append(m)
        found.update(named)
    return found


def halved(texts, wrong, flags=()):
    """The changes without which the unit of all headers compiles, found by halves; `wrong` does not compile."""
    if len(wrong) == 1:
        return set(wrong)
    out, half = set(), len(wrong) // 2
    for part in (wrong[:half], wrong[half:]):
        place_headers(texts, part)
        if unit_of_all(flags)[0]:
            out |= halved(texts, part, flags)
    return out


def computed_by_compiler(texts, unreached):
    """The numbers of the changes that no program reaches because the compiler, or the data that it makes, has their value."""
    out = {m.number for m in unreached if re.fullmatch(r"`[\w.]+` -> `.*`", m.change.what)}
    left = [m for m in unreached if m.number not in out]
    flags = ["-DTENON_MUTANT_PROBE", "-Wno-invalid-constexpr" if "clang" in environment["CXX"] else "-fpermissive"]
    while left:
        place_headers(texts, left)
        status, output = unit_of_all(flags)
        if status == 0:
            break
        wrong = blamed(output, left) or halved(texts, left, flags)
        if not wrong:
            break
        out |= {m.number for m in wrong}
        left = [m for m in left if m not in wrong]
    return out


def unit_of_all(extra=()):
    """Compiles one unit of all headers; that finds most of what does not compile."""
    unit = place / "all.cpp"
    unit.write_text("#include <tenon/tenon.hpp>\n#include <tenon/bodies.hpp>\n#include <tenon/cpu.hpp>\n")
    return run([*environment["CXX"].split(), "-std=c++20", "-fsyntax-only", *TOLD_IN_FULL, "-pthread", f"-I{tree}/include", "-include", f"{tree}/tests/tools/mutant.hpp", *extra, str(unit)], 900)


def build_switched(texts, mutants, targets):
    """Builds all changes behind switches; those that cannot be switched are left to the compiler."""
    for attempt in range(40):
        place_headers(texts, mutants)
        status, output = unit_of_all()
        if status == 0:
            status, output = run(["ninja", "-C", str(build), "-k", "0", "-j", str(jobs), *targets])
        if status == 0:
            return
        wrong = blamed(output, mutants)
        if not wrong:
            wrong = halved(texts, [m for m in mutants if m.switched])
        if not wrong:
            sys.exit(output[-6000:] + "\nthe copy does not build, and no change is to blame")
        for m in wrong:
            m.switched = False
    sys.exit("the copy still does not build after 40 attempts")


def judge(mutant, tests, env):
    for test in tests:
        start = time.time()
        status, output = run(test["command"], 10 * test["seconds"] + 10, {**test["env"], **env})
        if status not in (0, 77):
            return f"killed by {test['name']}" + (" (time)" if status == 124 else " (crash)" if status < 0 else "")
    return "survived" if tests else "survived: no test reaches it"


def judge_alone(texts, mutants, mutant, tests):
    """A change that the compiler must see: the program of its folder first, then the others, as far as the time goes."""
    place_headers(texts, mutants, mutant)
    if unit_of_all()[0] != 0:
        return "stillborn"
    end = time.time() + limit
    for test in tests:
        status, output = run(["ninja", "-C", str(build), "-j", str(jobs), test["target"]], max(1, end - time.time()))
        if status == 124:
            return f"not judged: building {test['target']} and what comes before takes over {limit} s"
        if status:
            return "killed by the compiler"
        verdict = judge(mutant, [test], {})
        if verdict.startswith("killed"):
            return verdict
    return "survived"


def summarize(texts, mutants):
    survivors = [m for m in mutants if m.verdict.startswith("survived")]
    if survivors:
        say("\nsurvivors:")
    for m in survivors:
        lines = texts[m.path][0].split("\n")
        say(f"  {m.where()}: {m.change.what}: {m.verdict}\n      {lines[m.line].strip()}")
    kinds = {word: sum(m.verdict.startswith(word) for m in mutants) for word in ("killed", "survived", "stillborn", "not judged")}
    alive = kinds["killed"] + kinds["survived"]
    say(f"\n{len(mutants)} changes: " + ", ".join(f"{n} {word}" for word, n in kinds.items()) + f"; noticed {kinds['killed']} of {alive}" + (f", {100 * kinds['killed'] / alive:.0f} %" if alive else "") + f" (seed {seed})")


def main():
    place.mkdir(parents=True, exist_ok=True)
    texts, mutants = draw(sorted((ROOT / "include/tenon").rglob("*.hpp")))
    copy_tree()
    place_headers(texts, [])
    configure()
    tests = programs()
    start = time.time()
    targets = sorted({t["target"] for t in tests})
    build_switched(texts, mutants, targets)
    say(f"built {sum(m.switched for m in mutants)} switched changes in {time.time() - start:.0f} s")

    reached = place / "reached"
    for test in tests:
        reached.write_bytes(bytes(MOST))
        start = time.time()
        status, output = run(test["command"], None, {**test["env"], "TENON_MUTANT_REACHED": str(reached)})
        test["seconds"], test["works"] = time.time() - start, status == 0
        if status not in (0, 77):
            say(f"left out {test['name']}: it fails without a change\n{output[-1500:]}")
        test["reached"] = {i for i, b in enumerate(reached.read_bytes()) if b}
    tests = sorted((t for t in tests if t["works"]), key=lambda t: t["seconds"])
    everywhere = set().union(*(t["reached"] for t in tests))
    computed = computed_by_compiler(texts, [m for m in mutants if m.switched and m.number not in everywhere])

    def ordered(m, programs_of):
        folder = m.path.parts[2]
        return sorted(programs_of, key=lambda t: (t["target"] != f"tests/unit_{folder}", t["seconds"]))

    def finish(m, verdict):
        m.verdict = verdict
        say(f"| {m.where()} | {m.change.what} | {verdict} |")

    say("\n| place | change | verdict |\n|---|---|---|")
    switched = [m for m in mutants if m.switched and (m.number in everywhere or m.number not in computed)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        judged = {pool.submit(judge, m, ordered(m, [t for t in tests if m.number in t["reached"]]), {"TENON_MUTANT": str(m.number)}): m for m in switched}
        for done in concurrent.futures.as_completed(judged):
            finish(judged[done], done.result())
    for m in mutants:
        if m.verdict is None:
            finish(m, judge_alone(texts, mutants, m, ordered(m, [t for t in tests if "_" not in t["name"] or t["name"].startswith("oracle_")])))

    summarize(texts, mutants)


if __name__ == "__main__":
    main()
