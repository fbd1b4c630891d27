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
/// A row for each example along the first dimension. The batch may have none, so that no length is left to be found.
inline Tensor rows_of(const Tensor& all) { return all.dim() == 1 ? ops::unsqueeze(all, 1) : flattened(all, 1, -1); }
/// A tensor of the batch with `rank` dimensions behind that of the batch; another as it is.
inline Tensor ranked(const BatchedCall& c, std::size_t i, std::int64_t rank) {
  Tensor t = c.physical[i].to_tensor();
  if (c.batched(i))
    while (t.dim() - 1 < rank) t = ops::unsqueeze(t, 1);
  return t;
}
inline bool given_tensor(const BatchedCall& c, std::size_t i) {
  return c.given[i].is_tensor() && c.given[i].to_tensor().defined();
}
void add_product_rules();

}  // namespace tenon::func::detail
