"""Brings the lists of files up to date: umbrella headers, the sources in the build files, the facts about operators, the methods of Tensor and the names of results. `./dev lists` calls it.
A new file counts once git knows it (git add). Lists stay in the tree, written out, so that a build file says what exists; tests/layers/check.py holds them against it."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import facts
from checks import APART, INCLUDE, LAYERS, ROOT, files, headers, is_body, is_core_body, umbrella_of

PURPOSE = {
    "base": "Errors, small containers, element types, scalars and devices.",
    "schema": "Operator schemas: parsing, printing, comparing.",
    "keys": "Dispatch keys, key sets and the thread's include and exclude words.",
    "tensor": "Storage, the tensor handle and the geometry of views.",
    "boxing": "Boxed values and the adaptors between boxed and unboxed kernels.",
    "dispatch": "Operators, their tables and the dispatcher.",
    "library": "Declaring operators and registering kernels.",
    "ops": "The operators: the functions and methods that users call.",
    "structured": "Structured kernels: one meta and one kernel give all forms of an operator.",
    "cpu": "The CPU kernels and the derivatives, for one unit of a program that uses the headers alone.",
    "autograd": "Differentiation: nodes, engine, derivatives, custom functions.",
    "transform": "Transformations of operator calls.",
    "nn": "Modules for neural networks.",
    "func": "Transforms of functions: derivatives of every kind and batches, freely nested.",
    "optim": "Optimisers.",
    "io": "Printing and file formats.",
    "profiler": "What operators take: profiles of scopes, as tables, traces and pictures.",
    "testing": "Testing operators: comparing tensors, and checking an operator by its schema.",
    "data": "Data sets, samplers, loaders and readers of files; not part of tenon.hpp.",
    "distributions": "Probability distributions, their transforms and divergences; not part of tenon.hpp.",
    "training": "Checkpoints, metrics, progress and logs of training; not part of tenon.hpp.",
}


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
        print("wrote", path.relative_to(ROOT))


def umbrella(name, purpose, members):
    """A new umbrella, or an old one with what it lacks added and what is gone taken out; its order and comments stay."""
    path = INCLUDE / name
    lines = path.read_text().splitlines() if path.exists() else [f"// {purpose}", "#pragma once", ""]
    known = set(headers())
    lines = [l for l in lines if not (m := re.match(r"#include <(tenon/.*)>", l)) or m.group(1) in known]
    missing = [f"#include <{m}>" for m in members if f"#include <{m}>" not in lines]
    places = [i for i, l in enumerate(lines) if l.startswith("#include <tenon/")]
    first, last = (places[0], places[-1] + 1) if places else (len(lines), len(lines))
    block = lines[first:last]
    if block == sorted(block):
        lines[first:last] = sorted(block + missing)
    else:
        lines[last:last] = missing
    write(path, "\n".join(lines) + "\n")


def replace_list(file, opening, names, closing):
    """Replaces what stands between OPENING and CLOSING in a build file by a list of names."""
    path = ROOT / file
    text = path.read_text()
    start = text.index(opening) + len(opening)
    end = text.index(closing, start)
    body = "".join(f"\n  '{n}'," for n in sorted(names)) + "\n" if names else ""
    write(path, text[:start] + body + text[end:])


def sources(folder):
    return {p.name: p.read_text() for p in files(folder, "*.cpp") if p.parent == ROOT / folder}


present = headers()
members = {f: [h for h in present if h.count("/") > 1 and umbrella_of(h) == f and "/detail/" not in h and not h.endswith("_impl.hpp") and not is_body(h)] for f in LAYERS}
for folder in LAYERS:
    if members[folder]:
        umbrella(f"tenon/{folder}.hpp", PURPOSE[folder], members[folder])
umbrella("tenon/bodies.hpp", "The bodies of the library's ordinary functions, for one unit of a program that links no compiled part.", [h for h in present if is_body(h)])
umbrella("tenon/bodies_core.hpp", "The bodies that tensors, operators, gradients and printing need: all but those of modules, optimisers and files.", [h for h in present if is_core_body(h)])
for changed in facts.write_facts():
    print("wrote facts into", changed.relative_to(ROOT))
write(INCLUDE / "tenon/tensor/methods.hpp", facts.methods_header())
write(INCLUDE / "tenon/library/result_names.hpp", facts.result_names_header())
api = INCLUDE / "tenon/tenon.hpp"
lines = api.read_text().splitlines()
wanted = [f"#include <tenon/{f}.hpp>" for f in LAYERS if members[f] and f != "cpu" and f not in APART]
first = next(i for i, l in enumerate(lines) if l.startswith("#include <tenon/"))
rest = [l for l in lines[first:] if l not in wanted]
write(api, "\n".join(lines[:first] + wanted + rest) + "\n")

table = ""
for folder in LAYERS:
    names = sorted(str(p.relative_to(ROOT / "tests" / folder)) for p in files("tests/" + folder, "*.cpp"))
    if names:
        table += f"  '{folder}': [\n" + "".join(f"    '{n}',\n" for n in names) + "  ],\n"
path = ROOT / "tests/meson.build"
write(path, re.sub(r"unit_sources = \{\n.*?\n\}", lambda _: "unit_sources = {\n" + table + "}", path.read_text(), flags=re.S))

replace_list("tests/oracle/meson.build", "oracle_programs = [", [n[:-4] for n in sources("tests/oracle")], "]")
replace_list("tests/fuzz/meson.build", "fuzz_targets = [", [n[:-4] for n in sources("tests/fuzz") if n != "replay.cpp"], "]")
replace_list("tests/bench/meson.build", "bench_sources = files(", sources("tests/bench"), ")")
replace_list("examples/meson.build", "example_names = [", [n[:-4] for n in sources("examples")], "]")
replace_list("core/meson.build", "core_sources = files(", sources("core"), ")")
kernels = sources("kernels_cpu")
per_set = [n for n, text in kernels.items() if "TENON_KERNELS_ARCH" in text]
replace_list("kernels_cpu/meson.build", "arch_sources = files(", per_set, ")")
replace_list("kernels_cpu/meson.build", "common_sources = files(", [n for n in kernels if n not in per_set], ")")
