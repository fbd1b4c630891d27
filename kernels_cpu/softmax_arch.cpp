// Softmax, compiled once per instruction set (TENON_KERNELS_ARCH).
#include <tenon/cpu/softmax_kernels.hpp>

TENON_EXPORT_KERNELS(softmax, SoftmaxKernels)
