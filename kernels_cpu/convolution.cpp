// Registers convolutions.
#include <tenon/composite/conv_tbc.hpp>
#include <tenon/composite/convolution.hpp>
#include <tenon/cpu/convolution.hpp>
