// Registers convolutions.
#include <tenon/composite/convolution.hpp>
#include <tenon/cpu/convolution.hpp>
