// A foreign project's unit of kernels as the host's compiler reads it.
#define TENON_CUDA_KERNELS
#include "../install/cuda/mine.cu"
