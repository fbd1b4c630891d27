// Copies between dtypes and strides, compiled once per instruction set (TENON_KERNELS_ARCH).
#include <tenon/cpu/copy_loops.hpp>

TENON_EXPORT_KERNELS(copy, CopyKernels)
