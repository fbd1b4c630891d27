"""How long the compiler takes for the declaration layer, against the figures of the trial that the design rests on.
Usage: compile_time.py [COMPILER...]. Prints user seconds for each row; at most LIMIT times the mark, on the machine of the marks, passes."""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 1.3
# Seconds of the trial (Xeon 2.5 GHz, -O2): g++ 12, clang 19. Of the calls, which had no trial, our own when they were cut.
MARKS = {"400 calls": (3.5, 3.5), "header alone": (0.48, 0.59), "1,000 declared": (0.68, 0.77), "1,000 declared, 20 called": (1.22, 1.19), "200 registered": (5.0, 4.7)}
TYPES = ["Tensor", "Scalar", "int", "float", "bool", "int[]", "Tensor?", "str", "SymInt", "Tensor[]"]


def schema(i):
    arguments = ["Tensor self"] + [f"{TYPES[(i // 10 ** k) % 10]} a{k}" for k in range(2)]
    return f"bench::op{i}({', '.join(arguments)}) -> Tensor"


def declared(n):
    return "\n".join(f'TENON_OPERATOR(op{i}, "{schema(i)}");' for i in range(n))


def value(kind):
    return {"Tensor": "t", "Scalar": "2.5", "int": "1", "float": "0.5", "bool": "true", "int[]": "l", "Tensor?": "t", "str": '"s"', "SymInt": "3", "Tensor[]": "ts"}[kind]


def called():
    """Operators with several overloads, called with tensors and numbers in every way of passing them."""
    tensors, numbers = ["a", "b", "std::move(t)", "Tensor(a)"], ["2", "2.5", "c"]
    pairs = [f"{op}({x}, {y})" for op in ("add", "sub", "mul", "div", "pow", "fmod", "eq", "lt", "gt", "ge") for x in tensors for y in tensors + numbers]
    more = ["sum({})", "sum({}, {{0}}, true)", "mean({}, {{1}})", "exp({})", "neg({})", "unsqueeze({}, 1)", "transpose({}, 0, 1)", "reshape({}, {{2, 3}})",
            "zeros_like({})", 'add({}, b, "alpha"_a = 2)', "narrow({}, 0, n, n)", "where(ops::eq({}, 0), a, b)", "matmul({}, b)", "maximum({}, b)"]
    calls = "\n".join(f"  ops::{c};" for c in (pairs + [m.format(x) for m in more for x in tensors] * 3)[:400])
    return f"#include <tenon/tenon.hpp>\n#include <utility>\nusing namespace tenon;\nvoid call(const Tensor& a, Tensor& b, Tensor t, const Scalar& c, std::int64_t n) {{\n{calls}\n}}\n"


def sources():
    head = "#include <tenon/library/library.hpp>\nusing namespace tenon;\n"
    calls = "\n".join(f"  op{i}(t, {', '.join(value(TYPES[(i // 10 ** k) % 10]) for k in range(2))});" for i in range(0, 1000, 50))
    yield "header alone", head
    yield "1,000 declared", head + declared(1000)
    yield "1,000 declared, 20 called", head + declared(1000) + f"\nvoid call(const Tensor& t, IntArrayRef l, TensorList ts) {{\n{calls}\n}}\n"
    spelled = {"Tensor": "const Tensor&", "Scalar": "const Scalar&", "int": "std::int64_t", "float": "double", "bool": "bool", "int[]": "IntArrayRef", "Tensor?": "const std::optional<Tensor>&", "str": "std::string_view", "SymInt": "SymInt", "Tensor[]": "TensorList"}
    functions = "\n".join(f"Tensor f{i}(const Tensor& t, {', '.join(spelled[TYPES[(i // 10 ** k) % 10]] for k in range(2))}) {{ return t; }}" for i in range(200))
    registered = "\n".join(f"  m.def<op{i}>(); m.impl<op{i}, &f{i}>();" for i in range(200))
    yield "400 calls", called()
    yield "200 registered", head + declared(200) + "\n" + functions + f"\nTENON_LIBRARY(bench, m) {{\n{registered}\n}}\n"


compilers = sys.argv[1:] or [c for c in ("g++", "clang++-19", "clang++-14") if shutil.which(c)]
failed = 0
with tempfile.TemporaryDirectory() as folder:
    for name, text in sources():
        path = pathlib.Path(folder) / "source.cpp"
        path.write_text(text)
        row = f"{name:<28}"
        for compiler in compilers:
            best = None
            for _ in range(int(os.environ.get("TENON_ROUNDS", "1"))):
                before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                subprocess.run([compiler, "-std=c++20", "-O2", "-DNDEBUG", f"-I{ROOT / 'include'}", "-c", str(path), "-o", str(path.with_suffix(".o"))], check=True)
                took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
                best = took if best is None else min(best, took)
            mark = MARKS[name][0 if "g++" in compiler and "clang" not in compiler else 1]
            row += f"  {compiler} {best:6.2f} s ({best / mark:4.2f} of the mark)"
            failed += best > LIMIT * mark
        print(row, flush=True)
print(f"{len(MARKS) * len(compilers) - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
