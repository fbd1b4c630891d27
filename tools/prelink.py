"""Replaces the installed archive of kernels, which programs link whole, by one of a single object: what several of its objects
hold is in it once. Meson calls it when it installs: prelink.py ARCHIVE COMPILER... with ARCHIVE relative to the prefix. Where the compiler
cannot, the archive stays as it is."""
import os
import pathlib
import subprocess
import sys
import tempfile

archive = pathlib.Path(os.environ["MESON_INSTALL_DESTDIR_PREFIX"]) / sys.argv[1]
compiler = [word for word in sys.argv[2:] if "ccache" not in word]
if archive.exists():
    with tempfile.TemporaryDirectory() as folder:
        whole, smaller = pathlib.Path(folder) / "tenon_kernels_cpu.o", pathlib.Path(folder) / archive.name
        done = subprocess.run([*compiler, "-r", "-nostdlib", "-o", whole, "-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"], capture_output=True, text=True)
        made = done.returncode == 0 and subprocess.run([os.environ.get("AR", "ar"), "rcsD", smaller, whole], capture_output=True).returncode == 0
        if made and smaller.stat().st_size < archive.stat().st_size:
            archive.write_bytes(smaller.read_bytes())
        elif not made:
            print(f"{archive.name} keeps its objects: {done.stderr.strip()[:300]}")
