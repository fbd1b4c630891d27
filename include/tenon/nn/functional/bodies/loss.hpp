// Losses by operators.
#pragma once
#include <cmath>
#include <limits>
#include <numbers>

#include <tenon/base/body.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/nn/functional/loss.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/distance.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/special.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::nn::functional {

namespace detail {

inline Tensor reduced(const Tensor& loss, Reduction reduction) {
  if (reduction == Reduction::None) return loss;
  TENON_CHECK(reduction != Reduction::BatchMean, ValueError, "batchmean is a reduction of kl_div alone");
  return reduction == Reduction::Mean ? ops::mean(loss) : ops::sum(loss);
}
inline void warn_of_sizes(const Tensor& input, const Tensor& target) {
  if (!(input.sym_sizes() == target.sym_sizes()))
    warn("Using a target size (", target.sym_sizes(), ") that is different to the input size (", input.sym_sizes(),
         "). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.");
}
inline std::int64_t code(Reduction reduction) { return static_cast<std::int64_t>(reduction); }

}  // namespace detail

TENON_BODY Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyOptions& o) {
  return ops::cross_entropy_loss(input, target, o.weight, detail::code(o.reduction), o.ignore_index, o.label_smoothing);
}
TENON_BODY Tensor nll_loss(const Tensor& input, const Tensor& target, const NLLLossOptions& o) {
  return ops::nll_loss_nd(input, target, o.weight, detail::code(o.reduction), o.ignore_index);
}
TENON_BODY Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  SymIntArrayRef from = input.sym_sizes(), to = target.sym_sizes();
  if (from == to) [[likely]]
    return ops::mse_loss(input, target, detail::code(reduction));
  detail::warn_of_sizes(input, target);
  // The operator's own gradient of a mean divides by the operand's count, not by the result's.
  SymDimVector sizes = broadcast_shapes(from, to);
  return ops::mse_loss(ops::expand(input, sizes), ops::expand(target, sizes), detail::code(reduction));
}
TENON_BODY Tensor l1_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  detail::warn_of_sizes(input, target);
  return detail::reduced(ops::abs(input - target), reduction);
}
TENON_BODY Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, double beta, Reduction reduction) {
  TENON_CHECK(beta >= 0, ValueError, "smooth_l1_loss does not support negative values for beta, got ", beta);
  if (beta == 0) return l1_loss(input, target, reduction);
  detail::warn_of_sizes(input, target);
  Tensor size = ops::abs(input - target);
  return detail::reduced(ops::where(size < beta, size * size * 0.5 / beta, size - 0.5 * beta), reduction);
}
TENON_BODY Tensor huber_loss(const Tensor& input, const Tensor& target, double delta, Reduction reduction) {
  TENON_CHECK(delta > 0, ValueError, "huber_loss does not support non-positive values for delta, got ", delta);
  detail::warn_of_sizes(input, target);
  Tensor size = ops::abs(input - target);
  return detail::reduced(ops::where(size <= delta, size * size * 0.5, (size - 0.5 * delta) * delta), reduction);
}
TENON_BODY Tensor kl_div(const Tensor& input, const Tensor& target, Reduction reduction, bool log_target) {
  Tensor loss = log_target ? ops::exp(target) * (target - input) : ops::xlogy(target, target) - target * input;
  if (reduction != Reduction::BatchMean) return detail::reduced(loss, reduction);
  return input.dim() == 0 ? ops::sum(loss) : ops::sum(loss) / static_cast<double>(input.size(0));
}

TENON_BODY Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const std::optional<Tensor>& weight,
                                       Reduction reduction) {
  TENON_CHECK(input.sym_sizes() == target.sym_sizes(), ValueError, "Using a target size (", target.sym_sizes(),
              ") that is different to the input size (", input.sym_sizes(),
              ") is deprecated. Please ensure they have the same size.");
  if (!input.is_symbolic() && input.numel() != 0) {
    Tensor x = ops::detach(input);
    TENON_CHECK(ops::all(ops::logical_and(x >= 0, x <= 1)).item<bool>(), ValueError,
                "all elements of input should be between 0 and 1");
  }
  // Logarithms stop at -100, where they would have no derivative.
  auto log_of = [](const Tensor& end, const Tensor& log) { return ops::where(end, -100, ops::clamp_min(log, -100)); };
  Tensor none = input == 0, all = input == 1, inside = ops::masked_fill(input, ops::logical_or(none, all), 0.5);
  Tensor loss = (target - 1) * log_of(all, ops::where(none, 0, ops::log1p(-inside))) -
                target * log_of(none, ops::where(all, 0, ops::log(inside)));
  return detail::reduced(weight ? loss * *weight : loss, reduction);
}
TENON_BODY Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                                   const std::optional<Tensor>& weight,
                                                   const std::optional<Tensor>& pos_weight, Reduction reduction) {
  TENON_CHECK(input.sym_sizes() == target.sym_sizes(), ValueError, "Target size (", target.sym_sizes(),
              ") must be the same as input size (", input.sym_sizes(), ")");
  Tensor log_sigmoid = ops::log_sigmoid(input);
  Tensor loss = (1 - target) * input - (pos_weight ? log_sigmoid * ((*pos_weight - 1) * target + 1) : log_sigmoid);
  return detail::reduced(weight ? loss * *weight : loss, reduction);
}

