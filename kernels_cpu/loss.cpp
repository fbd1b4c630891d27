// Registers losses and softmax.
#include <tenon/composite/cross_entropy.hpp>
#include <tenon/cpu/ctc_loss.hpp>
#include <tenon/cpu/mse_loss.hpp>
#include <tenon/cpu/nll_loss.hpp>
#include <tenon/cpu/softmax_operators.hpp>
