"""Whether `opdump --lacks=CUDA` prints no operator: each has a kernel on CUDA. Usage: lacks.py OPDUMP"""
import subprocess
import sys

printed = subprocess.run([sys.argv[1], "--lacks=CUDA"], stdout=subprocess.PIPE, text=True, check=True).stdout
lacking = {line.split()[0].split("(")[0] for line in printed.splitlines() if "::" in line}
for name in sorted(lacking):
    print(f"FAILED: {name} lacks a kernel")
print(f"{int(not lacking)} passed, {len(lacking)} failed")
sys.exit(bool(lacking))
