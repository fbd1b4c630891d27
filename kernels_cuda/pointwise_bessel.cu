// Kernels of the formulas of Bessel and Airy functions.
#include <tenon/cuda/pointwise.hpp>
#include <tenon/pointwise/bessel.hpp>

TENON_CUDA_FORMULAS(bessel)
