"""Replaces the installed archive of kernels, which programs link whole, by one of a single object: what several of its objects
hold is in it once, and its functions share a section instead of having one each, since nothing of it is left out. Meson calls it
when it installs: prelink.py ARCHIVE COMPILER... with ARCHIVE relative to the prefix. Where the compiler cannot, the archive stays as it is."""
import os
import pathlib
import subprocess
import sys
import tempfile

KINDS = ("text.unlikely", "text.startup", "text", "data.rel.ro.local", "data.rel.ro", "data.rel.local", "data.rel", "data", "gcc_except_table",
         "tdata", "tbss", "bss")
# Constants keep the sections that the linker merges: strings and numbers.
SCRIPT = "SECTIONS {\n" + "".join(f"  .{kind} 0 : {{ *(.{kind} .{kind}.*) }}\n" for kind in KINDS) + "  .rodata 0 : { *(.rodata .rodata._*) }\n}\n"


def run(*words):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True)


def tool(compiler, name):
    return os.environ.get(name.upper()) or run(*compiler, f"-print-prog-name={name}").stdout.strip()


def join(compiler, archive, folder):
    """Writes `smaller.a`; says what failed."""
    whole, script, unique, smaller = (folder / name for name in ("tenon_kernels_cpu.o", "sections.ld", "unique", "smaller.a"))
    script.write_text(SCRIPT)
    done = run(*compiler, "-r", "-nostdlib", "-o", whole, f"-Wl,-T,{script},--force-group-allocation", "-Wl,--whole-archive", archive, "-Wl,--no-whole-archive")
    if done.returncode:
        return done.stderr
    # Without its group a name that is unique in a process would meet that of a program's unit as a second definition.
    listed = run(tool(compiler, "nm"), whole)
    unique.write_text("".join(line.split()[-1] + "\n" for line in listed.stdout.splitlines() if line.split()[-2] == "u"))
    done = run(tool(compiler, "objcopy"), f"--weaken-symbols={unique}", whole)
    # No index of names: who links the archive without --whole-archive, and would have a program without operators, is told so.
    return listed.stderr or done.stderr or run(tool(compiler, "ar"), "rcSD", smaller, whole).stderr


archive = pathlib.Path(os.environ["MESON_INSTALL_DESTDIR_PREFIX"]) / sys.argv[1]
if archive.exists():
    with tempfile.TemporaryDirectory() as folder:
        problem = join([word for word in sys.argv[2:] if "ccache" not in word], archive, pathlib.Path(folder))
        smaller = pathlib.Path(folder) / "smaller.a"
        if problem or not smaller.exists():
            print(f"{archive.name} keeps its objects: {problem.strip()[:300]}")
        elif smaller.stat().st_size < archive.stat().st_size:
            archive.write_bytes(smaller.read_bytes())
