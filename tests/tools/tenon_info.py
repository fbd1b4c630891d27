"""What tenon-info prints, held against the build. Usage: tenon_info.py PROGRAM VERSION SET..."""
import os
import re
import shutil
import subprocess
import sys

from checks import ROOT, Count

program, version, sets = sys.argv[1], sys.argv[2], sys.argv[3:]
count = Count()


def facts(**environment):
    return subprocess.run([program], capture_output=True, text=True, check=True, env=dict(os.environ, **environment)).stdout


text = facts(TENON_NUM_THREADS="3")
revision = r"\+git[0-9a-f]{7}" if (ROOT / ".git").exists() and shutil.which("git") else ""
count.check(re.match(rf"tenon {re.escape(version)}{revision}\n", text), f"version and revision:\n{text}")
said = re.search(r"^instruction sets: (.*); this machine has \w+, in use is \w+$", text, re.M)
count.check(said and sorted(said.group(1).split()) == sorted(sets), f"instruction sets {sets}:\n{text}")
count.check("\nthreads: 3\n" in text, text)
count.check(re.search(r"^headers: compiled by (GCC|Clang) \d+", text, re.M) and re.search(r"^compiled kernels: by (GCC|Clang) \d+", text, re.M), text)
count.check(re.search(r"^LAPACK: \w+$", text, re.M) and int(re.search(r"^operators: (\d+)$", text, re.M).group(1)) > 100, text)
if "sse2" in sets:
    count.check("in use is sse2" in facts(TENON_CPU_CAPABILITY="sse2"), "the set that the environment asks for")
count.finish()
