// Registers operators that select, join, sort and scatter.
#include <tenon/cpu/index_ops_copy.hpp>
#include <tenon/cpu/index_ops_order.hpp>
