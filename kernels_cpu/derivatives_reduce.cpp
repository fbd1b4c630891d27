// The derivatives of reductions and losses.
#include <tenon/autograd/derivatives/loss.hpp>
#include <tenon/autograd/derivatives/reduce.hpp>
