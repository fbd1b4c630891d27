"""Installs the build into an empty folder, moves it, and builds a foreign project against it; or builds the foreign
project with this tree as its Meson subproject.
Usage: run.py pkg_config|cmake|subproject BUILD_FOLDER PREFIX LIBDIR COMPILER..."""
import itertools
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from checks import ROOT, Count, alone_in, in_parallel, run

way, build, prefix, libdir, compiler = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:]
if way == "cmake" and not shutil.which("cmake"):
    print("cmake is not installed")
    sys.exit(77)

count = Count()
demand = count.demand
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)

    if way == "subproject":
        project = folder / "foreign"
        shutil.copytree(HERE / "project", project)
        (project / "subprojects").mkdir()
        (project / "subprojects/tenon").symlink_to(ROOT)
        demand(["meson", "setup", folder / "out", project], "the configuration fails", env=dict(os.environ, CXX=shlex.join(compiler)))
        demand(["ninja", "-C", folder / "out", "main"], "the program does not build")
        demand([folder / "out/main"], "the program fails")
        names = demand(["meson", "introspect", "--tests", folder / "out"], "the configuration cannot be read")
        count.check(names.strip() == "[]", "a subproject brings its tests along: " + names)
        count.finish()

    with alone_in(build):
        demand(["meson", "install", "-C", build, "--no-rebuild", "--destdir", folder / "stage"], "the installation fails")
    tree = folder / "moved"
    shutil.move(folder / "stage" / prefix.lstrip("/"), tree)
    program = folder / "main"
    if way == "pkg_config":
        # The archive is one object without an index: who does not link it whole is told, and has no program without operators.
        archive = tree / libdir / "libtenon_kernels_cpu.a"
        status, output = run([*[w for w in compiler if "ccache" not in w], "-std=c++20", HERE / "project/main.cpp", "-I" + str(tree / "include"), archive, "-o", folder / "parts"])
        count.check(status != 0 and "archive has no index" in output, "the archive links in parts\n" + output[-500:])
        count.check(demand(["ar", "t", archive], "ar fails").split() == ["tenon_kernels_cpu.o"], "the archive is not one object")
        sections = demand(["readelf", "-SW", tree / libdir / "libtenon_kernels_cpu.a"], "readelf fails").count("PROGBITS")
        count.check(sections < 100, f"the archive has {sections} sections with data")
        # What is installed names neither this tree nor the machine's folders.
        for path in sorted(p for p in tree.rglob("*") if p.is_file()):
            data = path.read_bytes()
            text_only = path.suffix in (".a", ".so") and not pathlib.Path(build).is_relative_to(ROOT)  # then sources have absolute names
            leaks = [name for name in {str(ROOT), str(pathlib.Path(build).resolve()), str(folder)} if name.encode() in data and not text_only]
            count.check(not leaks, f"{path.relative_to(tree)} holds {leaks}")
        environment = dict(os.environ, PKG_CONFIG_PATH=str(tree / libdir / "pkgconfig"))
        words = shlex.split(demand(["pkg-config", "--cflags", "--libs", "tenon"], "pkg-config does not find tenon", env=environment))
        demand([w for w in compiler if "ccache" not in w] + ["-std=c++20", HERE / "project/main.cpp", "-o", program] + words,
               "the program does not build with " + " ".join(words))
    else:
        cxx = [w for w in compiler if "ccache" not in w][0]
        demand(["cmake", "-S", HERE / "project", "-B", folder / "out", f"-DCMAKE_PREFIX_PATH={tree}", f"-DCMAKE_CXX_COMPILER={cxx}"],
               "find_package(tenon) fails")
        demand(["cmake", "--build", folder / "out"], "the program does not build")
        program = folder / "out/main"
    demand([program], "the program fails")
    count.check(True)

    # Operators in a plugin: the lines of docs/plugins.md, the program by each kind of compiler and for each a plugin by each.
    # Two registries in one object must not link.
    if way == "pkg_config":
        gnu = [w for w in compiler if "ccache" not in w] + ["-std=c++20", "-O0"]
        others = [c for c in ("g++", "clang++", "clang++-19", "clang++-14") if shutil.which(c) and ("clang" in c) != ("clang" in gnu[0])]
        sides = [gnu[0], *others[:1]]
        environment["LD_LIBRARY_PATH"] = str(tree / libdir)
        rows = re.findall(r"^\|.*\| `(g\+\+ .*)` \| `(g\+\+ .*)` \|$", (ROOT / "docs/plugins.md").read_text(), re.M)
        count.check(len(rows) == 4, "docs/plugins.md does not show four ways")
        for source in ("host", "plugin"):
            shutil.copy(HERE / f"plugins/{source}.cpp", folder)

        def line(text, cxx, output):
            """A line of the page with another compiler and another name for what it makes."""
            shared = "tenon-shared" in text or "tenon-runtime" in text
            more = {"tenon-headers": "-DHEADERS_ALONE -DWITH_BODIES", "tenon-runtime": "-DHEADERS_ALONE"}.get(re.search("tenon-?[a-z]*", text).group(), "")
            text = text.replace("g++", f"{cxx} -O0 {more if 'host.cpp' in text else ''} {'-fvisibility=hidden -DUNLOADS' if shared else ''}", 1)
            return ["bash", "-c", f"cd {shlex.quote(str(folder))} && " + re.sub(r"-o \S+", f"-o {output}", text)]

        jobs = [(line(row[side], cxx, f"{i}-{side}-{cxx}")) for i, row in enumerate(rows) for side in (0, 1) for cxx in sides]
        for job, (status, output) in zip(jobs, in_parallel(lambda job: run(job, env=environment), jobs)):
            count.check(status == 0, f"{job[2]}\n{output}")
        for i, row in enumerate(rows):
            for host, plugin in itertools.product(sides, sides):
                status, output = run([str(folder / f"{i}-0-{host}"), str(folder / f"{i}-1-{plugin}")], env=environment)
                count.check(status == 0, f"the way of {row[0]}: program by {host}, plugin by {plugin}\n{output}")
        # A plugin for one shared object in a program with the other, or with the compiled kernels.
        for host, plugin in ((2, 3), (3, 2), (1, 3)):
            status, output = run([str(folder / f"{host}-0-{gnu[0]}"), str(folder / f"{plugin}-1-{gnu[0]}")], env=dict(environment, STAYS="1"))
            count.check(status == 0, f"a plugin of way {plugin} in a program of way {host}\n{output}")

        def asked(*names):
            return shlex.split(demand(["pkg-config", "--cflags", "--libs", *names], "pkg-config does not know " + names[0], env=environment))

        for second in ("tenon-runtime", "tenon-shared"):
            status, output = run([*gnu, "-DHEADERS_ALONE", str(folder / "host.cpp"), "-o", str(folder / "mixed"), *asked("tenon"), *asked(second), "-ldl"])
            count.check(status != 0 and "compile_without_TENON_SHARED_RUNTIME_and_link_the_program_with_rdynamic" in output,
                        "two registries in one program link, or the error does not name the cure\n" + output[-2000:])
        # A program that takes libtenon.so is small, and has every operator that the archive has.
        hello, counted = ROOT / "examples/hello.cpp", folder / "counted.cpp"
        counted.write_text("#include <cstdio>\n#include <tenon/dispatch/registry.hpp>\nint main() { std::printf(\"%zu\", tenon::Registry::get().operators().size()); }\n")
        demand([*gnu, "-O2", "-s", hello, "-o", folder / "hello", *asked("tenon-shared")], "hello does not build with tenon-shared")
        size = (folder / "hello").stat().st_size
        count.check(size < 2_000_000, f"hello with libtenon.so has {size} bytes, stripped")
        text = demand([folder / "hello"], "hello with libtenon.so fails", env=environment)
        count.check("tensor(0.0136)" in text, text)
        numbers = []
        for library in ("tenon-shared", "tenon"):
            demand([*gnu, counted, "-o", folder / f"counted-{library}", *asked(library)], "a program with " + library + " does not build")
            numbers.append(demand([folder / f"counted-{library}"], "a program with " + library + " fails", env=environment))
        count.check(numbers[0] == numbers[1] and int(numbers[0]) > 1000, f"operators with {library}: {numbers}")
        # It shows what programs need, and little else.
        demand([*gnu, HERE.parent / "newcomer/programs.cpp", "-o", folder / "newcomer-shared", *asked("tenon-shared")], "the newcomer's programs do not build with tenon-shared")
        demand([folder / "newcomer-shared"], "the newcomer's programs fail with tenon-shared", env=environment, cwd=folder)
        shown = len(demand(["nm", "-D", "--defined-only", tree / libdir / "libtenon.so"], "nm fails").splitlines())
        count.check(1000 < shown < 8000, f"libtenon.so shows {shown} names")
        # What the runtime owns, libtenon.so owns.
        owned = [{words[2] for words in map(str.split, demand(["nm", "-D", "--defined-only", tree / libdir / name], "nm fails").splitlines()) if words[1] in kinds}
                 for name, kinds in (("libtenon_runtime.so", "BDT"), ("libtenon.so", "BDTVWu"))]
        count.check(len(owned[0]) > 20 and owned[0] <= owned[1], "libtenon.so lacks " + " ".join(sorted(owned[0] - owned[1])))

    if way == "cmake":
        demand(["cmake", "-S", HERE / "plugins", "-B", folder / "plugins", f"-DCMAKE_PREFIX_PATH={tree}", f"-DCMAKE_CXX_COMPILER={cxx}"],
               "a project with tenon::shared cannot be configured")
        demand(["cmake", "--build", folder / "plugins"], "a program and a plugin do not build with tenon::shared")
        demand([folder / "plugins/host", folder / "plugins/libplugin.so"], "a plugin with tenon::shared fails")

    # What a newcomer writes, and the list of the operators that it calls.
    if way == "pkg_config":
        demand(gnu + [HERE.parent / "newcomer/programs.cpp", "-o", folder / "newcomer"] + asked("tenon"), "the newcomer's programs do not build")
        demand([folder / "newcomer"], "the newcomer's programs fail", env=dict(os.environ, TENON_RECORD_OPERATORS=str(folder / "operators")), cwd=folder)
        recorded = (folder / "operators").read_text().strip().split(";")
        count.check(recorded == sorted(set(recorded)) and {"aten::mm", "aten::add_.Tensor", "newcomer::mymuladd"} <= set(recorded),
                    "the list of the operators of a run: " + ";".join(recorded))
        source = HERE.parent / "newcomer/caller.cpp"
        demand(gnu + ["-g", source, "-o", folder / "caller"] + asked("tenon"), "the program with refused calls does not build")
        text = demand([folder / "caller"], "the program with refused calls fails", env=dict(os.environ, TENON_SHOW_CALLERS="1"))
        refused = [i for i, line in enumerate(source.read_text().splitlines(), 1) if line.endswith("// refused")]
        count.check(len(refused) == 3 and all(f"/caller.cpp:{i}\n" in text for i in refused), "errors do not name their callers' lines\n" + text)
        demand(gnu + ["-s", source, "-o", folder / "caller"] + asked("tenon"), "the program with refused calls does not build without -g")
        text = demand([folder / "caller"], "the program with refused calls fails without -g", env=dict(os.environ, TENON_SHOW_CALLERS="1"))
        unknown = "\n  in an unknown line: TENON_SHOW_CALLERS names those of programs compiled with -g, where addr2line is installed\n"
        count.check(text.count(unknown) == 2, "errors do not say why they name no line\n" + text)

    # The kernels of a list of operators in the place of the compiled library: a small program, which names what it lacks.
    if way == "pkg_config":
        hello = ROOT / "examples/hello.cpp"
        plain = [*gnu, "-O2", "-s"]
        demand([*plain, hello, "-o", folder / "whole", *asked("tenon")], "hello does not build")
        whole = demand([folder / "whole"], "hello fails", env=dict(os.environ, TENON_RECORD_OPERATORS=str(folder / "hello.list")))
        demand([tree / "bin/tenon-kernels", folder / "hello_kernels.o", folder / "hello.list", gnu[0], "-O2", "-DNDEBUG", '-DTENON_SELECTED_DTYPES="float32"'], "the kernels of a list do not compile")
        demand([*plain, hello, folder / "hello_kernels.o", "-o", folder / "listed", *asked("tenon-headers"), "-Wl,--gc-sections"], "hello does not build with the kernels of its list")
        for capability in ("", "sse2"):
            text = demand([folder / "listed"], "hello fails with the kernels of its list", env=dict(os.environ, TENON_CPU_CAPABILITY=capability))
            count.check(text == whole, f"with the kernels of its list hello prints\n{text}")
        size = (folder / "listed").stat().st_size
        count.check(size < 2_000_000, f"hello with the kernels of its list has {size} bytes, stripped")
        lacking = folder / "lacking.cpp"
        lacking.write_text('#include <cstdio>\n#include <tenon/tenon.hpp>\nint main() {\n  using namespace tenon;\n  Tensor x = tensor({1.0});\n'
                           '  for (auto call : {+[](const Tensor& t) { ops::sin(t); }, +[](const Tensor&) { Registry::get().find_schema_or_throw("aten::exp", ""); },\n'
                           '                     +[](const Tensor&) { Registry::get().find_schema_or_throw("tenon::_lstm_layer", ""); }})\n'
                           '    try { call(x); } catch (const Error& e) { std::puts(std::string(e.summary()).c_str()); }\n}\n')
        demand([*plain, lacking, folder / "hello_kernels.o", "-o", folder / "lacking", *asked("tenon-headers"), "-Wl,--gc-sections"], "a program of other operators does not build")
        text = demand([folder / "lacking"], "a program of other operators fails")
        count.check(all(f'this program is compiled without it: add "{name}" to its TENON_SELECTED_OPERATORS' in text for name in ("aten::sin", "aten::exp", "tenon::_lstm_layer")),
                    "an operator that the list lacks is not named\n" + text)

    # The lines of CMake and of Meson for it, with a stand-in for the tool, which takes minutes.
    listed, cxx = folder / "listed_by_a_build", [w for w in compiler if "ccache" not in w][0]
    listed.mkdir()
    (listed / "hello.cpp").write_text("#include <tenon/version.hpp>\nextern int of_the_tool;\nint main() { return TENON_VERSION > 0 && of_the_tool == 2 ? 0 : 1; }\n")
    (listed / "operators.txt").write_text("aten::mm\n")
    (listed / "tenon-kernels").write_text('#!/bin/sh\nset -e\nobject=$1; grep -q aten::mm "$2"; shift 2\ncase " $* " in *" -O2 -DNDEBUG "*) ;; *) exit 1 ;; esac\n'
                                          'printf "#include <tenon/tenon.hpp>\nint of_the_tool = 2;\\n" >"$object.cpp"; "$@" -std=c++20 -c "$object.cpp" -o "$object"\n')
    (listed / "tenon-kernels").chmod(0o755)
    if way == "cmake":
        (listed / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.20)\nproject(listed CXX)\nfind_package(tenon REQUIRED)\nadd_executable(hello hello.cpp)\n"
                                               'set(TENON_KERNELS_TOOL "${CMAKE_CURRENT_SOURCE_DIR}/tenon-kernels")\ntenon_add_kernels(hello operators.txt)\n')
        demand(["cmake", "-S", listed, "-B", listed / "out", f"-DCMAKE_PREFIX_PATH={tree}", f"-DCMAKE_CXX_COMPILER={cxx}"], "a project with a list of operators cannot be configured")
        demand(["cmake", "--build", listed / "out"], "a project with a list of operators does not build")
    else:
        page = re.search(r"^\| Meson \| `(tenon_kernels = .*)`, then `(executable.*)`; in a subproject", (ROOT / "docs/selection.md").read_text(), re.M)
        (listed / "meson.build").write_text("project('listed', 'cpp', default_options: 'cpp_std=c++20')\n" + "\n".join(page.groups()) + "\n")
        # The stand-in leans on the installed headers by an environment that the real tool, which has its own, need not have.
        env = dict(environment, PATH=f"{listed}:{os.environ['PATH']}", CXX=cxx, CPATH=str(tree / "include"))
        demand(["meson", "setup", listed / "out", listed], "a project with a list of operators cannot be configured", env=env)
        demand(["ninja", "-C", listed / "out"], "a project with a list of operators does not build", env=env)
    demand([listed / "out/hello"], "its program lacks what the tool compiled")

    # Rows of the project's own, compiled once per instruction set by the installed tool: one line of Meson or CMake.
    rows = folder / "rows"
    if way == "pkg_config":
        environment.update(PATH=f"{tree / 'bin'}:{os.environ['PATH']}", CXX=cxx)
        demand(["meson", "setup", rows, HERE / "rows"], "a project with rows cannot be configured", env=environment)
        demand(["ninja", "-C", rows], "the rows do not build", env=environment)
    else:
        demand(["cmake", "-S", HERE / "rows", "-B", rows, f"-DCMAKE_PREFIX_PATH={tree}", f"-DCMAKE_CXX_COMPILER={cxx}", "-DCMAKE_CXX_FLAGS=-O1"],
               "a project with rows cannot be configured")
        demand(["cmake", "--build", rows], "the rows do not build")
    text = demand([rows / "main"], "the program with rows fails")
    count.check(" lanes" in text, text)
    for chosen in ("sse2", "avx2") if "sse2" in text or "avx" in text else ():
        text = demand([rows / "main"], f"the program with rows fails with {chosen}", env=dict(os.environ, TENON_CPU_CAPABILITY=chosen))
        count.check(chosen in text or "Warning" in text, text)

    # Rows of the project's own as kernels, by the two compilers; without the component their operators are the CPU's.
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    has_component = (tree / libdir / "libtenon_kernels_cuda.a").exists()
    if not os.path.exists(nvcc):
        print("SKIPPED: rows as kernels; no nvcc, neither in PATH nor in /usr/local/cuda")
    elif way == "pkg_config":
        cuda = HERE / "cuda"
        includes = [w for w in asked("tenon-headers") if w.startswith(("-I", "-D"))]
        demand([nvcc, "-std=c++20", "--expt-relaxed-constexpr", "-arch=sm_90", "-c", cuda / "mine.cu", "-o", folder / "mine.o"] + includes,
               "a unit of rows does not compile for a device")
        runtime = ["-L" + str(pathlib.Path(nvcc).resolve().parents[1] / "lib64"), "-lcudart_static", "-ldl", "-lrt"]
        demand(gnu + [cuda / "main.cpp", folder / "mine.o", "-o", folder / "mine"] + asked("tenon-cuda" if has_component else "tenon") + runtime,
               "a program with rows as kernels does not link")
        text = demand([folder / "mine"], "a program with rows as kernels fails")
        count.check("5 formulas in kernels" in text, text)
    else:
        (folder / "asks").mkdir()
        (folder / "asks/CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.20)\nproject(asks CXX)\nfind_package(tenon REQUIRED COMPONENTS tenon cuda)\n")
        status, text = run(["cmake", "-S", str(folder / "asks"), "-B", str(folder / "asked"), f"-DCMAKE_PREFIX_PATH={tree}", f"-DCMAKE_CXX_COMPILER={cxx}"])
        count.check(status == 0 if has_component else status != 0 and "built without its component 'cuda'" in " ".join(text.split()),
                    "find_package does not know of the component\n" + text)
count.finish()
