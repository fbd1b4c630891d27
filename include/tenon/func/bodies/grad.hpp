// What derivatives of functions share.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/func/grad.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/factory.hpp>
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

TENON_COLD_BODY Tensor directions_of(const Tensor& x) {
  DimVector sizes{x.numel()};
  for (std::int64_t n : x.sizes()) sizes.push_back(n);
  return ops::reshape(ops::diag_embed(ops::new_ones(ops::detach(x), {x.numel()})), IntArrayRef(sizes));
}
inline DimVector joined_sizes(const Tensor& y, const Tensor& x) {
  DimVector sizes(y.sizes());
  for (std::int64_t n : x.sizes()) sizes.push_back(n);
  return sizes;
}

TENON_COLD_BODY Tensor jacobian_rows(const ReversePass& pass, const Tensor& y, const Tensor& x) {
  DimVector sizes = joined_sizes(y, x);
  auto zeros = [&] { return ops::new_zeros(ops::detach(x), IntArrayRef(sizes)); };
  if (y.numel() == 0 || !is_recorded(y)) return zeros();
  LevelGuard rows(LevelKind::Batch, y.numel(), Randomness::Same);
  Tensor g = pass.gradients({y}, {make_batched(directions_of(y), rows.level())}, {x})[0];
  if (!g.defined()) return zeros();
  return ops::reshape(batch_of(g, rows.level()), IntArrayRef(sizes));
}

}  // namespace tenon::func::detail