TENON_BODY Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool full, double eps,
                                   Reduction reduction) {
  Tensor loss = log_input ? ops::exp(input) - target * input : input - target * ops::log(input + eps);
  if (full) {
    // Stirling's formula for the logarithm of target!.
    Tensor stirling = target * ops::log(target) - target + ops::log(target * (2 * std::numbers::pi)) * 0.5;
    loss = loss + ops::masked_fill(stirling, target <= 1, 0);
  }
  return detail::reduced(loss, reduction);
}
TENON_BODY Tensor gaussian_nll_loss(const Tensor& input, const Tensor& target, const Tensor& given, bool full,
                                    double eps, Reduction reduction) {
  Tensor var = given;
  if (!(var.sizes() == input.sizes())) {
    IntArrayRef in = input.sizes(), v = var.sizes();
    bool lacks_last = in.size() == v.size() + 1 && IntArrayRef(in.data(), v.size()) == v;
    bool one_last = in.size() == v.size() && !v.empty() && v.back() == 1 &&
                    IntArrayRef(in.data(), in.size() - 1) == IntArrayRef(v.data(), v.size() - 1);
    if (lacks_last)
      var = ops::unsqueeze(var, -1);
    else
      TENON_CHECK(one_last || var.numel() == 1, ValueError, "var is of incorrect size");
  }
  TENON_CHECK(!ops::any(var < 0).item<bool>(), ValueError, "var has negative entry/entries");
  // The limit is no place at which the variance stops having a gradient.
  var = var + ops::detach(ops::clamp(var, eps) - var);
  Tensor difference = input - target;
  Tensor loss = (ops::log(var) + difference * difference / var) * 0.5;
  if (full) loss = loss + 0.5 * std::log(2 * std::numbers::pi);
  return detail::reduced(loss, reduction);
}

