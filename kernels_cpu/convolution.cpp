// Registers convolutions.
#include <tenon/composite/conv_tbc.hpp>
#include <tenon/composite/convolution.hpp>
#include <tenon/composite/convolution_names.hpp>
#include <tenon/cpu/convolution.hpp>
