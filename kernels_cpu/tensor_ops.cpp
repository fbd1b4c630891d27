// The operators that reduce, join, select, multiply matrices and compute losses, registered once.
#include <tenon/cpu/index_ops_copy.hpp>
#include <tenon/cpu/index_ops_order.hpp>
#include <tenon/cpu/linalg_ops_more.hpp>
#include <tenon/cpu/loss_ops_nll.hpp>
#include <tenon/cpu/reduce_ops_moments.hpp>
#include <tenon/cpu/reduce_ops_scan.hpp>
