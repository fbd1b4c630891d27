// Losses that are made of differentiable operators.
#pragma once
#include <limits>
#include <numbers>

#include <tenon/composite/nll_loss.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/distance.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/special.hpp>

namespace tenon::composite {

inline Tensor reduced_loss(const Tensor& loss, std::int64_t reduction) {
  return reduction == kMeanReduction  ? Tensor(ops::mean(loss))
         : reduction == kSumReduction ? Tensor(ops::sum(loss))
                                      : loss;
}
inline Tensor l1_loss(const Tensor& self, const Tensor& target, std::int64_t reduction) {
  return reduced_loss(ops::abs(self - target), reduction);
}
inline Tensor kl_div(const Tensor& self, const Tensor& target, std::int64_t reduction, bool log_target) {
  TENON_CHECK(!self.is_complex() && !target.is_complex(), TypeError,
              "kl_div: Complex inputs and targets are not supported");
  TENON_CHECK(self.is_floating_point() && target.is_floating_point(), TypeError,
              "kl_div: Integral inputs and targets are not supported, got ", self.dtype(), " and ", target.dtype());
  Tensor loss = log_target ? ops::exp(target) * (target - self) : ops::xlogy(target, target) - target * self;
  return reduced_loss(loss, reduction);
}
/// In the target's dtype and shape, to which each step is rounded; PyTorch writes them into one tensor.
inline Tensor binary_cross_entropy_with_logits(const Tensor& self, const Tensor& target,
                                               const std::optional<Tensor>& weight,
                                               const std::optional<Tensor>& pos_weight, std::int64_t reduction) {
  auto as = [](const Tensor& of, const Tensor& step) {
    check_can_cast(step.dtype(), of.dtype());
    TENON_CHECK(step.sym_sizes() == of.sym_sizes(), ValueError, "output with shape ", of.sym_sizes(),
                " doesn't match the broadcast shape ", step.sym_sizes());
    return step.to(of.dtype());
  };
  Tensor log_sigmoid = ops::log_sigmoid(self);
  if (pos_weight && pos_weight->defined()) log_sigmoid = as(self, log_sigmoid * ((*pos_weight - 1) * target + 1));
  Tensor loss = as(target, as(target, (1 - target) * self) - log_sigmoid);
  return reduced_loss(weight && weight->defined() ? as(target, loss * *weight) : loss, reduction);
}
inline Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool full, double eps,
                               std::int64_t reduction) {
  Tensor loss = log_input ? ops::exp(input) - target * input : input - target * ops::log(input + eps);
  if (full) {
    // Stirling's formula for the logarithm of target!.
    Tensor stirling = target * ops::log(target) - target + ops::log(target * (2 * std::numbers::pi)) * 0.5;
    loss = loss + ops::masked_fill(stirling, target <= 1, 0);
  }
  return reduced_loss(loss, reduction);
}
inline Tensor hinge_embedding_loss(const Tensor& self, const Tensor& target, double margin, std::int64_t reduction) {
  Tensor zeros = ops::zeros_like(self);
  Tensor margins = ops::where(target == 1, zeros, ops::clamp_min(margin - self, 0));
  Tensor own = ops::where(target == -1, zeros, self);
  return reduced_loss(margins + own, reduction);
}
inline Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                                  std::int64_t reduction) {
  return reduced_loss(ops::clamp_min(-target * (input1 - input2) + margin, 0), reduction);
}
inline Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                                    std::int64_t reduction) {
  TENON_CHECK(target.dim() <= 1, ValueError, "0D or 1D target tensor expected, multi-target not supported");
  TENON_CHECK(target.dim() + 1 == input1.dim() && input1.dim() == input2.dim(), ValueError, target.dim(),
              "D target tensor expects ", target.dim() + 1, "D input tensors, but found inputs with sizes ",
              input1.sym_sizes(), " and ", input2.sym_sizes(), ".");
  auto dot = [](const Tensor& a, const Tensor& b) { return ops::sum(a * b, {-1}); };
  constexpr double kEpsilon = 1e-12;
  Tensor cosine = dot(input1, input2) / ops::sqrt((dot(input1, input1) + kEpsilon) * (dot(input2, input2) + kEpsilon));
  Tensor zeros = ops::zeros_like(cosine);
  Tensor alike = ops::where(target == 1, 1 - cosine, zeros);
  Tensor apart = ops::where(target == -1, ops::clamp_min(cosine - margin, 0), zeros);
  return reduced_loss(alike + apart, reduction);
}
inline Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin,
                                  double p, double eps, bool swap, std::int64_t reduction) {
  TENON_CHECK(anchor.dim() == positive.dim() && positive.dim() == negative.dim(), ValueError,
              "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
              "anchor ",
              anchor.dim(), "D, positive ", positive.dim(), "D, and negative ", negative.dim(), "D inputs");
  Tensor near = ops::pairwise_distance(anchor, positive, p, eps),
         far = ops::pairwise_distance(anchor, negative, p, eps);
  if (swap) far = ops::minimum(far, ops::pairwise_distance(positive, negative, p, eps));
  return reduced_loss(ops::clamp_min(near - far + margin, 0), reduction);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::l1_loss_base>().def<ops::kl_div_base>().def<ops::poisson_nll_loss_base>();
  m.def<ops::hinge_embedding_loss_base>().def<ops::margin_ranking_loss_base>();
  m.def<ops::cosine_embedding_loss_base>().def<ops::triplet_margin_loss_base>();
  define_forms(m, ops::binary_cross_entropy_with_logits_base);
  m.impl<ops::l1_loss_base, &l1_loss>().impl<ops::kl_div_base, &kl_div>();
  m.impl<ops::poisson_nll_loss_base, &poisson_nll_loss>().impl<ops::hinge_embedding_loss_base, &hinge_embedding_loss>();
  m.impl<ops::margin_ranking_loss_base, &margin_ranking_loss>();
  m.impl<ops::cosine_embedding_loss_base, &cosine_embedding_loss>();
  m.impl<ops::triplet_margin_loss_base, &triplet_margin_loss>();
  m.impl<ops::binary_cross_entropy_with_logits_base, &binary_cross_entropy_with_logits>();
  Place here{__FILE__, __LINE__};
  implement_out_by_copy<ops::binary_cross_entropy_with_logits_base_op>(m, here);
}

}  // namespace tenon::composite
