"""Links programs with a pack of operators in a static archive.
Usage: run.py ARCHIVE_OF_THE_LIBRARY COMPILER..."""
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from checks import Count, flags, run

library, *compiler = sys.argv[1:]
count = Count()
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)

    def compiled(source, *defined):
        out = folder / f"{source}{len(defined)}.o"
        status, output = run([*compiler, *flags(), "-DTENON_KERNELS_COMPILED", *defined, "-c", str(HERE / f"{source}.cpp"), "-o", str(out)])
        count.check(status == 0, output)
        return str(out)

    def linked(*objects):
        return run([*compiler, *objects, library, "-pthread", "-ldl", "-o", str(folder / "program")])

    archive = str(folder / "libdemo.a")
    status, output = run(["ar", "rcs", archive, compiled("operators"), compiled("kernels")])
    count.check(status == 0, output)
    with_header, without = compiled("program", "-DWITH_HEADER"), compiled("program")

    status, output = linked(with_header, archive)
    count.check(status == 0, output)
    count.check(run([str(folder / "program")]) == (0, "42\n"), "the pack's operator is not the program's")
    status, output = linked(with_header)
    count.check(status != 0 and "undefined reference to `tenon_pack_demo'" in output, "a missing pack is not told of:\n" + output)
    # Nobody names the pack: the linker leaves it out, and a call says what it misses.
    status, output = linked(without, archive)
    count.check(status == 0, output)
    status, output = run([str(folder / "program")])
    count.check("Could not find schema for _pack::answer; " in output and "--whole-archive" in output, "a pack that nobody names is not missed:\n" + output)
count.finish()
