// Losses by operators.
#pragma once
#include <cmath>
#include <numbers>

#include <tenon/base/body.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/nn/functional/loss.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/distance.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::nn::functional {

namespace detail {

inline void warn_of_sizes(const Tensor& input, const Tensor& target) {
  if (!(input.sym_sizes() == target.sym_sizes()))
    warn("Using a target size (", target.sym_sizes(), ") that is different to the input size (", input.sym_sizes(),
         "). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.");
}
inline std::int64_t code(Reduction reduction) {
  TENON_CHECK(reduction != Reduction::BatchMean, ValueError, "batchmean is a reduction of kl_div alone");
  return static_cast<std::int64_t>(reduction);
}
inline Tensor reduced(const Tensor& loss, Reduction reduction) {
  if (reduction == Reduction::None) return loss;
  return code(reduction) == 1 ? ops::mean(loss) : ops::sum(loss);
}
/// Calls a loss operator with tensors of one size: the operator's own gradient of a mean divides by the operand's
/// count.
template <class Loss>
Tensor of_one_size(const Tensor& input, const Tensor& target, Loss loss) {
  SymIntArrayRef from = input.sym_sizes(), to = target.sym_sizes();
  if (from == to) [[likely]]
    return loss(input, target);
  warn_of_sizes(input, target);
  SymDimVector sizes = broadcast_shapes(from, to);
  return loss(ops::expand(input, sizes), ops::expand(target, sizes));
}

inline Tensor weighted(const Tensor& input, const Tensor& loss, const Tensor& weight) {
  TENON_CHECK(weight.sym_sizes() == input.sym_sizes(), ValueError, "Weights and input must have the same size.");
  return loss * weight;
}
/// Their mean divides by the sum of the weights.
inline Tensor weighted(const Tensor& input, const Tensor& loss, const Tensor& weight, Reduction reduction) {
  Tensor each = weighted(input, loss, weight);
  if (reduction == Reduction::Mean) return ops::sum(each) / ops::sum(weight);
  return reduced(each, reduction);
}

}  // namespace detail

