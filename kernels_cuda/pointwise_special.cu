// Kernels of the formulas of special functions and complex numbers.
#include <tenon/cuda/pointwise.hpp>
#include <tenon/pointwise/complex.hpp>
#include <tenon/pointwise/special.hpp>

TENON_CUDA_FORMULAS(special)
