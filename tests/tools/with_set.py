"""Runs a test program with the kernels of one instruction set; a machine without it skips the test and says so.
Usage: with_set.py SET COMMAND...: the environment's TENON_CPU_CAPABILITY is SET for COMMAND."""
import os
import subprocess
import sys

instruction_set, *command = sys.argv[1:]
done = subprocess.run(command, env={**os.environ, "TENON_CPU_CAPABILITY": instruction_set}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                      text=True, errors="replace")
if f"TENON_CPU_CAPABILITY={instruction_set} is no instruction set of this machine" in done.stdout:
    print(f"this machine has no {instruction_set}")
    sys.exit(77)
print(done.stdout, end="")
sys.exit(done.returncode if done.returncode >= 0 else 1)
