// Registers losses and softmax.
#include <tenon/cpu/loss_ops_nll.hpp>
