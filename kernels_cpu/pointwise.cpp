// Registers the pointwise operators; the loops come from the instruction set chosen at start-up.
#include <tenon/cpu/pointwise.hpp>
