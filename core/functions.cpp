// Functions that are made of several operators.
#include <tenon/ops/bodies/lobpcg.hpp>
#include <tenon/ops/bodies/low_rank.hpp>
#include <tenon/ops/bodies/signal_windows.hpp>
#include <tenon/ops/bodies/unravel_index.hpp>
