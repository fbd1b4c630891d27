// The one seam between host and device compilers: what a CUDA compiler must be told of functions that run on both.
// Device units are compiled with --expt-relaxed-constexpr, so constexpr functions need no mark.
#pragma once

#ifdef __CUDACC__
#define TENON_DEVICE_UNIT 1
#define TENON_HOST_DEVICE __host__ __device__
#else
#define TENON_DEVICE_UNIT 0
#define TENON_HOST_DEVICE
#endif

/// A statement that device code leaves out: no exception leaves a kernel.
#ifdef __CUDA_ARCH__
#define TENON_HOST_ONLY(...)
#else
#define TENON_HOST_ONLY(...) __VA_ARGS__
#endif
