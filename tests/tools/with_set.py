"""Runs a test program with the kernels of one instruction set; a machine without it skips the test and says so.
Usage: with_set.py SET COMMAND...: the environment's TENON_CPU_CAPABILITY is SET for COMMAND."""
import os
import subprocess
import sys

instruction_set, *command = sys.argv[1:]
lines = []
with subprocess.Popen(command, env={**os.environ, "TENON_CPU_CAPABILITY": instruction_set}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                      text=True, errors="replace") as running:
    for line in running.stdout:
        lines.append(line)
        # It is said at the first operator: nothing is gained by the rest, with another set's kernels.
        if f"TENON_CPU_CAPABILITY={instruction_set} is no instruction set of this machine" in line:
            running.kill()
            print(f"this machine has no {instruction_set}")
            sys.exit(77)
print("".join(lines), end="")
sys.exit(running.returncode if running.returncode >= 0 else 1)
