// Registers the rows of special functions and activations.
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/pointwise/activation.hpp>
#include <tenon/pointwise/special.hpp>
