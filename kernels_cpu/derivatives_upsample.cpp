// The derivatives of up- and downsampling.
#include <tenon/autograd/derivatives/upsample.hpp>
