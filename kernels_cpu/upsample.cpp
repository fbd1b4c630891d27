// Registers up- and downsampling.
#include <tenon/composite/upsample.hpp>
#include <tenon/cpu/upsample.hpp>
