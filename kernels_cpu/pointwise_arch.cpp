// The loops of the pointwise operators, compiled once per instruction set (TENON_KERNELS_ARCH).
#include <tenon/cpu/pointwise_loops.hpp>

TENON_EXPORT_KERNELS(pointwise, PointwiseKernels)
