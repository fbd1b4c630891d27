// Scaling of losses, for every back end: no number leaves the device.
#pragma once
#include <vector>

#include <tenon/autograd/derivative.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/elements.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/loss_scale.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

inline void check_one_number(const Tensor& t, const char* name, ScalarType dtype) {
  TENON_CHECK(t.sym_numel() == 1, ValueError, name, " must be a 1-element tensor.");
  TENON_CHECK(t.dtype() == dtype, TypeError, name, " must be ", dtype == kFloat ? "a float" : "an int", " tensor.");
}
/// Divides gradients by the scale; `found_inf` is 1 where one of them is not finite.
inline void unscale_and_check_(TensorList self, Tensor& found_inf, const Tensor& inv_scale) {
  if (self.empty()) return;
  check_one_number(inv_scale, "inv_scale", kFloat);
  check_one_number(found_inf, "found_inf", kFloat);
  const Tensor factor = ops::reshape(inv_scale, IntArrayRef());
  for (Tensor grad : self) {
    if (!is_floating_type(grad.dtype()) || !has_arithmetic(grad.dtype()))
      not_implemented_for("_amp_foreach_non_finite_check_and_unscale_cpu", grad.dtype());
    ops::masked_fill_(found_inf, ops::logical_not(ops::all(ops::isfinite(grad))), 1);
    ops::mul_(grad, factor);
  }
}
inline std::tuple<std::vector<Tensor>, Tensor> unscale_and_check(TensorList self, const Tensor& found_inf,
                                                                 const Tensor& inv_scale) {
  std::vector<Tensor> grads;
  for (const Tensor& t : self) grads.push_back(ops::clone(t));
  Tensor found = ops::clone(found_inf);
  ops::_amp_foreach_non_finite_check_and_unscale_(grads, found, inv_scale);
  return {std::move(grads), found};
}
/// A scale shrinks after a step that found an infinity, and grows after `interval` steps that did not, while it is
/// finite.
inline Tensor& update_scale_(Tensor& scale, Tensor& tracker, const Tensor& found_inf, double growth, double backoff,
                             std::int64_t interval) {
  for (auto [t, name] : {std::pair(&std::as_const(tracker), "growth_tracker"),
                         std::pair(&std::as_const(scale), "current_scale"), std::pair(&found_inf, "found_inf")})
    TENON_CHECK(t->sym_numel() == 1, ValueError, name, " must be a 1-element tensor.");
  check_one_number(tracker, "growth_tracker", kInt);
  check_one_number(scale, "current_scale", kFloat);
  check_one_number(found_inf, "found_inf", kFloat);
  const Tensor found = ops::reshape(ops::ne(found_inf, 0), scale.sym_sizes());
  const Tensor steps = ops::reshape(ops::add(tracker, 1), scale.sym_sizes());
  const Tensor grown = ops::mul(scale, growth), due = ops::eq(steps, interval);
  const Tensor next = ops::where(ops::logical_and(due, ops::isfinite(grown)), grown, scale);
  ops::copy_(tracker, ops::reshape(ops::masked_fill(steps, ops::logical_or(found, due), 0), tracker.sym_sizes()));
  ops::copy_(scale, ops::where(found, ops::mul(scale, backoff), next));
  return scale;
}
inline std::tuple<Tensor, Tensor> update_scale(const Tensor& scale, const Tensor& tracker, const Tensor& found_inf,
                                               double growth, double backoff, std::int64_t interval) {
  Tensor s = ops::clone(scale), t = ops::clone(tracker);
  ops::_amp_update_scale_(s, t, found_inf, growth, backoff, interval);
  return {s, t};
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr auto all = DispatchKey::CompositeExplicitAutograd;
  m.def<ops::_amp_foreach_non_finite_check_and_unscale_base>();
  m.def<ops::_amp_foreach_non_finite_check_and_unscale_base_>();
  m.def<ops::_amp_update_scale_base>().def<ops::_amp_update_scale_base_>();
  m.impl<ops::_amp_foreach_non_finite_check_and_unscale_base, &unscale_and_check>(all);
  m.impl<ops::_amp_foreach_non_finite_check_and_unscale_base_, &unscale_and_check_>(all);
  m.impl<ops::_amp_update_scale_base, &update_scale>(all).impl<ops::_amp_update_scale_base_, &update_scale_>(all);
}

}  // namespace tenon::composite
