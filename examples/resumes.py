"""Runs the digits example in one go, and again in two parts by way of a checkpoint: the weights are the same to the bit.
Usage: resumes.py PROGRAM"""
import pathlib
import subprocess
import sys
import tempfile

program = sys.argv[1]
with tempfile.TemporaryDirectory() as folder:
    def run(name, *options):
        weights = pathlib.Path(folder) / (name + ".safetensors")
        subprocess.run([program, "--weights", str(weights), *options], check=True, stdout=subprocess.DEVNULL)
        return weights.read_bytes()

    checkpoint = str(pathlib.Path(folder) / "checkpoint.safetensors")
    whole = run("whole", "--epochs", "4")
    half = run("half", "--epochs", "2", "--checkpoint", checkpoint)
    resumed = run("resumed", "--epochs", "4", "--resume", checkpoint)
passed = [resumed == whole, half != whole]
print(f"{sum(passed)} passed, {passed.count(False)} failed")
sys.exit(0 if all(passed) else 1)
