// A foreign project's unit of kernels as the host's compiler reads it.
#define TENON_CUDA_KERNELS
#include "own_rows.hpp"

#include "../install/cuda/mine.cu"
