// Variances and norms in their older forms, and the shapes of variances and logarithms of sums.
#pragma once
#include <tenon/ops/reduce.hpp>
#include <tenon/reduction/shape.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::composite {

using OptionalDims = std::optional<IntArrayRef>;
using OptionalNumber = std::optional<Scalar>;
struct variance_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, OptionalDims dims, const OptionalNumber&, bool keepdim) const {
    TENON_CHECK(self.is_floating_point() || self.is_complex(), TypeError,
                "std and var only support floating point and complex dtypes");
    out.set_output_raw_strided(
        0, reduction::reduced_sizes(sizes_of<Int>(self), reduction::dim_mask(dims, self.dim()), keepdim), {},
        to_real_type(self.dtype()), self.device(), OutputCast::Allowed);
  }
};
struct variance_mean_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, OptionalDims dims, const OptionalNumber& correction,
                  bool keepdim) const {
    variance_meta{}.operator()<Int>(out, self, dims, correction, keepdim);
    out.set_output_raw_strided(
        1, reduction::reduced_sizes(sizes_of<Int>(self), reduction::dim_mask(dims, self.dim()), keepdim), {},
        self.dtype(), self.device(), OutputCast::Allowed);
  }
};
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
inline Tensor& norm_all_out(const Tensor& self, const Scalar& p, Tensor& out) {
  return ops::linalg_vector_norm(self, p, "out"_a = out);
}
inline Tensor& norm_dims_out(const Tensor& self, const OptionalNumber& p, IntArrayRef dims, bool keepdim, Tensor& out) {
  return ops::linalg_vector_norm(self, p.value_or(Scalar(2)), dims, keepdim, "out"_a = out);
}
struct logsumexp_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, IntArrayRef dims, bool keepdim) const {
    ScalarType dtype = is_integral_type(self.dtype(), true) ? get_default_dtype() : self.dtype();
    out.set_output_raw_strided(
        0, reduction::reduced_sizes(sizes_of<Int>(self), reduction::dim_mask(dims, self.dim()), keepdim), {}, dtype,
        self.device());
  }
};

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::var_mean_base>().def<ops::var_mean_dim>().def<ops::std_mean_base>().def<ops::std_mean_dim>();
  m.def<ops::var_base>().def<ops::var_dim>().def<ops::std_base>().def<ops::std_dim>();
  m.def<ops::norm_Scalar>().def<ops::norm_ScalarOpt_dim>();
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
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  m.impl<ops::var_dim_out, &var_out>(all).impl<ops::std_dim_out, &std_out>(all);
  m.impl<ops::norm_Scalar_out, &norm_all_out>(all).impl<ops::norm_ScalarOpt_dim_out, &norm_dims_out>(all);
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(var_correction, composite::variance_meta);
TENON_STRUCTURED_OF(std_correction, composite::variance_meta);
TENON_STRUCTURED_OF(var_mean_correction, composite::variance_mean_meta);
TENON_STRUCTURED_OF(std_mean_correction, composite::variance_mean_meta);
TENON_STRUCTURED_OF(logsumexp_base, composite::logsumexp_meta);

}  // namespace tenon::ops
