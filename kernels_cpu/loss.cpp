// Registers losses and softmax.
#include <tenon/autograd/derivatives/element_loss.hpp>
#include <tenon/composite/cross_entropy.hpp>
#include <tenon/composite/margin_loss.hpp>
#include <tenon/composite/nll_loss2d.hpp>
#include <tenon/cpu/ctc_loss.hpp>
#include <tenon/cpu/mse_loss.hpp>
#include <tenon/cpu/nll_loss.hpp>
#include <tenon/cpu/smooth_loss.hpp>
#include <tenon/cpu/softmax_operators.hpp>
