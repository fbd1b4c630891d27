"""Passes if a program ends with status 1 or 2 and one line on standard error: refuses.py PROGRAM ARGUMENT..."""
import subprocess
import sys

done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
print(done.stderr)
sys.exit(0 if done.returncode in (1, 2) and done.stderr.count("\n") == 1 else 1)
