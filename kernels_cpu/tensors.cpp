// Registers new tensors and copies, on the CPU.
#include <tenon/cpu/copy_kernels.hpp>
#include <tenon/cpu/factory.hpp>
#include <tenon/cpu/spaced.hpp>
