// The same operators as kernels.
#include "mine.hpp"

TENON_CUDA_ROWS(mine);
