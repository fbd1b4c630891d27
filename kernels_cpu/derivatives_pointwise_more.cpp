// Registers the derivatives of the further pointwise operators.
#include <tenon/autograd/derivatives/pointwise_more.hpp>
