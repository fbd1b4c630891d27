// Kernels of the formulas of comparison.
#include <tenon/cuda/pointwise.hpp>
#include <tenon/pointwise/compare.hpp>

TENON_CUDA_FORMULAS(compare)
