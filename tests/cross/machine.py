"""Writes what Meson must know to compile for AArch64 by Debian's cross compiler and to run programs by qemu, FOLDER/aarch64.ini.
Linear algebra has Debian's LAPACK for AArch64 where apt can fetch its packages, and is left out where not.
Usage: machine.py FOLDER"""
import os
import pathlib
import shutil
import subprocess
import sys

TRIPLE = "aarch64-linux-gnu"
EMULATOR = ["qemu-aarch64", "-L", "/usr/" + TRIPLE]

folder = pathlib.Path(sys.argv[1]).resolve()
folder.mkdir(parents=True, exist_ok=True)


def fetched_lapack():
    """A folder with LAPACK and what it needs, from packages that are unpacked and not installed; None where apt gives none."""
    libraries, state = folder / "lib", folder / "apt"
    if (libraries / "liblapack.so").exists():
        return libraries
    for name in ("lists/partial", "cache/archives/partial"):
        (state / name).mkdir(parents=True, exist_ok=True)
    (state / "status").touch()
    (state / "conf").write_text('APT::Architecture "arm64";\nAPT::Architectures { "arm64"; };\n'
                                f'Dir::State "{state}";\nDir::State::status "{state}/status";\nDir::Cache "{state}/cache";\n')
    for words in ("update", "install -y --download-only --no-install-recommends liblapack3"):
        if not shutil.which("apt-get") or subprocess.run(["apt-get", "-qq", *words.split()], env={**os.environ, "APT_CONFIG": str(state / "conf")}).returncode != 0:
            return None
    for package in ("libblas3", "liblapack3", "libgfortran5"):
        for archive in (state / "cache/archives").glob(package + "_*.deb"):
            subprocess.run(["dpkg", "-x", archive, folder / "packages"], check=True)
    shutil.rmtree(libraries, ignore_errors=True)
    libraries.mkdir()
    for library in (folder / "packages").rglob("lib*.so.*"):
        (libraries / library.name).symlink_to(library)
    (libraries / "liblapack.so").symlink_to("liblapack.so.3")
    return libraries


lapack = fetched_lapack()
if not lapack:
    print("LAPACK for AArch64 cannot be fetched: its operators are left out, and their cases fail")

# Of this machine's packages those of headers alone, which are the same for every processor.
descriptions = folder / "pkgconfig"
descriptions.mkdir(exist_ok=True)
for name in ("xsimd", "nlohmann_json", "catch2", "catch2-with-main"):
    found = subprocess.run(["pkg-config", "--variable=pcfiledir", name], capture_output=True, text=True)
    if found.returncode == 0:
        shutil.copy(pathlib.Path(found.stdout.strip()) / (name + ".pc"), descriptions)

ccache = ["ccache"] if shutil.which("ccache") else []
(folder / "aarch64.ini").write_text(f"""[binaries]
c = {ccache + [TRIPLE + "-gcc"]}
cpp = {ccache + [TRIPLE + "-g++"]}
ar = '{TRIPLE}-ar'
strip = '{TRIPLE}-strip'
pkgconfig = 'pkg-config'
exe_wrapper = {EMULATOR}
[properties]
pkg_config_libdir = '{descriptions}'
[built-in options]
cpp_args = ['-Wno-psabi']
cpp_link_args = {[f"-L{lapack}", f"-Wl,-rpath,{lapack}"] if lapack else []}
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
""")
