// What a source of elementwise rows includes, whether it is compiled once, by `tenon-rows` once per instruction set, or
// for a device.
#pragma once
#include <tenon/base/host_device.hpp>
#if TENON_DEVICE_UNIT || defined(TENON_CUDA_KERNELS)
#include <tenon/cuda/rows.hpp>
#else
#include <tenon/library/operators.hpp>
#ifdef TENON_KERNELS_ARCH
#include <tenon/cpu/formula_loops.hpp>
/// A lambda that is fused is compiled once, by the unit that calls it.
#define TENON_FUSED(NAME, ...) static_assert(true)
#else
#include <tenon/cpu/fuse.hpp>
#include <tenon/cpu/pointwise_operator.hpp>
#include <tenon/pointwise/checks.hpp>
#endif
#include <tenon/pointwise/derived.hpp>
/// In a unit for a device: puts the rows above it among the kernels. It says nothing to others.
#define TENON_CUDA_ROWS(NAME) static_assert(true)
#endif
