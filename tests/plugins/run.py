"""Builds the runtime, a program and plugins with every pair of compilers, and runs the program under load.
Usage: run.py BUILD_FOLDER [COMPILER...]. TENON_STRESS_SECONDS (default 2) and TENON_SANITIZE (thread; address,undefined) change the run."""
import itertools
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from checks import in_parallel, with_ccache

ROOT = HERE.parents[1]
build = pathlib.Path(sys.argv[1]) / "plugins"
build.mkdir(parents=True, exist_ok=True)
seconds = os.environ.get("TENON_STRESS_SECONDS", "2")
sanitize = os.environ.get("TENON_SANITIZE", "")
flags = ["-std=c++20", *(["-O0", "-g1"] if sanitize else ["-O1", "-g"]), "-fPIC", "-fvisibility=hidden", "-DTENON_SHARED_RUNTIME", f"-I{ROOT / 'include'}"]
# A sanitizer's runtime belongs to one compiler, so that mixed pairs are run without.
if sanitize:
    flags.append(f"-fsanitize={sanitize}")
compilers = sys.argv[2:] or [c for c in ("g++", "clang++", "clang++-19", "clang++-14") if shutil.which(c)][:2]
pairs = [(c, c) for c in compilers] if sanitize else list(itertools.product(compilers, repeat=2))
passed = failed = 0


def compile_to(output, source, compiler, *more):
    subprocess.run(with_ccache([compiler]) + [*flags, str(source), "-o", str(output), *more], check=True)


def core_of(compiler):
    """The archive of the functions that headers only declare; each object has them to itself."""
    folder = build / f"core-{compiler}-{sanitize or 'plain'}"
    folder.mkdir(exist_ok=True)
    sources = sorted((ROOT / "core").glob("*.cpp"))
    objects = [str(folder / (source.stem + ".o")) for source in sources]
    list(in_parallel(lambda pair: compile_to(pair[0], pair[1], compiler, "-c"), list(zip(objects, sources))))
    archive = folder / "libcore.a"
    archive.unlink(missing_ok=True)
    subprocess.run(["ar", "rcs", str(archive), *objects], check=True)
    return str(archive)


cores = {c: core_of(c) for c in compilers}
for compiler, plugin_compiler in pairs:
    folder = build / f"{compiler}-{plugin_compiler}-{sanitize or 'plain'}"
    folder.mkdir(exist_ok=True)
    link = [f"-L{folder}", "-ltenon_runtime", "-Wl,-rpath,$ORIGIN", "-ldl", "-lpthread"]
    compile_to(folder / "libtenon_runtime.so", ROOT / "runtime" / "runtime.cpp", compiler, "-shared", cores[compiler])
    compile_to(folder / "host", HERE / "host.cpp", compiler, "-rdynamic", cores[compiler], *link)
    plugins = []
    for number in range(3):
        plugins.append(folder / f"plugin{number}.so")
        compile_to(plugins[-1], HERE / "plugin.cpp", plugin_compiler, "-shared", f"-DPLUGIN={number}", cores[plugin_compiler], *link)
    environment = dict(os.environ, TSAN_OPTIONS=f"suppressions={HERE / 'tsan.supp'}")
    done = subprocess.run([str(folder / "host"), seconds, "4", *map(str, plugins)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=environment)
    ok = done.returncode == 0
    print(f"program by {compiler}, plugins by {plugin_compiler}: {[l for l in done.stdout.splitlines() if l.startswith('#')][0] if ok else done.stdout[-6000:]}")
    passed, failed = passed + ok, failed + (not ok)
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
