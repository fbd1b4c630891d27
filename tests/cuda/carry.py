"""What run_on_gpu.sh needs on a machine without a network, for its setting CARRIED: the headers of xsimd, Boost, Catch2 and nlohmann_json that are installed here, and Meson.
Usage: carry.py BUILD FOLDER. Of Boost, Mp11 and what units of the build folder BUILD have read. On the other machine there must be a C++ compiler, nvcc, ninja and Python."""
import importlib.util
import pathlib
import shutil
import subprocess
import sys

WHOLE = ("boost/mp11", "boost/mp11.hpp", "xsimd", "catch2", "nlohmann")


def main():
    build, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    read = {line.strip() for line in subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True, check=True).stdout.splitlines()}
    boost = sorted(path for path in read if "/include/boost/" in path)
    if not boost:
        sys.exit(f"{build}: no unit that includes Boost was compiled here")
    system = pathlib.Path(boost[0].split("/boost/")[0])
    headers = folder / "include"
    for name in WHOLE:
        if not (system / name).exists():
            sys.exit(f"{system / name}: not here")
        (shutil.copytree if (system / name).is_dir() else lambda a, b, **_: (b.parent.mkdir(parents=True, exist_ok=True), shutil.copy(a, b)))(system / name, headers / name, dirs_exist_ok=True)
    if not (headers / "catch2/catch.hpp").exists():
        sys.exit("Catch2 2, which is headers alone, is carried; another one is installed here")
    for path in boost:
        to = headers / pathlib.Path(path).relative_to(system)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)
    found = importlib.util.find_spec("mesonbuild")
    if found:
        shutil.copytree(pathlib.Path(found.origin).parent, folder / "mesonbuild", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    size = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
    print(f"{folder}: {size / 1e6:.1f} MB" + ("" if found else "; without Meson, which is no module of this Python"))


main()