TENON_BODY Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyOptions& o) {
  return ops::cross_entropy_loss(input, target, o.weight, detail::code(o.reduction), o.ignore_index, o.label_smoothing);
}
TENON_BODY Tensor linear_cross_entropy(const Tensor& input, const Tensor& linear_weight, const Tensor& target,
                                       const LinearCrossEntropyOptions& o) {
  TENON_CHECK(input.dim() == 1 || input.dim() == 2, ValueError, "expected input with dimensionality 1 or 2, got ",
              input.dim());
  TENON_CHECK(linear_weight.dim() >= 2, ValueError, "expected linear_weight with dimensionality at least 2, got ",
              linear_weight.dim());
  TENON_CHECK(input.size(-1) == linear_weight.size(-1), ValueError,
              "expected equal input and linear_weight last dimensions (in_features), got ", input.size(-1), " and ",
              linear_weight.size(-1), ", respectively");
  // (C, ..), and with a batch (N, C, ..).
  DimVector scores(linear_weight.sizes());
  scores.pop_back();
  IntArrayRef outputs = scores;
  if (o.linear_bias.defined())
    TENON_CHECK(o.linear_bias.sizes() == outputs, ValueError, "expected linear_bias shape ", outputs, ", got ",
                o.linear_bias.sizes());
  TENON_CHECK(input.dim() == 2 || outputs.size() == 1, ValueError, "K-dimensional loss defined by linear_weight shape ",
              linear_weight.sizes(), " requires batched input, (N, ", input.size(-1),
              "), got unbatched input with shape ", input.sizes());
  Tensor flat_weight = linear_weight, flat_bias = o.linear_bias;
  if (outputs.size() > 1) {
    flat_weight = ops::reshape(flat_weight, {-1, input.size(-1)});
    if (flat_bias.defined()) flat_bias = ops::reshape(flat_bias, {-1});
  }
  if (input.dim() == 2) scores.insert(0, input.size(0));
  TENON_CHECK(!o.ignore_index || target.sizes() != IntArrayRef(scores), ValueError,
              "ignore_index cannot be specified when target contains probabilities");
  Tensor logits = ops::linear(input, flat_weight, nn::detail::if_defined(flat_bias));
  return cross_entropy(ops::reshape(logits, IntArrayRef(scores)), target,
                       {o.weight, o.ignore_index.value_or(-100), o.reduction, o.label_smoothing});
}
TENON_BODY Tensor nll_loss(const Tensor& input, const Tensor& target, const NLLLossOptions& o) {
  return ops::nll_loss_nd(input, target, o.weight, detail::code(o.reduction), o.ignore_index);
}
TENON_BODY Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction,
                           const std::optional<Tensor>& weight) {
  if (weight) {
    detail::warn_of_sizes(input, target);
    return detail::weighted(input, ops::square(input - target), *weight, reduction);
  }
  return detail::of_one_size(input, target, [r = detail::code(reduction)](const Tensor& x, const Tensor& y) {
    return Tensor(ops::mse_loss(x, y, r));
  });
}
TENON_BODY Tensor l1_loss(const Tensor& input, const Tensor& target, Reduction reduction,
                          const std::optional<Tensor>& weight) {
  detail::warn_of_sizes(input, target);
  if (weight) return detail::weighted(input, ops::abs(input - target), *weight, reduction);
  return ops::l1_loss(input, target, detail::code(reduction));
}
TENON_BODY Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, Reduction reduction, double beta) {
  if (beta == 0) return l1_loss(input, target, reduction);
  return detail::of_one_size(input, target, [beta, r = detail::code(reduction)](const Tensor& x, const Tensor& y) {
    return Tensor(ops::smooth_l1_loss(x, y, r, beta));
  });
}
TENON_BODY Tensor huber_loss(const Tensor& input, const Tensor& target, Reduction reduction, double delta,
                             const std::optional<Tensor>& weight) {
  if (weight) {
    Tensor each = huber_loss(input, target, Reduction::None, delta);
    return detail::reduced(detail::weighted(input, each, *weight), reduction);
  }
  return detail::of_one_size(input, target, [delta, r = detail::code(reduction)](const Tensor& x, const Tensor& y) {
    return Tensor(ops::huber_loss(x, y, r, delta));
  });
}
TENON_BODY Tensor kl_div(const Tensor& input, const Tensor& target, Reduction reduction, bool log_target) {
  if (reduction != Reduction::BatchMean)
    return ops::kl_div(input, target, detail::code(reduction), "log_target"_a = log_target);
  Tensor sum = ops::kl_div(input, target, detail::code(Reduction::Sum), "log_target"_a = log_target);
  return input.dim() == 0 ? sum : sum / static_cast<double>(input.size(0));
}

TENON_BODY Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const std::optional<Tensor>& weight,
                                       Reduction reduction) {
  TENON_CHECK(input.sym_sizes() == target.sym_sizes(), ValueError, "Using a target size (", target.sym_sizes(),
              ") that is different to the input size (", input.sym_sizes(),
              ") is deprecated. Please ensure they have the same size.");
  return ops::binary_cross_entropy(input, target, weight, detail::code(reduction));
}
TENON_BODY Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                                   const std::optional<Tensor>& weight, Reduction reduction,
                                                   const std::optional<Tensor>& pos_weight) {
  TENON_CHECK(input.sym_sizes() == target.sym_sizes(), ValueError, "Target size (", target.sym_sizes(),
              ") must be the same as input size (", input.sym_sizes(), ")");
  return ops::binary_cross_entropy_with_logits(input, target, weight, pos_weight, detail::code(reduction));
}

TENON_BODY Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool full, double eps,
                                   Reduction reduction) {
  return ops::poisson_nll_loss(input, target, log_input, full, eps, detail::code(reduction));
}
TENON_BODY Tensor gaussian_nll_loss(const Tensor& input, const Tensor& target, const Tensor& given, bool full,
                                    double eps, Reduction reduction) {
  Tensor var = given;
  if (!(var.sizes() == input.sizes())) {
    IntArrayRef in = input.sizes(), v = var.sizes();
    bool lacks_last = in.size() == v.size() + 1 && IntArrayRef(in.data(), v.size()) == v;
    std::int64_t others = 0;  // the sum of the sizes that differ: 1 where one does and is spread
    if (in.size() == v.size())
      for (std::size_t i = 0; i < in.size(); ++i) others += in[i] != v[i] ? v[i] : 0;
    if (lacks_last)
      var = ops::unsqueeze(var, -1);
    else
      TENON_CHECK(others == 1, ValueError, "var is of incorrect size");
  }
  TENON_CHECK(!ops::any(var < 0).item<bool>(), ValueError, "var has negative entry/entries");
  // The limit is no place at which the variance stops having a gradient.
  var = var + ops::detach(ops::clamp(var, eps) - var);
  Tensor difference = input - target;
  Tensor loss = (ops::log(var) + difference * difference / var) * 0.5;
  if (full) loss = loss + 0.5 * std::log(2 * std::numbers::pi);
  return detail::reduced(loss, reduction);
}

