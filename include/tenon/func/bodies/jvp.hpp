// What forward mode's functions share.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/func/bodies/grad.hpp>
#include <tenon/func/jvp.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/copy.hpp>

namespace tenon::func::detail {

TENON_COLD_BODY Tensor with_tangent(const Tensor& primal, const Tensor& tangent, const Level& level) {
  TENON_CHECK(takes_gradient(primal), TypeError, "jvp: expected a tensor of floating or complex numbers, got one of ",
              primal.dtype());
  // Views, so that what the function writes into an argument leaves the caller's handle alone.
  return make_dual(primal, tangent, level);
}
TENON_COLD_BODY Tensor primal_of(const Tensor& t, const Level& level) {
  return belongs(t, level) ? level_impl(t).value : t;
}
TENON_COLD_BODY Tensor tangent_of(const Tensor& t, const Level& level) {
  if (!belongs(t, level)) return ops::zeros_like(t);
  const LevelTensor& of = level_impl(t);
  Tensor change = of.change();
  return change.defined() ? change : Tensor(ops::zeros_like(of.value));
}

TENON_COLD_BODY Tensor directions_among(const Tensor& x, std::int64_t before, std::int64_t all) {
  Tensor rows = ops::diag_embed(ops::new_ones(ops::detach(x), {x.numel()}));
  if (x.numel() != all) rows = ops::constant_pad_nd(rows, {0, 0, before, all - before - x.numel()});
  return ops::reshape(rows, IntArrayRef(joined_sizes({all}, x.sizes())));
}

TENON_COLD_BODY std::vector<Tensor> jacobian_columns(const Tensor& y, const std::vector<Tensor>& xs,
                                                     const Level& directions, const Level& tangents) {
  Tensor primal = primal_of(y, tangents);
  Tensor all = ops::movedim(batch_of(tangent_of(y, tangents), directions), 0, -1);
  std::vector<Tensor> found;
  std::int64_t from = 0;
  for (const Tensor& x : xs) {
    Tensor own = xs.size() == 1 ? all : Tensor(ops::narrow(all, -1, from, x.numel()));
    found.push_back(ops::reshape(own, IntArrayRef(joined_sizes(primal.sizes(), x.sizes()))));
    from += x.numel();
  }
  return found;
}

TENON_COLD_BODY Tensor beside(const Tensor& t, const Level& directions, const Level& tangents) {
  Tensor value = primal_of(t, tangents);
  return belongs(value, directions) ? Tensor(ops::select(batch_of(value, directions), 0, 0)) : value;
}

TENON_COLD_BODY Linear::Linear(ReversePass& pass, const std::vector<Tensor>& results,
                               const std::vector<Tensor>& entered)
    : results_(results) {
  std::vector<Tensor> weighted;
  for (const Tensor& y : results)
    if (is_recorded(y)) {
      weighted.push_back(y);
      weights_.push_back(pass.enter(ops::ones_like(y)));
    }
  if (!weighted.empty()) gradients_ = pass.gradients(weighted, weights_, entered, true, true);
}

TENON_COLD_BODY std::vector<Tensor> directions_for(const nn::NamedTensors& arguments,
                                                   const nn::NamedTensors& tangents) {
  check_places("linearize", "a tangent", arguments, tangents);
  std::vector<Tensor> directions;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& [name, x] = arguments[i];
    const Tensor& t = tangents[i].second;
    if (!x.defined() || !takes_gradient(x)) continue;
    directions.push_back(or_zeros(t, x));
    if (!t.defined()) continue;
    TENON_CHECK(t.sizes() == x.sizes(), ValueError, "linearize: expected a tangent of the shape of tensor '", name,
                "', ", x.sizes(), ", got ", t.sizes());
    TENON_CHECK(t.dtype() == x.dtype(), TypeError, "linearize: expected a tangent of the dtype of tensor '", name,
                "', ", x.dtype(), ", got ", t.dtype());
  }
  return directions;
}
TENON_COLD_BODY std::vector<Tensor> Linear::along(const ReversePass& pass,
                                                  const std::vector<Tensor>& directions) const {
  std::vector<Tensor> roots, given, found, all;
  for (std::size_t i = 0; i < gradients_.size(); ++i)
    if (gradients_[i].defined() && is_recorded(gradients_[i])) {
      roots.push_back(gradients_[i]);
      given.push_back(directions.at(i));
    }
  if (!roots.empty()) found = pass.gradients(roots, given, weights_);
  std::size_t k = 0;
  for (const Tensor& y : results_) {
    Tensor change = is_recorded(y) && !found.empty() ? found.at(k) : Tensor();
    if (is_recorded(y)) ++k;
    all.push_back(or_zeros(change, y));
  }
  return all;
}

}  // namespace tenon::func::detail
