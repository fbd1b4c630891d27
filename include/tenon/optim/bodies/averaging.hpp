// Averages taken forward, tensor by tensor.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/optim/averaging.hpp>

namespace tenon::optim {

TENON_BODY AveragingRule AveragingRule::exponential(double decay) {
  TENON_CHECK(decay >= 0 && decay <= 1, ValueError, "Invalid decay value ", decay,
              " provided. Please provide a value in [0,1] range.");
  AveragingRule rule;
  rule.decay_ = decay;
  return rule;
}

namespace detail {

TENON_BODY void set_model_count(const Tensor& n_averaged, std::int64_t count) { n_averaged.fill_(count); }
TENON_BODY void average(const AveragedTensors& into, const AveragedTensors& from, const AveragingRule& rule,
                        std::int64_t count, bool use_buffers) {
  TENON_CHECK(into.size() == from.size(), ValueError, "update_parameters(): expected a model of ", into.size(),
              " tensors, got ", from.size());
  for (std::size_t i = 0; i < into.size(); ++i)
    TENON_CHECK(into[i].first.sizes() == from[i].first.sizes(), ValueError,
                "update_parameters(): expected a tensor of shape ", into[i].first.sizes(), ", got ",
                from[i].first.sizes());
  NoGradGuard no_grad;
  std::vector<Tensor> averages, values;  // for a function of lists
  for (std::size_t i = 0; i < into.size(); ++i) {
    Tensor average = ops::detach(into[i].first), value = ops::detach(from[i].first).to(average.dtype());
    bool copied =
        count == 0 || (into[i].second && !use_buffers) || !(average.is_floating_point() || average.is_complex());
    if (copied)
      ops::copy_(average, value);
    else if (rule.is_function_of_lists()) {
      averages.push_back(average);
      values.push_back(value);
    } else if (rule.is_function())
      ops::copy_(average, rule(average, value, count));
    else
      ops::add_(average, ops::sub(value, average), "alpha"_a = Scalar(rule.share(count)));
  }
  if (!averages.empty()) rule(averages, values, count);
}
TENON_BODY void reset_statistics(const Tensor& mean, const Tensor& var, const Tensor& count) {
  Tensor m = mean, v = var, n = count;
  ops::zero_(m);
  ops::fill_(v, Scalar(1));
  if (n.defined()) ops::zero_(n);
}

}  // namespace detail
}  // namespace tenon::optim
