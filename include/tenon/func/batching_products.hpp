// Batching rules of products, joins, indices, windows and convolution, and what they share with others.
#pragma once
#include <algorithm>

#include <tenon/func/batching.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func::detail {

/// The rank of a tensor argument as the function sees it.
inline std::int64_t rank_of(const BatchedCall& c, std::size_t i) { return c.given[i].to_tensor().dim(); }
inline Tensor flattened(const Tensor& t, std::int64_t from, std::int64_t to) {
  return ops::flatten(t, "start_dim"_a = from, "end_dim"_a = to);
}
void add_product_rules();

}  // namespace tenon::func::detail
