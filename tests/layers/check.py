"""Reads includes and lists: layers point upwards only, umbrellas are complete, details stay private, sources are listed."""
import pathlib
import re
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[up] / folder) for up, folder in ((1, "tools"), (2, "examples"))]
import facts
from prints import printed_by
from checks import APART, INCLUDE, LAYERS, ROOT, ROWS, Count, files, headers, is_body, is_core_body, umbrella_of

INCLUDE_LINE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.M)
HEAVY = {"iostream", "regex", "functional", "complex", "sstream"}
# Kernels and file formats may use what an API header may not.
HEAVY_ALLOWED = {"cpu", "math", "io", *APART}
# What every unit that declares or calls an operator does without: the compiler's time for it is a budget.
COSTLY = {"atomic", "memory", "iterator", "mutex", "ostream", "algorithm", "variant", "unordered_map", "map"}
DISPATCHER_CASES = 262


def includes(path):
    return [(m.group(1), m.group(2)) for m in INCLUDE_LINE.finditer(path.read_text())]


def subject(header):
    """The folder of `tenon/FOLDER/...`, or None for an umbrella beside the folders."""
    parts = header.split("/")
    return parts[1] if len(parts) > 2 else None


def is_private(header):
    return "/detail/" in header


def is_part(header):
    """A body that its header includes last; never included by itself."""
    return header.endswith("_impl.hpp")


def reached(names, through=lambda header: True):
    """The headers among `names` and those that they include, by way of headers that pass `through` alone."""
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name in all_headers and name not in found and through(name):
            found.add(name)
            waiting += [n for _, n in includes(INCLUDE / name)]
    return found


count = Count()
all_headers = headers()
umbrellas = [h for h in all_headers if subject(h) is None]

for header in all_headers:
    path, folder = INCLUDE / header, subject(header)
    text = path.read_text()
    lines = text.splitlines()
    problems = []
    if folder is not None and folder not in LAYERS:
        problems.append(f"folder '{folder}' is not in the list of layers")
    if not lines or not lines[0].startswith("// "):
        problems.append("the first line does not state the purpose")
    if "#pragma once" not in lines[:40]:
        problems.append("no #pragma once")
    if len(lines) > 400:
        problems.append(f"{len(lines)} lines; split above 400")
    for macro in re.findall(r"^ *# *define (?:.*\\\n)*.*", text, re.M):
        if macro.count("\n") >= facts.MOST_LINES:
            problems.append(f"the macro {re.split(r'[^A-Za-z_0-9]', macro.split(None, 1)[1])[0]} has more than {facts.MOST_LINES} lines")
    # Another library for vectors would replace one folder.
    if folder != "math" and "xsimd" in text:
        problems.append("names xsimd; only tenon/math does")
    for bracket, name in includes(path):
        if bracket == '"':
            problems.append(f'includes "{name}"; write <tenon/...>')
            continue
        if name in HEAVY and folder not in HEAVY_ALLOWED and umbrella_of(header) is not None:
            problems.append(f"includes <{name}>, too heavy for a header")
        if not name.startswith("tenon/"):
            continue
        if name not in all_headers:
            problems.append(f"includes <{name}>, which does not exist")
        other = subject(name)
        if folder is None:
            if is_private(name):
                problems.append(f"includes the private <{name}>")
            continue
        if other is None:
            if name not in ("tenon/fwd.hpp", "tenon/version.hpp", "tenon/config.hpp", "tenon/diagnostics.hpp"):
                problems.append(f"includes the umbrella <{name}>")
            continue
        if other in LAYERS and folder in LAYERS and LAYERS.index(other) > LAYERS.index(folder):
            problems.append(f"includes <{name}>: layer '{other}' stands below '{folder}'")
        # Bodies are compiled with the library: they may look into the folders above.
        if is_private(name) and other != folder and not is_body(header):
            problems.append(f"includes <{name}>, private to '{other}'")
        if is_body(name) and not is_body(header):
            problems.append(f"includes <{name}>, whose functions are compiled once per program")
    count.check(not problems, f"include/{header}: " + "; ".join(problems))

