"""The ways into a program beside the installed package: one header, a wrap, CMake's add_subdirectory, Conan, vcpkg. Nothing is
downloaded. Usage: run.py single_header|wrap|add_subdirectory|conan|vcpkg BUILD_FOLDER PREFIX COMPILER..."""
import json
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from checks import ROOT, Count, alone_in, flags

way, build, prefix = sys.argv[1:4]
compiler = [w for w in sys.argv[4:] if "ccache" not in w]
count = Count()
demand = count.demand
version = re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text()).group(1)
environment = dict(os.environ, CXX=shlex.join(compiler))


TENON = int(version.split(".")[0]) * 10000 + int(version.split(".")[1]) * 100 + int(version.split(".")[2])


def skip(why):
    print("SKIPPED:", why)
    sys.exit(77)


def single_header(folder):
    """It is written into a folder where nothing else of tenon is."""
    header = folder / "tenon.hpp"
    demand([sys.executable, ROOT / "tools/single_header.py", header], "the header is not written")
    text = header.read_text()
    count.check("#include <tenon/" not in text and str(ROOT) not in text, "the header leans on other files")
    others = [f for f in flags() if f != f"-I{ROOT / 'include'}"]
    source = folder / "main.cpp"
    source.write_text('#include "tenon.hpp"\n#include "tenon.hpp"\nint main() { return tenon::ops::relu(tenon::Tensor()).defined(); }\n')
    demand(compiler + others + ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", source], "the header does not compile alone")
    count.check(True)


def wrap(folder):
    """The release lies in a project's subprojects; Meson unpacks it by the wrap, for both names of the dependency."""
    project = folder / "project"
    shutil.copytree(ROOT / "tests/install/project", project)
    if not shutil.which("git"):
        skip("a release holds what git knows, and git is not installed")
    demand([sys.executable, ROOT / "tools/release.py", folder / "release"], "the release is not written")
    (project / "subprojects/packagefiles").mkdir(parents=True)
    shutil.copy(folder / "release/tenon.wrap", project / "subprojects")
    shutil.copy(folder / f"release/tenon-{version}.tar.gz", project / "subprojects/packagefiles")
    (project / "meson.build").write_text((project / "meson.build").read_text().replace(", fallback: 'tenon'", "") + "dependency('tenon')\n")
    output = demand(["meson", "setup", "--wrap-mode=forcefallback", folder / "out", project], "the wrap does not serve", env=environment)
    for name in ("tenon-headers", "tenon"):
        count.check(re.search(rf"Dependency {name} .*(from subproject|found: YES)", output), output)


def cmake_project(folder, text):
    (folder / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.20)\nproject(foreign CXX)\n{text}\n")
    shutil.copy(ROOT / "packaging/conan/test_package/main.cpp", folder)


def add_subdirectory(folder):
    """The headers alone build a program; with kernels every source of Meson's lists is in CMake's build."""
    cmake_project(folder, f'add_subdirectory("{ROOT}" tenon)\nadd_executable(main main.cpp)\ntarget_link_libraries(main PRIVATE tenon::tenon)')
    chosen = [f"-DCMAKE_CXX_COMPILER={compiler[0]}", "-S", folder]
    demand(["cmake", *chosen, "-B", folder / "headers", "-DTENON_KERNELS=OFF"], "the headers cannot be configured")
    demand(["cmake", "--build", folder / "headers"], "the program does not build")
    demand([folder / "headers/main"], "the program fails")
    demand(["cmake", *chosen, "-B", folder / "kernels", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], "the kernels cannot be configured")
    commands = json.loads((folder / "kernels/compile_commands.json").read_text())
    built = sorted(pathlib.Path(c["file"]).relative_to(ROOT).as_posix() for c in commands if c["file"].startswith(str(ROOT)))
    listed = []
    for part in ("core", "kernels_cpu"):
        lists = dict(re.findall(r"(\w+) = files\(([^)]*)\)", (ROOT / part / "meson.build").read_text()))
        for name, text in lists.items():
            sets = sum(c["command"].count(f" -DTENON_KERNELS_ARCH=") for c in commands if c["file"].endswith("/copy_arch.cpp"))
            listed += [f"{part}/{n}" for n in re.findall(r"'([^']+\.cpp)'", text)] * (sets if name == "arch_sources" else 1)
    count.check(len(built) > 50 and built == sorted(listed), f"CMake builds {len(built)} units, Meson lists {len(listed)}: {set(built) ^ set(listed)}")


def conan(folder):
    if not shutil.which("conan"):
        skip("conan is not installed (pip install conan)")
    if "Conan version 2" not in demand(["conan", "--version"], "conan does not run"):
        skip("conan is older than 2")
    home = folder / "home"
    (home / "profiles").mkdir(parents=True)
    machine = demand(["conan", "profile", "detect", "--name", "found", "--force"], "no profile", env=dict(environment, CONAN_HOME=str(home)))
    found = (home / "profiles/found").read_text()
    found = re.sub(r"compiler.cppstd=.*", "compiler.cppstd=20", found)
    (home / "profiles/default").write_text(found + "\n[platform_requires]\nboost/1.74.0\nxsimd/8.1.0\n[platform_tool_requires]\nmeson/1.0.1\n")
    output = demand(["conan", "create", ROOT / "packaging/conan", "--no-remote", "-o", "tenon/*:kernels=False", "-c",
                     f"tools.cmake.cmake_layout:test_folder={folder / 'test'}"], f"conan create fails\n{machine}", env=dict(environment, CONAN_HOME=str(home)))
    count.check(f"tenon/{version} (test package): Running test()" in output, output)
    # The same program by Meson and pkg-config; its build is in the test's folder, not beside the recipe.
    shutil.copytree(ROOT / "packaging/conan", folder / "conan")
    output = demand(["conan", "test", folder / "conan/test_package_meson", f"tenon/{version}", "--no-remote", "-o", "tenon/*:kernels=False"],
                    "conan's test package by Meson fails", env=dict(environment, CONAN_HOME=str(home)))
    count.check("Running test()" in output and f"tenon {TENON}" in output, output)


STAND_INS = """
# What vcpkg's scripts give to a port, for a port that needs no more: installs an existing build.
cmake_minimum_required(VERSION 3.20)
set(PORT tenon)
set(FEATURES core)
function(vcpkg_configure_meson)
  cmake_parse_arguments(ARG "" "SOURCE_PATH" "OPTIONS" ${ARGN})
  if(NOT EXISTS "${ARG_SOURCE_PATH}/meson.build" OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "no sources in ${ARG_SOURCE_PATH}, or unknown ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  message(STATUS "options: ${ARG_OPTIONS}")
endfunction()
function(vcpkg_install_meson)
  execute_process(COMMAND meson install -C "${BUILD}" --no-rebuild --destdir "${STAGE}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(RENAME "${STAGE}${PREFIX}" "${CURRENT_PACKAGES_DIR}")
endfunction()
function(vcpkg_fixup_pkgconfig)
  # The build may have more: it was configured by itself, not by the port's options.
  file(GLOB_RECURSE files RELATIVE "${CURRENT_PACKAGES_DIR}" "${CURRENT_PACKAGES_DIR}/*.pc")
  foreach(name tenon tenon-headers tenon-runtime)
    if(NOT files MATCHES "pkgconfig/${name}\\.pc")
      message(FATAL_ERROR "no ${name}.pc among the files of pkg-config: ${files}")
    endif()
  endforeach()
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(ARG "" "COMMENT" "FILE_LIST" ${ARGN})
  configure_file("${ARG_FILE_LIST}" "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright" COPYONLY)
endfunction()
include("${PORTFILE}")
"""


def vcpkg(folder):
    """Not the real tool: its port's script runs with stand-ins, and the result is found by CMake."""
    port = ROOT / "packaging/vcpkg/ports/tenon"
    manifest = json.loads((port / "vcpkg.json").read_text())
    count.check(manifest["name"] == "tenon" and manifest["version"] == version, "vcpkg.json states another name or version")
    count.check(re.fullmatch(r"[A-Za-z0-9.+-]+", manifest["license"]) and len(manifest["description"]) < 200, "license or description")
    for d in manifest["dependencies"] + [d for f in manifest["features"].values() for d in f["dependencies"]]:
        name = d if isinstance(d, str) else d["name"]
        count.check(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) and (isinstance(d, str) or set(d) <= {"name", "host", "version>=", "features"}), f"dependency {d}")
    if not shutil.which("cmake"):
        skip("cmake is not installed")
    options = set(re.findall(r"option\('(\w+)'", (ROOT / "meson_options.txt").read_text()))
    for name in re.findall(r"-D(\w+)=", (port / "portfile.cmake").read_text()):
        count.check(name in options, f"the port sets {name}, which meson_options.txt has not")
    script, packages = folder / "run.cmake", folder / "packages/tenon"
    script.write_text(STAND_INS)
    packages.parent.mkdir()
    with alone_in(build):
        demand(["cmake", f"-DPORTFILE={port / 'portfile.cmake'}", f"-DBUILD={build}", f"-DPREFIX={prefix}", f"-DSTAGE={folder / 'stage'}",
                f"-DCURRENT_PACKAGES_DIR={packages}", "-P", script], "the port's script fails")
    for name in ("copyright", "usage"):
        count.check((packages / "share/tenon" / name).exists(), f"the port installs no {name}")
    cmake_project(folder, "find_package(tenon CONFIG REQUIRED)\nget_target_property(found tenon::headers INTERFACE_INCLUDE_DIRECTORIES)\nmessage(STATUS \"found ${found}\")")
    output = demand(["cmake", "-S", folder, "-B", folder / "out", f"-DCMAKE_PREFIX_PATH={packages}", f"-DCMAKE_CXX_COMPILER={compiler[0]}"], "find_package fails")
    count.check(f"found {packages}" in output, output)


if way in ("add_subdirectory",) and not shutil.which("cmake"):
    skip("cmake is not installed")
with tempfile.TemporaryDirectory() as folder:
    globals()[way](pathlib.Path(folder).resolve())
count.finish()
