// Registers the further pointwise operators.
#include <tenon/cpu/pointwise_more.hpp>
