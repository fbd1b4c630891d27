"""Holds docs/promises.md and docs/extensions.md against the tests that they name: each row names a file, and cases of it where it is C++. Usage: promises.py"""
import re
import sys
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import ROOT, Count

count = Count()
for name in ("promises", "extensions"):
    page = ROOT / f"docs/{name}.md"
    rows = [line for line in page.read_text().splitlines() if re.match(r"\| (?!what |---)", line)]
    count.check(len(rows) >= 25, f"{page.name} has {len(rows)} rows")
    for row in rows:
        tests = re.findall(r"\[`([^`]+)`\]\(([^)]+)\)(?:: ((?:\"[^\"]+\"(?:, )?)+))?", row)
        count.check(tests, f"no test: {row}")
        for _, path, cases in tests:
            there = (page.parent / path).resolve()
            # A case's name may go on in the next line of its source.
            text = re.sub(r"\"\s*\n\s*\"", "", there.read_text()) if there.is_file() else None
            count.check(there.exists(), f"{path} is not there: {row}")
            for case in re.findall(r"\"([^\"]+)\"", cases):
                count.check(text is not None and f'"{case}"' in text, f"{path} has no case \"{case}\"")
count.finish()
