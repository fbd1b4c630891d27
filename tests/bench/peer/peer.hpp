// PyTorch in the place of the library, for the rows of row.hpp.
#pragma once
#include <torch/torch.h>

#define TENON_BENCH_PEER
namespace tenon {
inline int get_num_threads() { return at::get_num_threads(); }
inline void set_num_threads(int threads) { at::set_num_threads(threads); }
}  // namespace tenon
#include "../row.hpp"
