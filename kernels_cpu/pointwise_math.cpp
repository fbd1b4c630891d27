// Registers the rows of elementary functions and powers.
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/pointwise/math.hpp>
