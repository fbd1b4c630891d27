// Registers the rows of comparisons and limits.
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/pointwise/compare.hpp>
