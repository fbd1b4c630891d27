// Kernels of the formulas of orthogonal polynomials.
#include <tenon/cuda/pointwise.hpp>
#include <tenon/pointwise/polynomial.hpp>

TENON_CUDA_FORMULAS(polynomial)
