"""Figures of the documentation that are drawn from the sources, in Graphviz's language: which folder of include/tenon/
includes which, and which library is linked from what. site.py calls `write(source, build)`."""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/tools"))
from checks import INCLUDE, LAYERS, headers, is_body

STYLE = 'graph [bgcolor="white", rankdir={}]; node [shape=box, style="rounded,filled", fillcolor="#eef3fb", fontname="sans-serif", fontsize=11]; edge [color="#5f7390"];'


def folders():
    """An arrow for what a folder includes, but for what it includes by way of another one."""
    includes = {f: set() for f in LAYERS}
    count = dict.fromkeys(LAYERS, 0)
    for header in headers():
        own = header.split("/")[1]
        if own not in includes:
            continue
        count[own] += 1
        if is_body(header):  # compiled once per program; bodies may use what comes later
            continue
        for other in re.findall(r"#include <tenon/(\w+)/", (INCLUDE / header).read_text()):
            if other != own and other in includes:
                includes[own].add(other)

    def reached(folder, seen):
        for other in includes[folder] - seen:
            seen.add(other)
            reached(other, seen)
        return seen

    lines = ["digraph folders {", STYLE.format("BT")]
    for folder in LAYERS:
        lines.append(f'{folder} [label="{folder}\\n{count[folder]} headers"];')
        for other in sorted(includes[folder]):
            if not any(other in reached(third, set()) for third in includes[folder] - {other}):
                lines.append(f"{folder} -> {other};")
    return "\n".join(lines + ["}"])


def libraries(build):
    """What Meson and Ninja know of the libraries and tools of a build folder."""
    done = subprocess.run(["meson", "introspect", str(build), "--targets"], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    targets = {}
    for t in json.loads(done.stdout):
        name = str(pathlib.Path(t["filename"][0]).resolve().relative_to(build))
        if name.split("/")[0] in ("core", "runtime", "kernels_cpu", "kernels_cuda", "tools") and not name.endswith("_raw.a"):
            targets[name] = sum(len(s.get("sources", [])) for s in t["target_sources"] if s.get("language") == "cpp")
    lines = ["digraph libraries {", STYLE.format("LR")]
    for name, sources in targets.items():
        asked = subprocess.run(["ninja", "-C", str(build), "-t", "query", name], capture_output=True, text=True).stdout.split("  outputs:")[0]
        objects = len(re.findall(r"_arch\.cpp\.o", asked))
        lines.append(f'"{name}" [label="{pathlib.Path(name).name}\\n{objects or sources} sources"];' if objects or sources else f'"{name}" [label="{pathlib.Path(name).name}"];')
        lines += [f'"{other}" -> "{name}";' for other in targets if other != name and re.search(rf"\s{re.escape(other)}(\.p/|\s)", asked)]
    return "\n".join(lines + ["}"])


def write(source, build):
    """folders.dot and libraries.dot; the second says so where there is no build folder."""
    (source / "folders.dot").write_text(folders() + "\n")
    text = libraries(build.resolve()) if build else None
    (source / "libraries.dot").write_text((text or 'digraph libraries { "this site was made without a build folder" [shape=plain]; }') + "\n")
