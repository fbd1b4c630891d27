// Variances and norms in their older forms.
#pragma once
#include <tenon/composite/moment_shapes.hpp>

namespace tenon::composite {

using TwoTensors = std::tuple<Tensor, Tensor>;
/// The forms that say `unbiased` in place of the correction.
template <const auto& By, class Result>
struct older_forms {
  static Result all(const Tensor& self, bool unbiased) {
    return By(self, std::nullopt, "correction"_a = Scalar(unbiased ? 1 : 0));
  }
  static Result dim(const Tensor& self, OptionalDims dims, bool unbiased, bool keepdim) {
    return By(self, dims, "correction"_a = Scalar(unbiased ? 1 : 0), "keepdim"_a = keepdim);
  }
};
inline Tensor& var_out(const Tensor& self, OptionalDims dims, bool unbiased, bool keepdim, Tensor& out) {
  return ops::var_correction_out(self, dims, Scalar(unbiased ? 1 : 0), keepdim, out);
}
inline Tensor& std_out(const Tensor& self, OptionalDims dims, bool unbiased, bool keepdim, Tensor& out) {
  return ops::std_correction_out(self, dims, Scalar(unbiased ? 1 : 0), keepdim, out);
}
inline Tensor norm_all(const Tensor& self, const Scalar& p) { return ops::linalg_vector_norm(self, p); }
inline Tensor norm_dims(const Tensor& self, const OptionalNumber& p, IntArrayRef dims, bool keepdim) {
  return ops::linalg_vector_norm(self, p.value_or(Scalar(2)), dims, keepdim);
}
inline Tensor norm_all_as(const Tensor& self, const OptionalNumber& p, ScalarType dtype) {
  return ops::linalg_vector_norm(self, p.value_or(Scalar(2)), "dtype"_a = dtype);
}
inline Tensor norm_dims_as(const Tensor& self, const OptionalNumber& p, IntArrayRef dims, bool keepdim,
                           ScalarType dtype) {
  return ops::linalg_vector_norm(self, p.value_or(Scalar(2)), dims, keepdim, "dtype"_a = dtype);
}
inline Tensor& norm_all_as_out(const Tensor& self, const OptionalNumber& p, ScalarType dtype, Tensor& out) {
  return ops::linalg_vector_norm(self, p.value_or(Scalar(2)), "dtype"_a = dtype, "out"_a = out);
}
inline Tensor& norm_dims_as_out(const Tensor& self, const OptionalNumber& p, IntArrayRef dims, bool keepdim,
                                ScalarType dtype, Tensor& out) {
  return ops::linalg_vector_norm(self, p.value_or(Scalar(2)), dims, keepdim, "dtype"_a = dtype, "out"_a = out);
}
inline Tensor& norm_all_out(const Tensor& self, const Scalar& p, Tensor& out) {
  return ops::linalg_vector_norm(self, p, "out"_a = out);
}
inline Tensor& norm_dims_out(const Tensor& self, const OptionalNumber& p, IntArrayRef dims, bool keepdim, Tensor& out) {
  return ops::linalg_vector_norm(self, p.value_or(Scalar(2)), dims, keepdim, "out"_a = out);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::var_mean_base>().def<ops::var_mean_dim>().def<ops::std_mean_base>().def<ops::std_mean_dim>();
  m.def<ops::var_base>().def<ops::var_dim>().def<ops::std_base>().def<ops::std_dim>();
  m.def<ops::norm_Scalar>().def<ops::norm_ScalarOpt_dim>();
  m.def<ops::norm_ScalarOpt_dtype>().def<ops::norm_ScalarOpt_dim_dtype>();
  m.def<ops::norm_ScalarOpt_dtype_out>().def<ops::norm_ScalarOpt_dim_dtype_out>();
  m.def<ops::var_dim_out>().def<ops::std_dim_out>().def<ops::norm_Scalar_out>().def<ops::norm_ScalarOpt_dim_out>();
  m.impl<ops::var_mean_base, &older_forms<ops::var_mean, TwoTensors>::all>()
      .impl<ops::var_mean_dim, &older_forms<ops::var_mean, TwoTensors>::dim>();
  m.impl<ops::std_mean_base, &older_forms<ops::std_mean, TwoTensors>::all>()
      .impl<ops::std_mean_dim, &older_forms<ops::std_mean, TwoTensors>::dim>();
  m.impl<ops::var_base, &older_forms<ops::var, Tensor>::all>()
      .impl<ops::var_dim, &older_forms<ops::var, Tensor>::dim>();
  m.impl<ops::std_base, &older_forms<ops::std, Tensor>::all>()
      .impl<ops::std_dim, &older_forms<ops::std, Tensor>::dim>();
  m.impl<ops::norm_Scalar, &norm_all>().impl<ops::norm_ScalarOpt_dim, &norm_dims>();
  m.impl<ops::norm_ScalarOpt_dtype, &norm_all_as>().impl<ops::norm_ScalarOpt_dim_dtype, &norm_dims_as>();
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  m.impl<ops::var_dim_out, &var_out>(all).impl<ops::std_dim_out, &std_out>(all);
  m.impl<ops::norm_Scalar_out, &norm_all_out>(all).impl<ops::norm_ScalarOpt_dim_out, &norm_dims_out>(all);
  m.impl<ops::norm_ScalarOpt_dtype_out, &norm_all_as_out>(all)
      .impl<ops::norm_ScalarOpt_dim_dtype_out, &norm_dims_as_out>(all);
}

}  // namespace tenon::composite
