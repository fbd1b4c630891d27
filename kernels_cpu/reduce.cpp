// Registers reductions and scans: rows with their derivatives, places, moments.
#include <tenon/cpu/reduce_moments.hpp>
#include <tenon/cpu/reduce_places.hpp>
#include <tenon/cpu/reduce_scan.hpp>
#include <tenon/reduction/extremes.hpp>
#include <tenon/reduction/norms.hpp>
#include <tenon/reduction/sums.hpp>
#include <tenon/reduction/truth.hpp>
