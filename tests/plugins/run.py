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
build = pathlib.Path(sys.argv[1]).resolve() / "plugins"
build.mkdir(parents=True, exist_ok=True)
seconds = os.environ.get("TENON_STRESS_SECONDS", "2")
sanitize = os.environ.get("TENON_SANITIZE", "")
# A unit is named as from the tree's root: then a compiler's cache serves it wherever the tree lies.
os.chdir(ROOT)
# Without optimisation GCC leaves names in a plugin that keep it loaded.
flags = ["-std=c++20", *(["-O0", "-g1"] if sanitize else ["-O1"]), "-fPIC", "-fvisibility=hidden", "-DTENON_SHARED_RUNTIME", "-Iinclude"]
# A sanitizer's runtime belongs to one compiler, so that mixed pairs are run without.
if sanitize:
    flags.append(f"-fsanitize={sanitize}")
compilers = sys.argv[2:] or [c for c in ("g++", "clang++", "clang++-19", "clang++-14") if shutil.which(c)][:2]
pairs = [(c, c) for c in compilers] if sanitize else list(itertools.product(compilers, repeat=2))
passed = failed = 0


def parts_of(compiler):
    """What a compiler makes of each unit, once for all pairs: the archive of the functions that headers only declare, which
    each object has to itself, and the objects of runtime, program and plugins by their names."""
    folder = build / f"{compiler}-{sanitize or 'plain'}"
    folder.mkdir(exist_ok=True)
    core = {source.stem: [source] for source in sorted((ROOT / "core").glob("*.cpp"))}
    own = {"runtime": [ROOT / "runtime/runtime.cpp"], "host": [HERE / "host.cpp"]} | {f"plugin{n}": [HERE / "plugin.cpp", f"-DPLUGIN={n}"] for n in range(3)}

    def compiled(part):
        name, (source, *defined) = part
        unit = folder / f"{name}.o"
        subprocess.run(with_ccache([compiler]) + [*flags, *defined, "-c", str(source.relative_to(ROOT)), "-o", str(unit)], check=True)
        return name, str(unit)

    objects = dict(in_parallel(compiled, list((core | own).items())))
    archive = folder / "libcore.a"
    archive.unlink(missing_ok=True)
    subprocess.run(["ar", "rcs", str(archive), *(objects[name] for name in core)], check=True)
    return {"core": str(archive)} | {name: objects[name] for name in own}


def link(output, compiler, unit, *more):
    subprocess.run([compiler, *flags, parts[compiler][unit], parts[compiler]["core"], "-o", str(output), *more, "-ldl", "-lpthread"], check=True)


parts = {c: parts_of(c) for c in compilers}
for compiler, plugin_compiler in pairs:
    folder = build / f"{compiler}-{plugin_compiler}-{sanitize or 'plain'}"
    folder.mkdir(exist_ok=True)
    shared = [f"-L{folder}", "-ltenon_runtime", "-Wl,-rpath,$ORIGIN"]
    plugins = [folder / f"plugin{number}.so" for number in range(3)]
    link(folder / "libtenon_runtime.so", compiler, "runtime", "-shared")
    link(folder / "host", compiler, "host", "-rdynamic", *shared)
    for plugin in plugins:
        link(plugin, plugin_compiler, plugin.stem, "-shared", *shared)
    environment = dict(os.environ, TSAN_OPTIONS=f"suppressions={HERE / 'tsan.supp'}")
    done = subprocess.run([str(folder / "host"), seconds, "4", *map(str, plugins)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=environment)
    ok = done.returncode == 0
    print(f"program by {compiler}, plugins by {plugin_compiler}: {[l for l in done.stdout.splitlines() if l.startswith('#')][0] if ok else done.stdout[-6000:]}")
    passed, failed = passed + ok, failed + (not ok)
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