TENON_BODY Tensor hinge_embedding_loss(const Tensor& input, const Tensor& target, double margin, Reduction reduction) {
  Tensor zeros = ops::zeros_like(input);
  Tensor margins = ops::where(target == 1, zeros, ops::clamp_min(margin - input, 0));
  Tensor own = ops::where(target == -1, zeros, input);
  return detail::reduced(margins + own, reduction);
}
TENON_BODY Tensor soft_margin_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  TENON_CHECK(input.sym_sizes() == target.sym_sizes(), ValueError, "soft_margin_loss: the target has size ",
              target.sym_sizes(), ", the input ", input.sym_sizes());
  return detail::reduced(ops::log1p(ops::exp(-target * input)), reduction);
}
TENON_BODY Tensor multilabel_margin_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  TENON_CHECK(input.dim() <= 2 && target.sizes() == input.sizes(), ValueError,
              "inconsistent target size: ", target.sizes(), " for input of size: ", input.sizes());
  bool batched = input.dim() == 2;
  std::int64_t n = batched ? input.size(0) : 1, classes = input.dim() == 0 ? 1 : input.size(-1);
  Tensor x = ops::reshape(input, {n, classes}), t = ops::reshape(target, {n, classes});
  Tensor valid = ops::cumprod(ops::to(t >= 0, kLong), 1);
  Tensor place = t * valid;
  Tensor is_target = ops::scatter_add(ops::zeros({n, classes}, kLong), 1, place, valid) > 0;
  // (n, target, other): how far each other class comes near a target.
  Tensor gap = 1 - ops::unsqueeze(ops::gather(x, 1, place), 2) + ops::unsqueeze(x, 1);
  Tensor counts = ops::logical_and(ops::unsqueeze(valid > 0, 2), ops::unsqueeze(ops::logical_not(is_target), 1));
  Tensor loss = ops::where(counts, ops::clamp_min(gap, 0), ops::zeros_like(gap));
  loss = ops::sum(loss, {1, 2}) / static_cast<double>(classes);
  return detail::reduced(batched ? loss : ops::squeeze(loss, 0), reduction);
}
TENON_BODY Tensor multilabel_soft_margin_loss(const Tensor& input, const Tensor& target,
                                              const std::optional<Tensor>& weight, Reduction reduction) {
  Tensor loss = -(target * ops::log_sigmoid(input) + (1 - target) * ops::log_sigmoid(-input));
  if (weight) loss = loss * *weight;
  return detail::reduced(ops::mean(loss, {-1}), reduction);
}
TENON_BODY Tensor multi_margin_loss(const Tensor& input, const Tensor& target, const MultiMarginLossOptions& o) {
  TENON_CHECK(o.p == 1 || o.p == 2, ValueError, "only p == 1 and p == 2 supported");
  TENON_CHECK(input.dim() <= 2, ValueError,
              "Expected non-empty vector or matrix with optional 0-dim batch size, but got: ", input.sizes());
  bool batched = input.dim() == 2;
  std::int64_t n = batched ? input.size(0) : 1, classes = input.dim() == 0 ? 1 : input.size(-1);
  TENON_CHECK(target.dim() <= 1 && target.numel() == n, ValueError, "inconsistent target size, expected ", n,
              " but got ", target.sizes());
  Tensor x = ops::reshape(input, {n, classes}), t = ops::reshape(target, {n, 1});
  Tensor gap = ops::clamp_min(o.margin - ops::gather(x, 1, t) + x, 0);
  if (o.p == 2) gap = gap * gap;
  if (o.weight) gap = gap * ops::reshape(ops::index_select(*o.weight, 0, ops::reshape(t, {n})), {n, 1});
  Tensor own = ops::scatter(ops::zeros({n, classes}, kBool), 1, t, true);
  Tensor loss = ops::sum(ops::masked_fill(gap, own, 0), {1}) / static_cast<double>(classes);
  return detail::reduced(batched ? loss : ops::squeeze(loss, 0), o.reduction);
}
TENON_BODY Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                                        Reduction reduction) {
  TENON_CHECK(target.dim() + 1 == input1.dim() && input1.dim() == input2.dim() && target.dim() <= 1, ValueError,
              target.dim(), "D target tensor expects ", target.dim() + 1,
              "D input tensors, but found inputs with sizes ", input1.sizes(), " and ", input2.sizes(), ".");
  auto dot = [](const Tensor& a, const Tensor& b) { return ops::sum(a * b, {-1}); };
  constexpr double kEpsilon = 1e-12;
  Tensor cosine = dot(input1, input2) / ops::sqrt((dot(input1, input1) + kEpsilon) * (dot(input2, input2) + kEpsilon));
  Tensor zeros = ops::zeros_like(cosine);
  Tensor alike = ops::where(target == 1, 1 - cosine, zeros);
  Tensor apart = ops::where(target == -1, ops::clamp_min(cosine - margin, 0), zeros);
  return detail::reduced(alike + apart, reduction);
}
TENON_BODY Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                                      Reduction reduction) {
  TENON_CHECK(input1.dim() == input2.dim() && input1.dim() == target.dim(), ValueError,
              "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: ",
              input1.sizes(), ", input2: ", input2.sizes(), ", target: ", target.sizes(), " ");
  return detail::reduced(ops::clamp_min(-target * (input1 - input2) + margin, 0), reduction);
}
TENON_BODY Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p, double eps, bool keepdim) {
  return ops::pairwise_distance(x1, x2, p, eps, keepdim);
}
TENON_BODY Tensor triplet_margin_by(const Tensor& near, const Tensor& far, const Tensor& between, double margin,
                                    Reduction reduction) {
  TENON_CHECK(margin > 0, ValueError, "margin must be greater than 0, got ", margin);
  Tensor apart = between.defined() ? ops::minimum(far, between) : far;
  return detail::reduced(ops::clamp_min(near - apart + margin, 0), reduction);
}
TENON_BODY Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                                      const TripletMarginLossOptions& o) {
  TENON_CHECK(anchor.dim() == positive.dim() && anchor.dim() == negative.dim(), ValueError,
              "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
              "anchor ",
              anchor.dim(), "D, positive ", positive.dim(), "D, and negative ", negative.dim(), "D inputs");
  auto distance = [&](const Tensor& a, const Tensor& b) { return pairwise_distance(a, b, o.p, o.eps); };
  return triplet_margin_by(distance(anchor, positive), distance(anchor, negative),
                           o.swap ? distance(positive, negative) : Tensor(), o.margin, o.reduction);
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
