"""Runs an example and compares what it prints with the comment at the end of its source."""
import subprocess
import sys

program, source = sys.argv[1:]
with open(source) as file:
    expected = [line[3:].rstrip() for line in file.read().split('// Prints:\n')[1].splitlines()]
done = subprocess.run([program], capture_output=True, text=True)
if done.returncode != 0 or done.stdout.splitlines() != expected:
    sys.exit(f'status {done.returncode}, stderr {done.stderr!r}, printed\n{done.stdout}instead of\n' + '\n'.join(expected))
