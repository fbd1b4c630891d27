// Orders drawn at random.
#pragma once
#include <numeric>

#include <tenon/base/body.hpp>
#include <tenon/data/transform.hpp>

namespace tenon::data::detail {

TENON_BODY std::vector<std::int64_t> permutation(std::int64_t size, std::uint64_t seed, std::int64_t epoch) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  Random random(seed, epoch, -1);  // no sample has this index
  for (std::int64_t i = size - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(random.integer(0, i))]);
  return order;
}

}  // namespace tenon::data::detail
