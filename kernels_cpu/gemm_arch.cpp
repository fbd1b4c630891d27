// The matrix products and the layers that repeat them, compiled once per instruction set (TENON_KERNELS_ARCH).
#include <tenon/cpu/gemm_kernels.hpp>
#include <tenon/cpu/lstm_kernels.hpp>

TENON_EXPORT_KERNELS(gemm, GemmKernels)
TENON_EXPORT_KERNELS(recurrent, RecurrentKernels)
