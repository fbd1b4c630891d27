"""run_on_gpu.sh and what it calls, over programs that stand in for a GPU, a compiler and the component's own. Usage: script.py"""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from checks import Count

ROWS = ("copy_256m add_out_256m add_256m launch/add_16 launch/add_out_16 gemm_f32_4096 gemm_tf32_4096 gemm_bf16_8192 layer_norm_8192 softmax_8192 chain_256m "
        "train/mlp_b64 train/mlp_b64_graph").split()
count = Count()


def rows(times):
    return "".join(f"{'gpu/' + name:<34} {times.get(name, times['']):14.3f} {0:14.3f}\n" for name in ROWS)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def script(folder, **settings):
    tools = folder / "bin"
    environment = {**os.environ, "PATH": f"{tools}:/usr/bin:/bin", "BUILD": str(folder / "build"), **settings}
    environment.pop("PYTHON", None)
    done = subprocess.run(["bash", str(HERE / "run_on_gpu.sh")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    return done.returncode, done.stdout


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    status, output = script(folder)
    count.check(status == 77 and "SKIPPED: no device here" in output, f"without a device: {status}\n{output}")
    write(folder / "bin/nvidia-smi", '#!/bin/bash\ncase "$*" in *name,*) echo "GPU, 580, 9.0, 81559 MiB" ;; *) echo 9.0 ;; esac\n')
    write(folder / "bin/ninja", "#!/bin/bash\nsleep 1\n")
    write(folder / "bin/compute-sanitizer", "#!/bin/bash\n")
    write(folder / "build/build.ninja", "")
    for program in ("tests/unit_base", "tests/unit_on_cuda", "tests/own_rows_on_cuda", "examples/digits"):
        write(folder / "build" / program, "#!/bin/bash\n")
    write(folder / "build/tests/oracle/cases", "#!/bin/bash\necho 'add 999 1'\necho '999 passed, 1 failed'\nexit 1\n")
    write(folder / "build/tests/bench/bench", f"#!/bin/bash\ncat <<'END'\n{rows({'': 100})}END\n")
    status, output = script(folder)
    count.check(status == 0 and "all passed" in output and "99.90 %" in output, f"where all passes: {status}\n{output}")
    write(folder / "build/tests/oracle/cases", "#!/bin/bash\necho 'add 99 1'\necho '99 passed, 1 failed'\nexit 1\n")
    write(folder / "build/tests/unit_on_cuda", "#!/bin/bash\nexit 1\n")
    status, output = script(folder)
    count.check(status == 1 and "failed: kernels\nfailed: cases\n" in output and "== racecheck" in output, f"where two steps fail: {status}\n{output}")
    status, output = script(folder, BUDGET="3")
    count.check(status == 1 and "no time left: build" in output, f"without time: {status}\n{output}")

    def verdicts(ours, peers):
        (folder / "ours").write_text(ours)
        (folder / "peers").write_text(peers)
        done = subprocess.run([sys.executable, str(HERE / "verdicts.py"), str(folder / "ours"), str(folder / "peers")], stdout=subprocess.PIPE, text=True)
        return done.returncode, done.stdout

    status, output = verdicts(rows({"": 100, "add_out_256m": 150}), rows({"": 500}))
    count.check(status == 0 and "12 passed, 0 failed" in output, f"ratios that are reached:\n{output}")
    status, output = verdicts(rows({"": 100, "add_out_256m": 160, "gemm_f32_4096": 520}), rows({"": 500, "train/mlp_b64": 250}).replace("softmax", "other"))
    count.check(status == 1 and output.count("NOT REACHED") == 3 and "NOT JUDGED: no row 'gpu/softmax_8192'" in output, f"ratios that are not:\n{output}")
count.finish()
