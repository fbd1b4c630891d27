"""Compiles a unit of kernels and keeps what the compiler says, registers and spilled bytes by `-Xptxas -v`, as NAME.log beside NAME.o; it is shown where that fails.
Usage: compile.py NAME.o COMMAND..."""
import pathlib
import subprocess
import sys

done = subprocess.run(sys.argv[2:], stderr=subprocess.PIPE, text=True, errors="replace")
pathlib.Path(sys.argv[1]).with_suffix(".log").write_text(done.stderr)
if done.returncode:
    sys.stderr.write("".join(line for line in done.stderr.splitlines(True) if not line.startswith("ptxas info")))
sys.exit(done.returncode)
