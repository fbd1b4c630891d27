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

}  // namespace normalization

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace k = normalization;
  define_forms(m, ops::_batch_norm_no_update_base);
  m.def<ops::_batch_norm_with_update_functional_base>().def<ops::batch_norm_backward_base>();
  m.impl<ops::_batch_norm_no_update_base, &k::batch_norm_no_update>();
  m.impl<ops::_batch_norm_with_update_functional_base, &k::batch_norm_with_update_functional>();
  m.impl<ops::batch_norm_backward_base, &k::batch_norm_backward>();
  implement_out_by_copy<ops::_batch_norm_no_update_base_op>(m, CallSite::now());
}

}  // namespace tenon::composite
