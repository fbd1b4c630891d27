// Kernels of the formulas of arithmetic and bits.
#include <tenon/cuda/pointwise.hpp>
#include <tenon/pointwise/arithmetic.hpp>
#include <tenon/pointwise/bits.hpp>

TENON_CUDA_FORMULAS(arithmetic)