# An umbrella lists every public header of its folder.
for folder in LAYERS:
    members = [h for h in all_headers if subject(h) is not None and umbrella_of(h) == folder and not is_private(h) and not is_part(h) and not is_body(h)]
    if not members:
        continue
    umbrella = f"tenon/{folder}.hpp"
    if umbrella not in all_headers:
        count.check(False, f"include/{umbrella} is missing: the umbrella of {len(members)} headers")
        continue
    listed = [name for _, name in includes(INCLUDE / umbrella)]
    missing = [h for h in members if h not in listed]
    count.check(not missing, f"include/{umbrella} does not include " + ", ".join(missing) + "; ./dev lists adds it")

for name in sorted(reached(["tenon/library/library.hpp"])):
    costly = sorted(COSTLY & {n for _, n in includes(INCLUDE / name)})
    count.check(not costly, f"include/{name}, which every operator needs, includes <" + ">, <".join(costly) + ">")

# A body defines what the header of its name declares, a part belongs to one header of its folder: `bodies/x.hpp` holds
# ordinary functions, `detail/x_impl.hpp` templates that must be seen, `detail/` else private types.
for header in all_headers:
    above = header.replace("/bodies/", "/")
    if is_body(header):
        count.check(above in all_headers, f"include/{header} defines what include/{above} should declare; private types belong into detail/")
    elif is_private(header) and is_part(header):
        users = [h for h in all_headers if header in [n for _, n in includes(INCLUDE / h)]]
        count.check(len(users) == 1 and subject(users[0]) == subject(header) and not is_private(users[0]), f"include/{header} is a part of one header of its folder; included by {users}")

# What is compiled once per program is complete, and reached by who uses the headers alone.
bodies = [h for h in all_headers if is_body(h)]
listed = [name for _, name in includes(INCLUDE / "tenon/bodies.hpp")]
count.check(all(h in listed for h in bodies), "include/tenon/bodies.hpp is not complete; ./dev lists mends it")
listed = [name for _, name in includes(INCLUDE / "tenon/bodies_core.hpp")]
count.check(all((h in listed) == is_core_body(h) for h in bodies), "include/tenon/bodies_core.hpp is not the bodies without modules, optimisers and files; ./dev lists mends it")
compiled = reached([name for path in files("core", "*.cpp") for _, name in includes(path)], is_body)
missing = [h for h in bodies if h not in compiled]
count.check(not missing, "no source in core/ includes " + ", ".join(missing))
count.check("tenon/bodies.hpp" in [name for _, name in includes(INCLUDE / "tenon/cpu.hpp")], "include/tenon/cpu.hpp does not include tenon/bodies.hpp")

# tenon.hpp reaches the umbrella of each folder whose headers hold no kernel.
if "tenon/tenon.hpp" in all_headers:
    listed = [name for _, name in includes(INCLUDE / "tenon/tenon.hpp")]
    wanted = [f"tenon/{f}.hpp" for f in LAYERS if f != "cpu" and f not in ROWS + APART and any(subject(h) == f for h in all_headers)]
    missing = [h for h in wanted if h not in listed]
    count.check(not missing, "include/tenon/tenon.hpp does not include " + ", ".join(missing))

# Private headers are used by their own subject only, outside include/ too. A test may look at the details of its subject.
for folder in ["core", "kernels_cpu", "examples", "tests"]:
    for path in files(folder, "*.[ch]pp"):
        own = path.relative_to(ROOT).parts
        bad = [n for _, n in includes(path) if n.startswith("tenon/") and is_private(n) and not (own[0] == "tests" and subject(n) in own)]
        if bad:
            count.check(False, f"{path.relative_to(ROOT)} includes private " + ", ".join(bad))

# Every test source is listed in tests/meson.build, sorted.
meson = (ROOT / "tests/meson.build").read_text()
table = meson[meson.index("unit_sources"):meson.index("\n}")]
for folder in sorted(p for p in LAYERS if (ROOT / "tests" / p).is_dir()):
    there = sorted(str(p.relative_to(ROOT / "tests" / folder)) for p in files("tests/" + folder, "*.cpp"))
    if not there:
        continue
    entry = re.search(r"'%s': \[(.*?)\]" % folder, table, re.S)
    listed = re.findall(r"'([^']+\.cpp)'", entry.group(1)) if entry else []
    count.check(listed == there, f"tests/meson.build lists {listed} for '{folder}'; the folder holds {there}; ./dev lists mends it")

