"""Writes the list of what libtenon.so shows, for the linker: the functions that its users' objects call, the types that they catch and
derive from, and what the runtime shows, the variables of which a process has one. Of inline functions and variables each user has its
own copies, as in a program that hides its symbols; shown, their names would be a quarter of the library and most of its start.
Usage: shared_exports.py NM ARCHIVE RUNTIME OUTPUT"""
import pathlib
import re
import subprocess
import sys

HEADERS = pathlib.Path(__file__).resolve().parents[1] / "include/tenon"
nm, archive, runtime, output = sys.argv[1:]


def names(*words):
    """Names with their kinds and objects. Kinds: capital letters are seen from outside, of which V, W and u are those of inline ones."""
    text = subprocess.run([nm, "--defined-only", "-A", *words], capture_output=True, text=True, check=True).stdout
    return {(w[2], w[1], w[0].split(":")[-2]) for w in map(str.split, text.splitlines()) if len(w) == 3}


# Members of templates whose headers only declare them look like inline ones: `template struct ViewGeometry<SymInt>;` in a body makes them.
templates = {name for path in HEADERS.glob("**/bodies/*.hpp") for name in re.findall(r"^template (?:struct|class) (\w+)<", path.read_text(), re.M)}
made = re.compile("|".join(f"{len(name)}{name}I" for name in sorted(templates)))
# And so do the calls of usual types (dispatch/usual_calls.hpp), which one object makes; of other types each unit makes its own.
calls = re.compile("call_operatorI|9call_pathI.*4slowE|14backend_selectI.*4callE")
usual = lambda name, where: where.endswith("core_dispatch.cpp.o") and calls.search(name)
# So do functions of C that a header declares weak, for programs without the library.
weak = lambda name: made.search(name) or not name.startswith("_Z")
shown = {name for name, kind, where in names("-g", archive)
         if kind in "TDBR" or name.startswith("_ZT") or kind == "W" and (weak(name) or usual(name, where))}
shown |= {name for name, _, _ in names("-D", runtime)}
pathlib.Path(output).write_text("{ global:\n" + "".join(f'  "{name}";\n' for name in sorted(shown)) + "local: *; };\n")
