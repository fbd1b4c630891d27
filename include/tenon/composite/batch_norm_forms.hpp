// Batch normalisation in the forms that compiled graphs call.
#pragma once
#include <tenon/composite/normalization.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/batch_norm_forms.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

namespace normalization {

inline Tensor nothing_reserved(const Tensor& input) {
  return ops::empty({0}, "dtype"_a = kByte, "device"_a = input.device());
}
inline std::tuple<Tensor, Tensor, Tensor, Tensor> batch_norm_no_update(
    const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias, const OptionalTensor& running_mean,
    const OptionalTensor& running_var, double momentum, double eps) {
  auto [out, mean, invstd] =
      ops::native_batch_norm(input, weight, bias, running_mean, running_var, false, momentum, eps);
  return {out, mean, invstd, nothing_reserved(input)};
}
inline std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor> batch_norm_with_update_functional(
    const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias, const Tensor& running_mean,
    const Tensor& running_var, double momentum, double eps) {
  auto [out, mean, invstd, new_mean, new_var] =
      batch_norm_functional(input, weight, bias, running_mean, running_var, true, momentum, eps);
  return {out, mean, invstd, nothing_reserved(input), new_mean, new_var};
}
inline Three batch_norm_backward(const Tensor& grad, const Tensor& input, const Tensor& weight,
                                 const OptionalTensor& running_mean, const OptionalTensor& running_var,
                                 const OptionalTensor& save_mean, const OptionalTensor& save_var, bool update,
                                 double eps, ArrayRef<bool> mask, const Tensor&) {
  return ops::native_batch_norm_backward(grad, input, weight, running_mean, running_var, save_mean, save_var, update,
                                         eps, mask);
}

/// The statistics of a batch, and the running ones that follow; undefined where none run.
struct MovedStatistics {
  Tensor mean, var, running_mean, running_var;
};
/// The variance of the batch is biased, the one that moves the running variance is not, as in PyTorch.
inline MovedStatistics moved_statistics(const Tensor& input, const OptionalTensor& running_mean,
                                        const OptionalTensor& running_var, double momentum) {
  TENON_CHECK(input.dim() >= 2, IndexError,
              "batch_norm_update_stats(): expected an input of at least 2 dimensions, got ", input.dim());
  check_batch_elements(input);
  ScalarType dtype = input.dtype();
  for (const OptionalTensor* running : {&running_mean, &running_var}) {
    if (!is_given(*running)) continue;
    TENON_CHECK((*running)->sym_numel() == input.sym_size(1), ValueError,
                "batch_norm_update_stats(): expected a running statistic of ", input.sym_size(1), " elements, got ",
                (*running)->sym_numel());
    dtype = (*running)->dtype();
    TENON_CHECK(dtype == input.dtype() || (dtype == kFloat && is_reduced_floating_type(input.dtype())), TypeError,
                "mixed dtype (CPU): all inputs must share same datatype.");
  }
  DimVector others{0};
  for (std::int64_t d = 2; d < input.dim(); ++d) others.push_back(d);
  const bool reduced = is_reduced_floating_type(input.dtype());
  Tensor x = reduced ? ops::to(input, kFloat) : input;
  auto [var, mean] = ops::var_mean(x, IntArrayRef(others), "correction"_a = Scalar(0));
  const auto count = static_cast<double>((input.sym_numel() / input.sym_size(1)).guard_int(__FILE__, __LINE__));
  auto moved = [&](const OptionalTensor& running, const Tensor& now) {
    if (!is_given(running)) return Tensor();
    return ops::add(ops::mul(*running, Scalar(1 - momentum)), ops::mul(now, Scalar(momentum)));
  };
  // One element for each channel has no unbiased variance: 0 times infinity is NaN.
  return {ops::to(mean, dtype), ops::to(var, dtype), moved(running_mean, mean),
          moved(running_var, ops::mul(var, Scalar(count / (count - 1))))};
}
/// Written last, so that what fails before leaves them as they were.
inline void keep_moved(const MovedStatistics& moved, const OptionalTensor& running_mean,
                       const OptionalTensor& running_var) {
  AutoDispatchBelowADInplaceOrView guard;
  auto keep = [](const OptionalTensor& running, const Tensor& next) {
    if (!is_given(running)) return;
    Tensor to = *running;
    ops::copy_(to, next);
  };
  keep(running_mean, moved.running_mean);
  keep(running_var, moved.running_var);
}
inline std::tuple<Tensor, Tensor> batch_norm_update_stats(const Tensor& input, const OptionalTensor& running_mean,
                                                          const OptionalTensor& running_var, double momentum) {
  MovedStatistics moved = moved_statistics(input, running_mean, running_var, momentum);
  keep_moved(moved, running_mean, running_var);
  return {moved.mean, moved.var};
}
inline std::tuple<Tensor&, Tensor&> batch_norm_update_stats_out(const Tensor& input, const OptionalTensor& running_mean,
                                                                const OptionalTensor& running_var, double momentum,
                                                                Tensor& mean, Tensor& var) {
  MovedStatistics moved = moved_statistics(input, running_mean, running_var, momentum);
  copy_to_out(moved.mean, mean);
  copy_to_out(moved.var, var);
  keep_moved(moved, running_mean, running_var);
  return {mean, var};
}

}  // namespace normalization

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace k = normalization;
  define_forms(m, ops::_batch_norm_no_update_base);
  define_forms(m, ops::batch_norm_update_stats_base);
  m.impl<ops::batch_norm_update_stats_base, &k::batch_norm_update_stats>(DispatchKey::CompositeExplicitAutograd);
  m.impl<ops::batch_norm_update_stats_base_out, &k::batch_norm_update_stats_out>(
      DispatchKey::CompositeExplicitAutograd);
  m.def<ops::_batch_norm_with_update_functional_base>().def<ops::batch_norm_backward_base>();
  m.impl<ops::_batch_norm_no_update_base, &k::batch_norm_no_update>();
  m.impl<ops::_batch_norm_with_update_functional_base, &k::batch_norm_with_update_functional>();
  m.impl<ops::batch_norm_backward_base, &k::batch_norm_backward>();
  implement_out_by_copy<ops::_batch_norm_no_update_base_op>(m, CallSite::now());
}

}  // namespace tenon::composite
