// Kernels of the formulas of elementary functions and activations.
#include <tenon/cuda/complex_functions.hpp>
#include <tenon/cuda/pointwise.hpp>
#include <tenon/pointwise/activation.hpp>
#include <tenon/pointwise/math.hpp>

TENON_CUDA_FORMULAS(math)
