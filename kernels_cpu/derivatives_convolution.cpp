// The derivatives of convolutions.
#include <tenon/autograd/derivatives/convolution.hpp>
