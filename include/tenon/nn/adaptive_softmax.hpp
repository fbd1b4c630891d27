// A softmax over many classes that spends less on rare ones (Grave et al., 2017).
#pragma once
#include <cstdint>
#include <vector>

#include <tenon/nn/calling.hpp>
#include <tenon/nn/container.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::nn {

struct AdaptiveLogSoftmaxWithLoss;
namespace detail {
Linear new_head(AdaptiveLogSoftmaxWithLoss& layer);
std::vector<Sequential<Linear, Linear>> new_tail(const AdaptiveLogSoftmaxWithLoss& layer);
}  // namespace detail

/// The logarithm of each target's probability, and minus their mean.
struct AdaptiveOutput {
  Tensor output, loss;
};

/// Classes are sorted by how often they occur and cut at `cutoffs`: those below the first are in the head, beside one
/// entry for each later group, whose own layer is narrower by `div_value` than the one before.
/// Shapes: x (N, in_features) and target (N), or (in_features) and (). Errors: ValueError unless cutoffs are positive,
/// below n_classes and ascend, and for targets that are no classes.
struct AdaptiveLogSoftmaxWithLoss {
  Count in_features, n_classes;
  std::vector<std::int64_t> cutoffs;
  double div_value = 4;
  bool head_bias = false;
  ScalarType dtype = get_default_dtype();
  Linear head = detail::new_head(*this);
  std::vector<Sequential<Linear, Linear>> tail = detail::new_tail(*this);

  AdaptiveOutput operator()(const Tensor& x, const Tensor& target) const;
  /// The logarithms of the probabilities of all classes, (N, n_classes).
  Tensor log_prob(const Tensor& x) const;
  /// The most probable class of each, (N): as log_prob(x).argmax(1), at less cost.
  Tensor predict(const Tensor& x) const;
  TENON_FIELDS(head, tail)
};

}  // namespace tenon::nn
