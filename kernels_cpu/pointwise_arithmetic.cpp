// Registers the rows of arithmetic, bits and truth.
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/pointwise/arithmetic.hpp>
#include <tenon/pointwise/bits.hpp>
