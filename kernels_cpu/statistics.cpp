// Registers statistics and comparisons that are made of other operators.
#include <tenon/composite/closeness.hpp>
#include <tenon/composite/statistics.hpp>
