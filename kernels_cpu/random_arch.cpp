// Random numbers by the block, compiled once per instruction set (TENON_KERNELS_ARCH).
#include <tenon/cpu/random_kernels.hpp>

TENON_EXPORT_KERNELS(random, RandomKernels)
