"""Prints a line per test program and the number of test cases that passed and failed; failures in full.
Usage: report.py TESTLOG_JSON, the file that `meson test` wrote."""
import json
import re
import sys

CATCH_ALL = re.compile(r"All tests passed \(.*? in (\d+) test cases?\)")
CATCH_SOME = re.compile(r"^test cases:\s*(\d+)\s*\|(.*)$", re.M)
OWN = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)
SKIP = 77


def cases(entry):
    """(passed, failed) of one program, from what it printed or, failing that, from its exit status."""
    text, ok = entry.get("stdout", ""), entry["returncode"] == 0
    own = OWN.findall(text)
    if own:
        passed, failed = map(int, own[-1])
    elif m := CATCH_ALL.search(text):
        passed, failed = int(m.group(1)), 0
    elif m := CATCH_SOME.search(text):
        counts = dict((word, int(number)) for number, word in re.findall(r"(\d+) (passed|failed)", m.group(2)))
        passed, failed = counts.get("passed", 0), counts.get("failed", 0)
    else:
        passed, failed = (1, 0) if ok else (0, 1)
    if not ok and failed == 0:  # it crashed, or failed after its last word
        failed = 1
    return passed, failed


passed = failed = 0
with open(sys.argv[1]) as log:
    entries = [json.loads(line) for line in log if line.strip()]
for entry in entries:
    entry["name"] = entry["name"].split(":")[-1].split(" / ")[-1].strip()
for entry in sorted(entries, key=lambda e: e["name"]):
    name = entry["name"]
    if entry["returncode"] == SKIP or entry["result"] == "SKIP":
        reason = (entry.get("stdout", "").strip().splitlines() or ["no reason given"])[-1]
        print(f"  skipped {name}: {reason}")
        continue
    p, f = cases(entry)
    passed, failed = passed + p, failed + f
    print(f"  {name:<22} {p:>6} passed" + (f", {f} failed" if f else "") + f"  ({entry['duration']:.1f} s)")
    for line in entry.get("stdout", "").splitlines():
        if line.startswith("skipped ") and not f:
            print("    " + line)
    if f:
        print(entry.get("stdout", ""), entry.get("stderr", ""), sep="\n")
        if entry["result"] == "TIMEOUT":
            print("  stopped at its time limit")
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
