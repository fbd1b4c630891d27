// What derivatives of functions share.
#pragma once
#include <algorithm>

#include <tenon/base/body.hpp>
#include <tenon/func/grad.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func::detail {

TENON_COLD_BODY bool takes_gradient(const Tensor& t) {
  return is_floating_type(t.dtype()) || is_complex_type(t.dtype());
}

TENON_COLD_BODY Tensor one_element(const Tensor& value) {
  TENON_CHECK(value.defined() && value.numel() == 1, ValueError,
              "grad: expected the function to return a tensor of one element, got one of sizes ",
              value.defined() ? value.sizes() : IntArrayRef(), "; use vjp, or sum the result");
  return value;
}
TENON_COLD_BODY Tensor ones_of(const Tensor& like) { return ops::ones_like(like); }
TENON_COLD_BODY Tensor or_zeros(const Tensor& gradient, const Tensor& of) {
  return gradient.defined() ? gradient : ops::zeros_like(of);
}

inline DimVector joined_sizes(IntArrayRef y, IntArrayRef x) {
  DimVector sizes(y);
  for (std::int64_t n : x) sizes.push_back(n);
  return sizes;
}
/// The directions along `count` elements of `x` from `from` on, one an example.
inline Tensor directions_of(const Tensor& x, std::int64_t from, std::int64_t count) {
  Tensor rows = ops::diag_embed(ops::new_ones(ops::detach(x), {count}));
  if (count != x.numel()) rows = ops::constant_pad_nd(rows, {from, x.numel() - from - count});
  return ops::reshape(rows, IntArrayRef(joined_sizes({count}, x.sizes())));
}

TENON_COLD_BODY void check_chunk(std::optional<std::int64_t> chunk_size) {
  TENON_CHECK(!chunk_size || *chunk_size > 0, ValueError, "jacrev: expected a chunk_size above 0, got ", *chunk_size);
}

TENON_COLD_BODY void check_places(const char* function, const char* what, const nn::NamedTensors& expected,
                                  const nn::NamedTensors& got) {
  TENON_CHECK(got.size() == expected.size(), ValueError, function, ": expected ", what, " for each of ",
              expected.size(), " tensors, got ", got.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    TENON_CHECK(got[i].first == expected[i].first, ValueError, function, ": expected ", what, " for tensor '",
                expected[i].first, "', got one for '", got[i].first, "'");
}
TENON_COLD_BODY std::vector<Tensor> weights_for(const nn::NamedTensors& result, const nn::NamedTensors& weights,
                                                std::vector<Tensor>& results) {
  check_places("vjp", "a weight", result, weights);
  std::vector<Tensor> given;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto& [name, y] = result[i];
    if (!y.defined()) continue;
    TENON_CHECK(weights[i].second.defined(), ValueError, "vjp: expected a weight for ",
                name.empty() ? std::string("the result") : concat("tensor '", name, "'"), ", got an undefined one");
    results.push_back(y);
    given.push_back(weights[i].second);
  }
  return given;
}

TENON_COLD_BODY std::vector<Tensor> jacobian_rows(const ReversePass& pass, const Tensor& y,
                                                  const std::vector<Tensor>& entered,
                                                  std::optional<std::int64_t> chunk) {
  std::vector<std::vector<Tensor>> parts(entered.size());
  std::int64_t n = is_recorded(y) ? y.numel() : 0;
  for (std::int64_t from = 0; from < n;) {
    std::int64_t count = std::min(chunk.value_or(n), n - from);
    LevelGuard rows(LevelKind::Batch, count, Randomness::Same);
    std::vector<Tensor> found =
        pass.gradients({y}, {make_batched(directions_of(y, from, count), rows.level())}, entered);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i].defined()) parts[i].push_back(batch_of(found[i], rows.level()));
    from += count;
  }
  std::vector<Tensor> all;
  for (std::size_t i = 0; i < entered.size(); ++i) {
    DimVector sizes = joined_sizes(y.sizes(), entered[i].sizes());
    if (parts[i].empty())
      all.push_back(ops::new_zeros(ops::detach(entered[i]), IntArrayRef(sizes)));
    else
      all.push_back(ops::reshape(parts[i].size() == 1 ? parts[i][0] : ops::cat(parts[i]), IntArrayRef(sizes)));
  }
  return all;
}

}  // namespace tenon::func::detail