TENON_BODY Tensor gaussian_nll_loss(const Tensor& input, const Tensor& target, double var, bool full, double eps,
                                    Reduction reduction) {
  return gaussian_nll_loss(input, target, ops::full_like(input, var), full, eps, reduction);
}

TENON_BODY Tensor hinge_embedding_loss(const Tensor& input, const Tensor& target, double margin, Reduction reduction) {
  return ops::hinge_embedding_loss(input, target, margin, detail::code(reduction));
}
TENON_BODY Tensor soft_margin_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  TENON_CHECK(input.sym_sizes() == target.sym_sizes(), ValueError, "soft_margin_loss: the target has size ",
              target.sym_sizes(), ", the input ", input.sym_sizes());
  return ops::soft_margin_loss(input, target, detail::code(reduction));
}
TENON_BODY Tensor multilabel_margin_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  return ops::multilabel_margin_loss(input, target, detail::code(reduction));
}
TENON_BODY Tensor multilabel_soft_margin_loss(const Tensor& input, const Tensor& target,
                                              const std::optional<Tensor>& weight, Reduction reduction) {
  Tensor loss = -(target * ops::log_sigmoid(input) + (1 - target) * ops::log_sigmoid(-input));
  if (weight) loss = loss * *weight;
  // Over the input's classes, whatever the weight is spread over.
  return detail::reduced(ops::sum(loss, {-1}) / input.size(-1), reduction);
}
TENON_BODY Tensor multi_margin_loss(const Tensor& input, const Tensor& target, const MultiMarginLossOptions& o) {
  return ops::multi_margin_loss(input, target, o.p, o.margin, o.weight, detail::code(o.reduction));
}
TENON_BODY Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                                        Reduction reduction) {
  return ops::cosine_embedding_loss(input1, input2, target, margin, detail::code(reduction));
}
TENON_BODY Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                                      Reduction reduction) {
  TENON_CHECK(input1.dim() == input2.dim() && input1.dim() == target.dim(), ValueError,
              "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: ",
              input1.sizes(), ", input2: ", input2.sizes(), ", target: ", target.sizes(), " ");
  return ops::margin_ranking_loss(input1, input2, target, margin, detail::code(reduction));
}
TENON_BODY Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p, double eps, bool keepdim) {
  return ops::pairwise_distance(x1, x2, p, eps, keepdim);
}
TENON_BODY void check_triplet(const Tensor& anchor, const Tensor& positive, const Tensor& negative) {
  TENON_CHECK(anchor.dim() == positive.dim() && anchor.dim() == negative.dim(), ValueError,
              "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
              "anchor ",
              anchor.dim(), "D, positive ", positive.dim(), "D, and negative ", negative.dim(), "D inputs");
}
TENON_BODY Tensor triplet_margin_by(const Tensor& near, const Tensor& far, const Tensor& between, double margin,
                                    Reduction reduction) {
  TENON_CHECK(margin > 0, ValueError, "margin must be greater than 0, got ", margin);
  Tensor apart = between.defined() ? ops::minimum(far, between) : far;
  return detail::reduced(ops::clamp_min(near - apart + margin, 0), reduction);
}
TENON_BODY Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                                      const TripletMarginLossOptions& o) {
  TENON_CHECK(o.margin > 0, ValueError, "margin must be greater than 0, got ", o.margin);
  return ops::triplet_margin_loss(anchor, positive, negative, o.margin, o.p, o.eps, o.swap, detail::code(o.reduction));
}
TENON_BODY Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, std::int64_t dim, double eps) {
  return ops::cosine_similarity(x1, x2, dim, eps);
}
TENON_BODY Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                           const Tensor& target_lengths, std::int64_t blank, Reduction reduction, bool zero_infinity) {
  return ops::ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, detail::code(reduction),
                       zero_infinity);
}
TENON_BODY Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                           IntArrayRef target_lengths, std::int64_t blank, Reduction reduction, bool zero_infinity) {
  return ops::ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, detail::code(reduction),
                       zero_infinity);
}

}  // namespace tenon::nn::functional
