// Registers pooling.
#include <tenon/composite/pooling.hpp>
#include <tenon/cpu/pooling.hpp>
