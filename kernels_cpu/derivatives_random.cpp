// The derivatives of distributions and dropout.
#include <tenon/autograd/derivatives/random.hpp>
