// Discrete Fourier transforms, compiled once per instruction set (TENON_KERNELS_ARCH).
#include <tenon/cpu/fft_kernels.hpp>

TENON_EXPORT_KERNELS(fft, FftKernels)
