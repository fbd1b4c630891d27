// How lanes share items: those of the grid all of them, those of a block a row.
#pragma once
#include <cstdint>

#include <tenon/base/host_device.hpp>

namespace tenon::cuda {

/// f(i) for every i below n, each by one lane of the grid.
template <class L, class F>
TENON_HOST_DEVICE void each_of_grid(L& lane, std::int64_t n, F f) {
  std::int64_t step = lane.blocks() * lane.threads();
  for (std::int64_t i = lane.block() * lane.threads() + lane.thread(); i < n; i += step) f(i);
}
/// f(i) for every i below n, each by one lane of the block; the block has all of them.
template <class L, class F>
TENON_HOST_DEVICE void each_of_block(L& lane, std::int64_t n, F f) {
  for (std::int64_t i = lane.thread(); i < n; i += lane.threads()) f(i);
}

}  // namespace tenon::cuda
