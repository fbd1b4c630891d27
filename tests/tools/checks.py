"""What the structure and compile tests share: counting, running two compilers at a time, remembering what passed."""
import concurrent.futures
import contextlib
import fcntl
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include"
LAYERS = ["base", "schema", "keys", "tensor", "boxing", "dispatch", "library", "ops", "structured", "math", "autograd",
          "pointwise", "reduction", "cuda", "composite", "view", "cpu", "transform", "nn", "func", "optim", "io", "data", "distributions", "training", "profiler", "testing"]
# What few programs need has an umbrella that tenon.hpp leaves out.
APART = ("func", "data", "distributions", "training", "profiler", "testing")
# Headers that a program names itself: an umbrella that the API includes has a budget of compile time, and frameworks for tests are no part of one.
NAMED = ("tenon/cpu/openmp_executor.hpp", "tenon/cpu/tbb_executor.hpp", "tenon/io/arrow.hpp", "tenon/io/dlpack.hpp", "tenon/testing/catch2.hpp", "tenon/testing/googletest.hpp", "tenon/ops/flops.hpp")
# Rows register themselves as kernels do: in one unit of a program, never from the umbrella of the API.
ROWS = ("math", "pointwise", "reduction", "cuda", "composite", "view")
JOBS = max(1, min(2, os.cpu_count() or 1))


class Count:
    """Passed and failed cases; prints each failure in full and the sum as the last line."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, ok, message=""):
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            print("FAILED:", message, flush=True)

    def demand(self, command, what, **kwargs):
        """The output of a command without which nothing that follows makes sense: where it fails, all ends."""
        status, output = run([str(word) for word in command], **kwargs)
        if status != 0:
            self.check(False, f"{what}\n{output}")
            self.finish()
        return output

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed else 0)


def is_body(header):
    """Whether a header defines what another declares; `tenon/bodies.hpp` lists them."""
    return "/bodies/" in header


def is_core_body(header):
    """Whether a program without modules, optimisers and files needs it; `tenon/bodies_core.hpp` lists them."""
    return is_body(header) and umbrella_of(header) not in ("nn", "func", "optim", "transform", "data", "distributions", "training") and not re.search(r"/module_state|/safetensors|/arrow|/dlpack|/nn/dynamic/|/ops/bodies/(lobpcg|low_rank|signal_windows|unravel_index)", header)


@functools.lru_cache(None)
def tracked():
    """The files that git knows and that exist, or None outside a repository."""
    if not shutil.which("git") or not (ROOT / ".git").exists():
        return None
    done = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True)
    return {name for name in done.stdout.splitlines() if (ROOT / name).exists()} if done.returncode == 0 else None


def files(folder, pattern):
    """Paths in a folder of the project by a pattern for rglob, sorted; what git does not know is left alone."""
    known = tracked()
    found = sorted((ROOT / folder).rglob(pattern))
    return [p for p in found if known is None or str(p.relative_to(ROOT)) in known]


def umbrella_of(header):
    """The folder whose umbrella lists a header. Derivatives register like kernels do, in one unit of a program; what few
    programs need of autograd and of modules, and all that kernels of CUDA need, they name."""
    folder = header.split("/")[1]
    if header.startswith(("tenon/autograd/graph/", "tenon/nn/dynamic/", "tenon/cuda/")) or header in NAMED:
        return None
    return "cpu" if folder in ROWS or header.startswith("tenon/autograd/derivatives/") else folder


@functools.lru_cache(None)
def headers():
    """Every header of the library, relative to include/, sorted."""
    return [str(p.relative_to(INCLUDE)) for p in files("include", "*.hpp")]


def compilers(named):
    """The compiler of this build, then whichever of GCC and Clang is installed beside it, each once."""
    found, seen = [], set()
    for words in [named, ["g++"], ["clang++"]]:
        path = shutil.which(words[-1])
        if not path:
            continue
        version = subprocess.run([path, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
        kind = "clang" if "clang" in version else "gcc"
        if kind not in seen:
            seen.add(kind)
            found.append((kind, list(words), version))
    return found


def with_ccache(words):
    return words if "ccache" in words[0] or not shutil.which("ccache") else ["ccache"] + words


class Memory:
    """Remembers in the build folder which cases passed, by a hash of all that they depend on."""

    def __init__(self, path, *context):
        self.path = pathlib.Path(path)
        digest = hashlib.sha256(repr(context).encode())
        for header in headers():
            digest.update(header.encode() + (INCLUDE / header).read_bytes())
        self.context = digest.hexdigest()
        try:
            self.known = set(json.loads(self.path.read_text()))
        except (OSError, ValueError):
            self.known = set()
        self.now = set()

    def key(self, *parts):
        return hashlib.sha256(repr((self.context, parts)).encode()).hexdigest()

    def passed_before(self, key):
        if key in self.known:
            self.now.add(key)
            return True
        return False

    def passed(self, key):
        self.now.add(key)

    def save(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(sorted(self.now)))


def run(command, **kwargs):
    """Exit status and the joined output of a command."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **kwargs)
    return done.returncode, done.stdout


@contextlib.contextmanager
def alone_in(folder):
    """No other test that asks for the same folder runs meanwhile: Meson's installation writes its log there."""
    with open(pathlib.Path(folder) / "tests.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def in_parallel(work, items):
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(work, items))


def precompiled(header, folder, compiler, kind, options):
    """The words by which a unit begins with a header that has been read before; none if the compiler refuses. GCC forgets
    which warnings such a header had switched off."""
    source = folder / (header.replace("/", "_") + f".{kind}.hpp")
    source.write_text(f"#include <{header}>\n")
    status, _ = run([w for w in compiler if "ccache" not in w] + options + ["-x", "c++-header", str(source), "-o", str(source) + ".gch"])
    return ["-include", str(source), *(["-Wno-init-list-lifetime"] if kind == "gcc" else [])] if status == 0 else []


# What a careful program asks for beside the common warnings; no header of the library warns of it.
CAREFUL = ["-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wold-style-cast"]


def flags():
    """Include folders and flags that the library needs, as pkg-config gives them."""
    words = ["-std=c++20", "-I" + str(INCLUDE)]
    status, text = run(["pkg-config", "--cflags", "xsimd"]) if shutil.which("pkg-config") else (1, "")
    return words + (shlex.split(text) if status == 0 else [])
