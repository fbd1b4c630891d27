// Registers medians, modes, k-th values and running extremes on the CPU, with derivatives.
#include <tenon/autograd/derivatives/order_statistics.hpp>
#include <tenon/cpu/order_statistics.hpp>
#include <tenon/cpu/running.hpp>
