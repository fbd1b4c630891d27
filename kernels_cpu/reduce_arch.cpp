// The reductions, compiled once per instruction set (TENON_KERNELS_ARCH).
#include <tenon/cpu/reduce_kernels.hpp>

TENON_EXPORT_KERNELS(reduce, ReduceKernels)
