// The fused chain of the benchmark, and a kernel that does nothing, for the host's compiler and, in cuda_rows.cu, for a
// device's.
#pragma once
#include <tenon/cpu/rows.hpp>

TENON_FUSED(bench_gate, [](auto a, auto b) { return relu(a * b + a); });

/// Starts a kernel that does nothing: what the driver takes of every call. Null without a device's compiler.
inline void (*bench_launch_nothing)(void* stream) = nullptr;
