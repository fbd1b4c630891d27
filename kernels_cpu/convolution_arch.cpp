// Convolutions of float and double, compiled once per instruction set (TENON_KERNELS_ARCH).
#include <tenon/cpu/convolution_kernels.hpp>

TENON_EXPORT_KERNELS(convolution, ConvolutionKernels)
