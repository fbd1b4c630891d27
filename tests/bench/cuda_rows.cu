// The same as kernels.
#include "cuda_rows.hpp"

TENON_CUDA_ROWS(bench_rows);
