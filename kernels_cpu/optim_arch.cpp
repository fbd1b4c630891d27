// The optimisers' loops, compiled once per instruction set (TENON_KERNELS_ARCH).
#include <tenon/cpu/optim_kernels.hpp>

TENON_EXPORT_KERNELS(optim, OptimKernels)
