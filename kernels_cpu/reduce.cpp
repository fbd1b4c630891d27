// Registers sums, moments, norms and scans.
#include <tenon/cpu/reduce_ops_moments.hpp>
#include <tenon/cpu/reduce_ops_scan.hpp>
