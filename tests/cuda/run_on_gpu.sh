#!/usr/bin/env bash
# The whole picture of a machine with a GPU: builds the CUDA component for that GPU alone, runs the component's tests, the recorded cases, a part of
# them under compute-sanitizer, an example that trains there, and the bench beside PyTorch's where PYTHON names an interpreter that has it. Nothing
# comes from the network.
# Usage: tests/cuda/run_on_gpu.sh [FOLDER OF CASES]; BUILD names the build folder (build-cuda), HEADERS a folder with the headers of xsimd, Boost and
# Catch2 where the system has none, JOBS the compilers at a time, STEP the seconds that a step may take (100).
set -uo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build-cuda}
cases=${1:-tests/oracle/selection/cases}
failed=()
step() {  # all steps run, whatever one says
  local start=$SECONDS name=$1
  shift
  echo "== $name"
  timeout "${STEP:-100}" "$@" || failed+=("$name")
  echo "== $name: $((SECONDS - start)) s"
}
# Registers are compared where nvcc is at hand, device or not: tests/cuda/registers.py, plain.py.
nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader || { echo "SKIPPED: no device here" >&2; exit 77; }
architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
[ -z "${HEADERS:-}" ] || export CPLUS_INCLUDE_PATH="$HEADERS${CPLUS_INCLUDE_PATH:+:$CPLUS_INCLUDE_PATH}"
[ -f "$build/build.ninja" ] || meson setup "$build" -Dcuda=enabled -Ddevice_architectures="$architecture" || exit 1
start=$SECONDS
# What fails to build is missing below, and the rest is seen.
ninja -C "$build" -k 0 ${JOBS:+-j "$JOBS"} tests/oracle/cases tests/unit_base tests/unit_on_cuda tests/bench/bench examples/digits || failed+=("build")
echo "== build: $((SECONDS - start)) s"
step "component" "$build/tests/unit_base" "[component]"
step "kernels" "$build/tests/unit_on_cuda"
step "cases" python3 tests/cuda_sim/run.py "$build/tests/oracle/cases" "$cases" tests/cuda_sim/operators.txt --jobs 8
step "digits" "$build/examples/digits" --device cuda --epochs 5 --weights "$build/digits.safetensors"
step "bench" "$build/tests/bench/bench" --device cuda
peer=../shared/peer/torch_bench_cuda.py
if [ -n "${PYTHON:-}" ] && [ -f "$peer" ]; then step "peer" "$PYTHON" "$peer"; else echo "SKIPPED: the peer's bench; PYTHON names no interpreter"; fi
if sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null); then
  for tool in memcheck racecheck; do
    step "$tool" "$sanitizer" --tool "$tool" --error-exitcode 1 "$build/tests/oracle/cases" "$cases" --device cuda --here \
      --only add --only sum --only softmax --only mm --only cumsum --only sort --only layer_norm
  done
else
  echo "SKIPPED: no compute-sanitizer"
fi
if [ "${#failed[@]}" = 0 ]; then echo "all passed"; else printf 'failed: %s\n' "${failed[@]}"; exit 1; fi
