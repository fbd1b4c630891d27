// Integrals by trapezoids, means without not-a-number: made of other operators.
#pragma once
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/statistics.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

inline void check_nanmean(const Tensor& self) {
  TENON_CHECK(self.is_floating_point() || self.is_complex(), TypeError,
              "nanmean(): expected input to have floating point or complex dtype but got ",
              enumerator_name(self.dtype()));
}
inline Tensor counted_numbers(const Tensor& self, std::optional<IntArrayRef> dims, bool keepdim) {
  return ops::sum(ops::logical_not(ops::isnan(self.detach())), dims, keepdim);
}
inline Tensor nanmean(const Tensor& self, std::optional<IntArrayRef> dims, bool keepdim,
                      std::optional<ScalarType> dtype) {
  check_nanmean(self);
  return ops::div(ops::nansum(self, dims, keepdim, "dtype"_a = dtype), counted_numbers(self, dims, keepdim));
}
inline Tensor& nanmean_out(const Tensor& self, std::optional<IntArrayRef> dims, bool keepdim,
                           std::optional<ScalarType> dtype, Tensor& out) {
  check_nanmean(self);
  ops::nansum(self, dims, keepdim, "dtype"_a = dtype, "out"_a = out);
  ops::div_(out, counted_numbers(self, dims, keepdim));
  return out;
}

inline SymInt length_of(const Tensor& t, std::int64_t dim) {
  return t.sym_sizes()[static_cast<std::size_t>(wrap_dim(dim, t.dim()))];
}
inline void check_has_dim(const Tensor& y, std::int64_t dim) {
  TENON_CHECK(y.dim() > 0, IndexError, "Dimension specified as ", dim, " but tensor has no dimensions");
}
/// The elements before and behind each gap along a dimension.
inline Tensor left_of(const Tensor& t, std::int64_t dim) { return ops::slice(t, dim, 0, -1); }
inline Tensor right_of(const Tensor& t, std::int64_t dim) { return ops::slice(t, dim, 1); }
/// The widths of the gaps between points that stand along a dimension of `y`.
inline Tensor gaps(const char* name, const Tensor& y, const Tensor& x, std::int64_t dim) {
  TENON_CHECK(y.dtype() != kBool && x.dtype() != kBool, ValueError, name,
              ": received a bool input for `x` or `y`, but bool is not supported");
  Tensor points = x;
  if (x.dim() == 1) {
    TENON_CHECK(x.sym_sizes()[0] == length_of(y, dim), ValueError, name,
                ": There must be one `x` value for each sample point");
    SymDimVector sizes(static_cast<std::size_t>(y.dim()), SymInt(1));
    sizes[static_cast<std::size_t>(wrap_dim(dim, y.dim()))] = x.sym_sizes()[0];
    points = ops::view(x, SymIntArrayRef(sizes));
  } else if (x.dim() < y.dim()) {
    SymDimVector sizes(static_cast<std::size_t>(y.dim() - x.dim()), SymInt(1));
    for (const SymInt& s : x.sym_sizes()) sizes.push_back(s);
    points = ops::view(x, SymIntArrayRef(sizes));
  }
  return ops::sub(right_of(points, dim), left_of(points, dim));
}
inline void check_step(const char* name, const Tensor& y, const Scalar& dx) {
  TENON_CHECK(y.dtype() != kBool, ValueError, name, ": received a bool input for `y`, but bool is not supported");
  TENON_CHECK(!dx.is_complex() && !dx.is_boolean(), ValueError, name,
              ": Currently, we only support dx as a real number.");
}
/// Zeros of the shape without a dimension of size 0.
inline Tensor no_area(const Tensor& y, std::int64_t dim) { return ops::zeros_like(ops::sum(y, dim)).to(y.dtype()); }
inline Tensor trapezoid_dx(const Tensor& y, const Scalar& dx, std::int64_t dim) {
  check_has_dim(y, dim);
  if (length_of(y, dim) == 0) return no_area(y, dim);
  check_step("trapezoid", y, dx);
  Tensor ends = ops::add(ops::select(y, dim, 0), ops::select(y, dim, -1));
  return ops::mul(ops::sub(ops::sum(y, dim), ops::mul(ends, Scalar(0.5))), dx);
}
inline Tensor trapezoid_x(const Tensor& y, const Tensor& x, std::int64_t dim) {
  check_has_dim(y, dim);
  if (length_of(y, dim) == 0) return no_area(y, dim);
  dim = wrap_dim(dim, y.dim());  // points of more dimensions are counted from the front, too
  Tensor heights = ops::add(left_of(y, dim), right_of(y, dim));
  return ops::div(ops::sum(ops::mul(heights, gaps("trapezoid", y, x, dim)), dim), Scalar(2.0));
}
inline Tensor trapz_dx(const Tensor& y, double dx, std::int64_t dim) { return trapezoid_dx(y, Scalar(dx), dim); }
inline Tensor cumulative_dx(const Tensor& y, const Scalar& dx, std::int64_t dim) {
  check_step("cumulative_trapezoid", y, dx);
  Tensor heights = ops::add(right_of(y, dim), left_of(y, dim));
  return ops::cumsum(ops::mul(heights, Scalar(dx.to_double() / 2)), dim);
}
inline Tensor cumulative_x(const Tensor& y, const Tensor& x, std::int64_t dim) {
  dim = wrap_dim(dim, y.dim());
  Tensor heights = ops::add(right_of(y, dim), left_of(y, dim));
  return ops::div(ops::cumsum(ops::mul(gaps("cumulative_trapezoid", y, x, dim), heights), dim), Scalar(2.0));
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::nanmean_base>().def<ops::nanmean_base_out>();
  m.def<ops::trapezoid_dx>().def<ops::trapezoid_x>().def<ops::trapz_dx>().def<ops::trapz_x>();
  m.def<ops::cumulative_trapezoid_dx>().def<ops::cumulative_trapezoid_x>();
  m.impl<ops::nanmean_base, &nanmean>().impl<ops::nanmean_base_out, &nanmean_out>();
  m.impl<ops::trapezoid_dx, &trapezoid_dx>().impl<ops::trapezoid_x, &trapezoid_x>();
  m.impl<ops::trapz_dx, &trapz_dx>().impl<ops::trapz_x, &trapezoid_x>();
  m.impl<ops::cumulative_trapezoid_dx, &cumulative_dx>().impl<ops::cumulative_trapezoid_x, &cumulative_x>();
}

}  // namespace tenon::composite
