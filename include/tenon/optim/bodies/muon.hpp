// The steps of Muon.
#pragma once
#include <algorithm>
#include <cmath>

#include <tenon/base/body.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/optim/muon.hpp>

namespace tenon::optim::detail {

TENON_BODY void MuonRule::check(const MuonOptions& o) {
  check_not_negative(name, "lr", o.lr);
  check_not_negative(name, "momentum", o.momentum);
  check_not_negative(name, "weight_decay", o.weight_decay);
  TENON_CHECK(o.ns_steps >= 0 && o.ns_steps < 100, ValueError, name,
              ": option 'ns_steps': expected a number in [0, 100), got ", o.ns_steps);
  TENON_CHECK(o.adjust_lr_fn == "original" || o.adjust_lr_fn == "match_rms_adamw", ValueError, name,
              ": option 'adjust_lr_fn': expected 'original' or 'match_rms_adamw', got '", o.adjust_lr_fn, "'");
}
/// The nearest orthogonal matrix of a wide one, roughly: a polynomial of odd degree drives singular values towards 1.
TENON_BODY Tensor orthogonal_factor(const Tensor& matrix, const MuonOptions& o) {
  auto [a, b, c] = o.ns_coefficients;
  Tensor x = ops::_to_copy(matrix, "dtype"_a = kBFloat16);
  bool tall = x.size(0) > x.size(1);
  if (tall) x = ops::t(x);
  ops::div_(x, ops::clamp(ops::linalg_vector_norm(x), Scalar(o.eps)));
  for (std::int64_t i = 0; i < o.ns_steps; ++i) {
    Tensor gram = ops::mm(x, ops::t(x));
    Tensor update = ops::addmm(gram, gram, gram, "beta"_a = Scalar(b), "alpha"_a = Scalar(c));
    x = ops::addmm(x, update, x, "beta"_a = Scalar(a));
  }
  return tall ? ops::t(x) : x;
}
TENON_BODY void MuonRule::step(const MuonOptions& o, StepWork<MuonState>& work) {
  for (std::size_t i = 0; i < work.states.size(); ++i) {
    Tensor p = work.parameters[i];
    const Tensor& grad = work.grads[i];
    TENON_CHECK(p.dim() == 2, ValueError, name,
                ": Muon only supports 2D parameters whereas we found a parameter with size: ", p.sizes());
    TENON_CHECK(p.sizes() == grad.sizes(), ValueError, name, ": expected a gradient of shape ", p.sizes(), ", got ",
                grad.sizes());
    Tensor& buffer = work.states[i]->momentum_buffer;
    make_filled(buffer, p, 0);
    ops::lerp_(buffer, grad, Scalar(1 - o.momentum));
    Tensor update = orthogonal_factor(o.nesterov ? ops::lerp(grad, buffer, Scalar(o.momentum)) : buffer, o);
    auto rows = static_cast<double>(p.size(0)), columns = static_cast<double>(p.size(1));
    double ratio = o.adjust_lr_fn == "original" ? std::sqrt(std::max(1.0, rows / columns))
                                                : 0.2 * std::sqrt(std::max(rows, columns));
    if (o.weight_decay != 0) ops::mul_(p, Scalar(1 - o.lr * o.weight_decay));
    ops::add_(p, update, "alpha"_a = Scalar(-o.lr * ratio));
  }
}

}  // namespace tenon::optim::detail
