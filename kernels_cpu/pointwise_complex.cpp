// Registers the rows of complex elements and floating-point numbers taken apart, with their loops.
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/cpu/frexp.hpp>
#include <tenon/pointwise/complex.hpp>
