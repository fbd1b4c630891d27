// Shapes and errors of variances and logarithms of sums.
#pragma once
#include <tenon/ops/reduce.hpp>
#include <tenon/reduction/shape.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::composite {

using OptionalDims = std::optional<IntArrayRef>;
using OptionalNumber = std::optional<Scalar>;
struct variance_meta {
  OutputCast cast = OutputCast::Allowed;
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, OptionalDims dims, const OptionalNumber&, bool keepdim) const {
    TENON_CHECK(self.is_floating_point() || self.is_complex(), TypeError,
                "std and var only support floating point and complex dtypes");
    out.set_output_raw_strided(
        0, reduction::reduced_sizes(sizes_of<Int>(self), reduction::dim_mask(dims, self.dim()), keepdim), {},
        to_real_type(self.dtype()), self.device(), cast);
  }
};
struct variance_mean_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, OptionalDims dims, const OptionalNumber& correction,
                  bool keepdim) const {
    variance_meta{OutputCast::Exact}.operator()<Int>(out, self, dims, correction, keepdim);
    out.set_output_raw_strided(
        1, reduction::reduced_sizes(sizes_of<Int>(self), reduction::dim_mask(dims, self.dim()), keepdim), {},
        self.dtype(), self.device());
  }
};
struct logsumexp_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, IntArrayRef dims, bool keepdim) const {
    ScalarType dtype = is_integral_type(self.dtype(), true) ? get_default_dtype() : self.dtype();
    out.set_output_raw_strided(
        0, reduction::reduced_sizes(sizes_of<Int>(self), reduction::dim_mask(dims, self.dim()), keepdim), {}, dtype,
        self.device(), OutputCast::Allowed);
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(var_correction, composite::variance_meta);
TENON_STRUCTURED_OF(std_correction, composite::variance_meta);
TENON_STRUCTURED_OF(var_mean_correction, composite::variance_mean_meta);
TENON_STRUCTURED_OF(std_mean_correction, composite::variance_mean_meta);
TENON_STRUCTURED_OF(logsumexp_base, composite::logsumexp_meta);

}  // namespace tenon::ops
