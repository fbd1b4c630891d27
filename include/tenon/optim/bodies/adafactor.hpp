// The steps of Adafactor.
#pragma once
#include <algorithm>
#include <cmath>

#include <tenon/base/body.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/optim/adafactor.hpp>

namespace tenon::optim {

TENON_BODY detail::StateForm AdafactorState::form_of(const std::string& field, const Tensor& p) {
  detail::StateForm form = detail::number_or_like(field == "step", p);
  if (field == "row_var" && p.dim() > 1) form.sizes.back() = 1;
  if (field == "col_var" && p.dim() > 1) form.sizes[form.sizes.size() - 2] = 1;
  return form;
}

}  // namespace tenon::optim

namespace tenon::optim::detail {

/// The distance from 1 to the next number of a floating dtype.
inline double epsilon_of(ScalarType dtype) {
  switch (dtype) {
    case kDouble: return 0x1p-52;
    case kHalf: return 0x1p-10;
    case kBFloat16: return 0x1p-7;
    default: return 0x1p-23;
  }
}

TENON_BODY void AdafactorRule::check(const AdafactorOptions& o) {
  check_not_negative(name, "lr", o.lr);
  TENON_CHECK(o.beta2_decay <= 0, ValueError, name, ": option 'beta2_decay': expected a number not above 0, got ",
              o.beta2_decay);
  TENON_CHECK((!o.eps.first || *o.eps.first >= 0) && o.eps.second >= 0, ValueError, name,
              ": option 'eps': expected numbers that are not negative");
  TENON_CHECK(o.d >= 1, ValueError, name, ": option 'd': expected a number of at least 1, got ", o.d);
  check_not_negative(name, "weight_decay", o.weight_decay);
}
TENON_BODY void AdafactorRule::step(const AdafactorOptions& o, StepWork<AdafactorState>& work) {
  for (std::size_t i = 0; i < work.states.size(); ++i) step_one(o, work.parameters[i], work.grads[i], *work.states[i]);
}
TENON_BODY void AdafactorRule::step_one(const AdafactorOptions& o, const Tensor& p, const Tensor& gradient,
                                        AdafactorState& s) {
  TENON_CHECK(p.is_floating_point(), TypeError, name, ": expected parameters of a floating dtype, got ", p.dtype());
  TENON_CHECK(p.sizes() == gradient.sizes(), ValueError, name, ": expected a gradient of shape ", p.sizes(), ", got ",
              gradient.sizes());
  Tensor param = p, grad = o.maximize ? ops::neg(gradient) : gradient;
  const double count = s.step.item<double>(), weight = std::pow(count, o.beta2_decay);
  const double elements = std::sqrt(static_cast<double>(p.numel()));
  auto root_mean_square = [&](const Tensor& t) {
    return ops::linalg_vector_norm(t).template item<double>() / elements;
  };
  const double alpha = std::max(o.eps.second, root_mean_square(p)) * std::min(o.lr, 1 / std::sqrt(count));
  const double eps = o.eps.first ? *o.eps.first : epsilon_of(p.dtype());
  if (o.weight_decay != 0) ops::mul_(param, Scalar(1 - o.lr * o.weight_decay));
  Tensor estimate;
  if (p.dim() > 1) {
    for (std::int64_t d : {-1, -2}) {
      Tensor& kept = d == -1 ? s.row_var : s.col_var;
      Tensor norm = ops::linalg_vector_norm(grad, 2, std::vector<std::int64_t>{d}, true);
      if (!kept.defined()) kept = ops::zeros_like(norm);
      ops::lerp_(kept, ops::div_(ops::square_(norm), Scalar(grad.size(d))), Scalar(weight));
    }
    Tensor rows = ops::mean(s.row_var, std::vector<std::int64_t>{-2}, true);
    estimate = ops::div_(ops::matmul(s.row_var, s.col_var), ops::clamp_(rows, Scalar(eps)));
  } else {
    make_filled(s.variance, grad, 0);
    ops::lerp_(s.variance, ops::square(grad), Scalar(weight));
    estimate = ops::clone(s.variance);
  }
  Tensor update = ops::mul_(ops::rsqrt_(ops::clamp_(estimate, Scalar(eps * eps))), grad);
  const double cut = std::max(1.0, root_mean_square(update) / o.d);
  ops::add_(param, update, "alpha"_a = Scalar(-alpha / cut));
}

}  // namespace tenon::optim::detail