table = meson[meson.index("threaded_sources"):]
table = table[:table.index("\n}")]
for folder in LAYERS:
    there = sorted(str(p.relative_to(ROOT / "tests" / folder)) for p in files("tests/" + folder, "*.cpp") if "[threads]" in p.read_text())
    entry = re.search(r"'%s': \[(.*?)\]" % folder, table)
    listed = re.findall(r"'([^']+\.cpp)'", entry.group(1)) if entry else []
    count.check(listed == there, f"tests/meson.build runs {listed} of '{folder}' under ThreadSanitizer; with [threads] are {there}")

# Headers of operators: namespaces of their own, and lists that are current.
for path in facts.without_family():
    count.check(False, f"{path.relative_to(ROOT)}: its operators are not in the `inline namespace {path.stem}_family` of tenon::ops")
for header, text in (("tensor/methods.hpp", facts.methods_header()), ("library/result_names.hpp", facts.result_names_header())):
    count.check((INCLUDE / "tenon" / header).read_text() == text, f"include/tenon/{header} is not current; ./dev lists writes it")

# Each of the dispatcher's numbered test cases is named by a test: "case 64: ...", "cases 31 to 37: ...", "cases 17, 18 and W3: ...".
named = set()
for path in files("tests", "*.cpp"):
    for title in re.findall(r'TEST_CASE\(\s*"cases? ((?:\d+|to|and|W\d+|[, ])+):', path.read_text()):
        for first, last in re.findall(r"\b(\d+)(?: to (\d+))?", title):
            named.update(range(int(first), int(last or first) + 1))
for number in range(1, DISPATCHER_CASES + 1):
    count.check(number in named, f"no test names the dispatcher's case {number}")

# Code in README and docs is compiled: a program is a file in examples/, and each part of another block, as blank lines part
# it, stands so in some source.
def one_line(text):
    return re.sub(r"\s+", " ", re.sub(r" *\\$", "", text, flags=re.M)).strip()


examples = [p.read_text().strip() for p in files("examples", "*.cpp")]
printed = ["".join("\n" + line for line in printed_by(e)) + "\n" for e in examples]
compiled = [one_line(p.read_text()) for f in ("include", "examples", "tests") for e in ("*.hpp", "*.cpp") for p in files(f, e)]
texts = [ROOT / "README.md"] + files("docs", "*.md")
for path in texts:
    text = path.read_text() if path.exists() else ""
    for block in re.findall(r"^ *```cpp\n(.*?)^ *```", text, re.S | re.M):
        if "int main(" in block:
            program = block.strip()
            count.check(any(e.startswith(program) for e in examples), f"{path.name} holds a program that is no file in examples/:\n{block}")
            continue
        for part in re.split(r"\n\s*\n", block.strip()):
            count.check(any(one_line(part) in c for c in compiled), f"{path.name} holds code that no source holds:\n{part}")
    for block in re.findall(r"^prints\n\n```\n(.*?)^```", text, re.S | re.M):
        count.check(any("\n" + block in p for p in printed), f"{path.name} shows what no program in examples/ prints:\n{block}")
    for link in re.findall(r"\]\(([^)#:]+)\)", re.sub(r"^ *```.*?^ *```", "", text, flags=re.S | re.M)):
        count.check((path.parent / link).exists(), f"{path.name} points to {link}, which is not there")
if texts[0].exists():
    lines = len(texts[0].read_text().splitlines())
    count.check(lines <= 200, f"README.md has {lines} lines, more than 200; docs/ holds the rest")

# The version header and the build state the same version.
version = "tenon/version.hpp"
if version in all_headers:
    text = (INCLUDE / version).read_text()
    stated = ".".join(re.search(r"VERSION_%s (\d+)" % part, text).group(1) for part in ("MAJOR", "MINOR", "PATCH"))
    built = re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text()).group(1)
    count.check(stated == built, f"include/{version} states {stated}, meson.build {built}")

count.finish()
