// Cross entropy of classes and of probabilities, made of other operators.
#pragma once
#include <limits>

#include <tenon/composite/nll_loss.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/reduce.hpp>

namespace tenon::composite {

/// The weights of classes as a factor of the scores.
template <class Int>
Tensor class_factor(const Tensor& input, const Tensor& weight) {
  if (input.dim() <= 1) return weight;
  dims_t<Int> shape(static_cast<std::size_t>(input.dim()), Int(1));
  shape[1] = sizes_of<Int>(weight)[0];
  return ops::view(weight, shape);
}
/// The number of classes where it becomes a number that others are multiplied by.
template <class Int>
double class_count(const Tensor& input, std::int64_t class_dim) {
  return static_cast<double>(SymInt(sizes_of<Int>(input)[class_dim]).guard_int(__FILE__, __LINE__));
}
template <class Int>
Tensor cross_entropy_probabilities(const Tensor& input, const Tensor& target, const std::optional<Tensor>& weight,
                                   std::int64_t reduction, double smoothing, std::int64_t class_dim) {
  Tensor wanted = smoothing > 0 ? ops::add(ops::mul(target, Scalar(1 - smoothing)),
                                           Scalar(smoothing / class_count<Int>(input, class_dim)))
                                : target;
  Tensor loss = ops::mul(input, wanted);
  if (weight && weight->defined()) loss = ops::mul(loss, class_factor<Int>(input, *weight));
  if (reduction == kNoReduction) return ops::neg(ops::sum(loss, class_dim));
  if (reduction == kSumReduction) return ops::neg(ops::sum(loss));
  if constexpr (std::is_same_v<Int, SymInt>) {
    // The batch's size stays a symbol.
    return ops::neg(ops::mean(ops::sum(loss, class_dim)));
  } else {
    double batch = static_cast<double>(input.numel()) / class_count<Int>(input, class_dim);
    return ops::div(ops::neg(ops::sum(loss)),
                    Scalar(input.numel() == 0 ? std::numeric_limits<double>::quiet_NaN() : batch));
  }
}
template <class Int>
Tensor cross_entropy_smoothed(const Tensor& input, const Tensor& target, const std::optional<Tensor>& weight,
                              std::int64_t reduction, std::int64_t ignore_index, double smoothing,
                              std::int64_t class_dim) {
  Tensor likelihood = ops::nll_loss_nd(input, target, weight, reduction, ignore_index);
  bool weighted = weight && weight->defined();
  Tensor smooth = ops::neg(ops::sum(weighted ? ops::mul(input, class_factor<Int>(input, *weight)) : input, class_dim));
  Tensor ignored = ops::eq(target, Scalar(ignore_index));
  smooth = ops::where(ignored, Scalar(0), smooth);
  if (reduction != kNoReduction) {
    smooth = ops::sum(smooth);
    if (reduction == kMeanReduction) {
      Tensor kept = ops::eq(ignored, Scalar(false));
      if (weighted) {
        Tensor classes = ops::where(ignored, Scalar(0), target);
        Tensor chosen = ops::index_select(*weight, 0, ops::reshape(classes, {-1}));
        smooth = ops::div(smooth, ops::sum(ops::mul(chosen, ops::reshape(kept, {-1}))));
      } else
        smooth = ops::div(smooth, ops::sum(kept));
    }
  }
  double share = smoothing / class_count<Int>(input, class_dim);
  return ops::add(ops::mul(likelihood, Scalar(1 - smoothing)), ops::mul(smooth, Scalar(share)));
}
template <class Int>
Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                          std::int64_t reduction, std::int64_t ignore_index, double label_smoothing) {
  std::int64_t class_dim = self.dim() == 1 ? 0 : 1;
  bool probabilities = sizes_of<Int>(self) == sizes_of<Int>(target);
  if (probabilities) {
    TENON_CHECK(target.is_floating_point(), TypeError,
                "Expected floating point type for target with class probabilities, got ", target.dtype());
    TENON_CHECK(ignore_index < 0, ValueError, "ignore_index is not supported for floating point target");
    check_class_weight<Int>(weight, sizes_of<Int>(self)[class_dim]);
  }
  TENON_CHECK(label_smoothing <= 1, ValueError, "label_smoothing must be between 0.0 and 1.0. Got: ", label_smoothing);
  Tensor input = ops::_log_softmax(self, class_dim, false);
  if (probabilities)
    return cross_entropy_probabilities<Int>(input, target, weight, reduction, label_smoothing, class_dim);
  if (label_smoothing > 0)
    return cross_entropy_smoothed<Int>(input, target, weight, reduction, ignore_index, label_smoothing, class_dim);
  if (self.dim() == 2 && target.dim() == 1 && sizes_of<Int>(self)[0] == sizes_of<Int>(target)[0])
    return std::get<0>(ops::nll_loss_forward(input, target, weight, reduction, ignore_index));
  return ops::nll_loss_nd(input, target, weight, reduction, ignore_index);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::cross_entropy_loss_base>();
  m.impl<ops::cross_entropy_loss_base, &cross_entropy_loss<std::int64_t>>();
}

TENON_SYMBOLIC_LIBRARY_IMPL(aten, m) { m.impl<ops::cross_entropy_loss_base, &cross_entropy_loss<SymInt>>(); }

}  // namespace tenon::composite
