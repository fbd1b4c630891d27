#!/usr/bin/env bash
# The whole picture of a machine with a GPU in ten minutes: builds the CUDA component for that GPU alone, runs the component's tests, the bench beside
# PyTorch's where PYTHON names an interpreter that has it, an example that trains there, the recorded cases, a program with rows of its own, and a part of
# the cases under compute-sanitizer. Nothing comes from the network.
# Usage: tests/cuda/run_on_gpu.sh [FOLDER OF CASES]; BUILD names the build folder (build-gpu), CARRIED the folder that tests/cuda/carry.py made where the
# machine has not all headers or no Meson, JOBS the compilers at a time, BUDGET the seconds for all of it (570), STEP those that a step may take (100).
set -uo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build-gpu}
cases=${1:-tests/oracle/selection/cases}
# Beside the cases of a whole recording lie those of networks and transforms.
recorded=$(dirname "$cases")
carried=${CARRIED:-}
failed=() late=()
left() { echo $((${BUDGET:-570} - SECONDS)); }
step() {  # all steps run, whatever one says, as long as there is time
  local start=$SECONDS name=$1 most=${STEP:-100}
  shift
  [ "$(left)" -ge "$most" ] || most=$(left)
  [ "$most" -ge 5 ] || { late+=("$name"); return; }
  echo "== $name"
  timeout "$most" "$@" || failed+=("$name")
  echo "== $name: $((SECONDS - start)) s"
}
# Registers are compared where nvcc is at hand, device or not: ./dev cuda.
nvidia-smi --query-gpu=name,driver_version,compute_cap,memory.total --format=csv,noheader || { echo "SKIPPED: no device here" >&2; exit 77; }
architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
meson=(meson)
options=(-Dcuda=enabled "-Ddevice_architectures=$architecture" -Dshared=disabled -Dwerror=false)
if [ -n "$carried" ]; then
  options+=("-Dcarried_headers=$(realpath --relative-to=. "$carried/include")")
  command -v meson >/dev/null || meson=(env "PYTHONPATH=$(realpath "$carried")" python3 -m mesonbuild.mesonmain)
fi
[ -f "$build/build.ninja" ] || "${meson[@]}" setup "$build" "${options[@]}" || exit 1
judges=()
[ ! -d "$recorded/modules" ] || judges=(einsum functional index modules optim)
# What fails to build is missing below, and the rest is seen.
STEP=$(($(left) - 200)) step "build" ninja -C "$build" -k 0 ${JOBS:+-j "$JOBS"} tests/oracle/cases tests/unit_base tests/unit_on_cuda tests/own_rows_on_cuda tests/bench/bench examples/digits \
  "${judges[@]/#/tests/oracle/}"
step "component" "$build/tests/unit_base" "[component]"
step "kernels" "$build/tests/unit_on_cuda"
step "rows of one's own" "$build/tests/own_rows_on_cuda"
step "bench" bash -c 'set -o pipefail; "$1/tests/bench/bench" --device cuda | tee "$1/bench.txt"' - "$build"
peer=../shared/peer/torch_bench_cuda.py
[ -f "$peer" ] || peer=shared/peer/torch_bench_cuda.py
if [ -n "${PYTHON:-}" ] && [ -f "$peer" ]; then
  step "peer" bash -c 'set -o pipefail; "$1" "$2" | tee "$3/peer.txt"' - "$PYTHON" "$peer" "$build"
  step "verdicts" python3 tests/cuda/verdicts.py "$build/bench.txt" "$build/peer.txt"
else
  echo "SKIPPED: the peer's bench; PYTHON names no interpreter, or there is no $peer"
fi
step "digits" "$build/examples/digits" --device cuda --epochs 5 --weights "$build/digits.safetensors"
for judge in "${judges[@]}"; do
  step "$judge" "$build/tests/oracle/$judge" "$recorded/modules/$judge.jsonl" "$([ "$judge" = modules ] && echo tests/cuda_sim/modules_may_fail.txt || echo -)" --device cuda
done
# All cases of these operators pass on the simulated device.
STEP=150 step "cases" python3 tests/cuda_sim/run.py "$build/tests/oracle/cases" "$cases" tests/cuda_sim/operators.txt --jobs "$(nproc)" --least 99.9
if sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null); then
  only=()
  for operator in add sum amax softmax mm gather where cumsum sort layer_norm index_select conv2d; do
    [ ! -f "$cases/$operator.jsonl" ] || only+=(--only "$operator")
  done
  for tool in memcheck racecheck; do
    step "$tool" "$sanitizer" --tool "$tool" --error-exitcode 1 "$build/tests/oracle/cases" "$cases" --device cuda --here "${only[@]}"
  done
else
  echo "SKIPPED: no compute-sanitizer"
fi
echo "== all: $SECONDS s"
[ "${#late[@]}" = 0 ] || printf 'no time left: %s\n' "${late[@]}"
[ "${#failed[@]}" = 0 ] || printf 'failed: %s\n' "${failed[@]}"
[ $((${#failed[@]} + ${#late[@]})) = 0 ] && echo "all passed"
