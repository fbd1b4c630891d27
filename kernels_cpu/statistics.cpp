// Registers statistics and comparisons that are made of other operators.
#include <tenon/composite/closeness.hpp>
#include <tenon/composite/covariance.hpp>
#include <tenon/composite/hash_tensor.hpp>
#include <tenon/composite/quantile.hpp>
#include <tenon/composite/statistics.hpp>
