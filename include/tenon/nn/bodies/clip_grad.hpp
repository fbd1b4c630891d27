// Keeping gradients small, by operators.
#pragma once
#include <cmath>

#include <tenon/autograd/engine.hpp>
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/clip_grad.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::utils {

TENON_BODY Tensor get_total_norm(const std::vector<Tensor>& tensors, double norm_type, bool error_if_nonfinite) {
  NoGradGuard no_grad;
  if (tensors.empty()) return ops::zeros(IntArrayRef());
  std::vector<Tensor> norms;
  for (const Tensor& t : tensors) norms.push_back(ops::linalg_vector_norm(t, Scalar(norm_type)));
  Tensor total = ops::linalg_vector_norm(ops::stack(norms), Scalar(norm_type));
  TENON_CHECK(!error_if_nonfinite || std::isfinite(total.item<double>()), ValueError, "The total norm of order ",
              norm_type,
              " for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this error and "
              "scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`");
  return total;
}

namespace clip_grad_detail {

inline std::vector<Tensor> gradients(const std::vector<Tensor>& parameters) {
  std::vector<Tensor> found;
  for (const Tensor& p : parameters)
    if (p->autograd() && p.grad().defined()) found.push_back(p.grad());
  return found;
}

}  // namespace clip_grad_detail

TENON_BODY void clip_grads_with_norm_(const std::vector<Tensor>& parameters, double max_norm,
                                      const Tensor& total_norm) {
  NoGradGuard no_grad;
  // A factor of 1 is multiplied with as well, so that nothing waits for the norm.
  Tensor factor = ops::clamp(ops::mul(ops::reciprocal(ops::add(total_norm, Scalar(1e-6))), Scalar(max_norm)),
                             std::nullopt, std::optional<Scalar>(1.0));
  for (Tensor& g : clip_grad_detail::gradients(parameters)) ops::mul_(g, factor);
}
TENON_BODY Tensor clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type,
                                  bool error_if_nonfinite) {
  Tensor total = get_total_norm(clip_grad_detail::gradients(parameters), norm_type, error_if_nonfinite);
  clip_grads_with_norm_(parameters, max_norm, total);
  return total;
}
TENON_BODY void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value) {
  NoGradGuard no_grad;
  for (Tensor& g : clip_grad_detail::gradients(parameters)) ops::clamp_(g, Scalar(-clip_value), Scalar(clip_value));
}

}  // namespace tenon::nn::utils
