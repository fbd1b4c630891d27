// Registers the derivatives of reductions, matrix products, joins, selections and losses.
#include <tenon/autograd/derivatives/index.hpp>
#include <tenon/autograd/derivatives/linalg.hpp>
#include <tenon/autograd/derivatives/loss.hpp>
#include <tenon/autograd/derivatives/reduce.hpp>
