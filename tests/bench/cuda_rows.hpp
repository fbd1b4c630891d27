// The fused chain of the benchmark, for the host's compiler and, in cuda_rows.cu, for a device's.
#pragma once
#include <tenon/cpu/rows.hpp>

TENON_FUSED(bench_gate, [](auto a, auto b) { return relu(a * b + a); });
