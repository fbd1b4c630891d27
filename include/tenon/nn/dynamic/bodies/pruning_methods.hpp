// Masks of ways of pruning, together with those before.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/dynamic/bodies/prune.hpp>
#include <tenon/nn/dynamic/pruning_methods.hpp>

namespace tenon::nn::utils::prune {

namespace detail {
TENON_BODY Tensor mask_of(const BasePruningMethod& method, const Tensor& scores, const Tensor& default_mask) {
  NoGradGuard no_grad;
  TENON_CHECK(scores.sizes() == default_mask.sizes(), ValueError, "importance_scores and the mask should have the ",
              "shape of the parameter, got ", scores.sizes(), " and ", default_mask.sizes());
  const Tensor mask = method.compute_mask(ops::detach(scores), default_mask);
  TENON_CHECK(mask.defined() && mask.sizes() == default_mask.sizes(), ValueError,
              "compute_mask(): expected a mask of shape ", default_mask.sizes(), ", got ",
              mask.defined() ? mask.sizes() : IntArrayRef());
  return ops::mul(default_mask, mask.to(default_mask.dtype()));
}
}  // namespace detail

TENON_BODY Tensor BasePruningMethod::prune(const Tensor& t, const Tensor& default_mask,
                                           const Tensor& importance_scores) const {
  const Tensor before = default_mask.defined() ? default_mask : nn::detail::all_kept(t);
  TENON_CHECK(before.sizes() == t.sizes(), ValueError, "prune(): expected a default_mask of shape ", t.sizes(),
              ", got ", before.sizes());
  return nn::detail::masked(t, detail::mask_of(*this, importance_scores.defined() ? importance_scores : t, before));
}
TENON_BODY Tensor PruningContainer::compute_mask(const Tensor& scores, const Tensor& default_mask) const {
  Tensor mask = default_mask;
  for (const auto& method : methods_) mask = detail::mask_of(*method, scores, mask);
  return mask;
}

}  // namespace tenon::nn::utils::prune
