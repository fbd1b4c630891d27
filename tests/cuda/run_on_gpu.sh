#!/usr/bin/env bash
# Builds the CUDA component and runs the recorded cases on a device, then a part of them under compute-sanitizer.
# Usage: tests/cuda/run_on_gpu.sh [FOLDER OF CASES]; BUILD names the build folder (build-cuda).
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build-cuda}
cases=${1:-tests/oracle/selection/cases}
# Registers are compared where nvcc is at hand, device or not: tests/cuda/registers.py.
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || { echo "no device here" >&2; exit 77; }
[ -f "$build/build.ninja" ] || meson setup "$build" -Dcuda=enabled
ninja -C "$build" tests/oracle/cases tests/unit_base
"$build/tests/unit_base" "[component]"
python3 tests/cuda_sim/run.py "$build/tests/oracle/cases" "$cases" tests/cuda_sim/operators.txt
if sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null); then
  for tool in memcheck racecheck; do
    "$sanitizer" --tool "$tool" --error-exitcode 1 "$build/tests/oracle/cases" "$cases" --device cuda --here --only add --only sum --only softmax --only mm
  done
fi
