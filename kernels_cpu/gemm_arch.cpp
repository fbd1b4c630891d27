// The matrix products, compiled once per instruction set (TENON_KERNELS_ARCH).
#include <tenon/cpu/gemm_kernels.hpp>

TENON_EXPORT_KERNELS(gemm, GemmKernels)
