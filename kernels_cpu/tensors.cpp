// Registers new tensors, copies and random numbers on the CPU.
#include <tenon/composite/random.hpp>
#include <tenon/cpu/copy_kernels.hpp>
#include <tenon/cpu/factory.hpp>
#include <tenon/cpu/random.hpp>
#include <tenon/cpu/spaced.hpp>
