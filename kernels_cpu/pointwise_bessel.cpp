// Registers the rows of Bessel and Airy functions, with their loops.
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/pointwise/bessel.hpp>
