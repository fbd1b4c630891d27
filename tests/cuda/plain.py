"""Whether the lane object costs nothing: the instructions (PTX) of add, sum and softmax as bodies over a lane and as kernels written by hand, from plain.cu.
Usage: plain.py. Needs nvcc and no device. Passes where both have as many instructions of each kind, and as many registers by ptxas, for sm_80 and sm_90, and where
elementwise kernels of dense floats and 16-bit floats load and store 16 bytes at a time."""
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
NAMES = ("add_packs", "sum_rows", "softmax_row")


def main():
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if not nvcc:
        print("SKIPPED: no nvcc, neither in PATH nor in /usr/local/cuda")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for arch in ("sm_80", "sm_90"):
            words = [nvcc, "-std=c++20", "-O3", "--expt-relaxed-constexpr", "-diag-suppress", "186", f"-arch={arch}", "-I", str(HERE.parents[1] / "include"), str(HERE / "plain.cu")]
            ptx = pathlib.Path(folder) / f"{arch}.ptx"
            subprocess.run([*words, "-ptx", "-o", str(ptx)], check=True)
            told = subprocess.run([*words, "-cubin", "-Xptxas", "-v", "-o", str(ptx.with_suffix(".cubin"))], capture_output=True, text=True, check=True).stderr
            registers = {name: int(n) for name, n in re.findall(r"Compiling entry function '(\w+)'.*?Used (\d+) registers", told, re.S)}
            kinds = {}
            for name, body in re.findall(r"\.entry (\w+)\(.*?\n{(.*?)\n}", ptx.read_text(), re.S):
                kinds[name] = collections.Counter(re.findall(r"^\s*(?:@!?%p\d+ )?([a-z][a-z0-9_.:]*)\s[^;]*;", body, re.M))
            for name in NAMES:
                plain = next(f for f in kinds if f"plain_{name}" in f)
                ours = next(f for f in kinds if name in f and f != plain)
                same = kinds[plain] == kinds[ours] and registers[plain] == registers[ours]
                failed += not same
                print(f"{arch} {name}: {sum(kinds[ours].values())} instructions and {registers[ours]} registers, by hand {sum(kinds[plain].values())} and {registers[plain]}")
                if not same:
                    print(f"  more in ours: {dict(kinds[ours] - kinds[plain])}, by hand: {dict(kinds[plain] - kinds[ours])}")
            packed = [kinds[f] for f in kinds if "dense_formula" in f]
            whole = len(packed) == 2 and all(sum(n for kind, n in k.items() if re.match(r"(ld|st)\.global\.v4\.[a-z]32$", kind)) == 3 for k in packed)
            failed += not whole
            print(f"{arch} dense add of float and half: {'two loads and a store of 16 bytes' if whole else packed}")
    print(f"{2 * len(NAMES) + 2 - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
