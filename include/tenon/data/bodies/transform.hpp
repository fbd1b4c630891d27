// Orders drawn at random.
#pragma once
#include <algorithm>
#include <cmath>
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

TENON_BODY std::vector<std::int64_t> lengths_of(const std::vector<double>& shares, std::int64_t size) {
  double sum = 0;
  for (double share : shares) {
    TENON_CHECK(share >= 0 && share <= 1, ValueError, "random_split(): expected shares in [0, 1], got ", share);
    sum += share;
  }
  TENON_CHECK(std::abs(sum - 1) <= 1e-9, ValueError, "random_split(): expected shares that sum to 1, got ", sum);
  std::vector<std::int64_t> lengths;
  std::int64_t left = size;
  for (double share : shares) {
    lengths.push_back(std::min(left, static_cast<std::int64_t>(std::floor(share * static_cast<double>(size)))));
    left -= lengths.back();
  }
  for (std::size_t i = 0; left > 0; i = (i + 1) % lengths.size(), --left) ++lengths[i];
  return lengths;
}
TENON_BODY std::vector<std::int64_t> cumulative(std::vector<std::int64_t> sizes) {
  std::partial_sum(sizes.begin(), sizes.end(), sizes.begin());
  return sizes;
}
TENON_BODY void check_side_by_side(const std::vector<std::int64_t>& sizes) {
  for (std::int64_t n : sizes)
    TENON_CHECK(n == sizes[0], ValueError, "StackDataset: expected data sets of one size, got ", sizes);
}

}  // namespace tenon::data::detail
