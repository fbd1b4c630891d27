// Rows of complex elements made of real ones, and of their angle.
#pragma once
#include <tenon/pointwise/row.hpp>
#if TENON_ROWS_REGISTER
#include <tenon/ops/complex.hpp>
#include <tenon/pointwise/checks.hpp>
#include <tenon/pointwise/detail/gradients.hpp>
#endif

namespace tenon::ops {

#if TENON_ROWS_REGISTER
namespace derivatives {
/// Half of a turn beyond each number, over its size: the way in which its angle grows.
inline Tensor angle_slope(const Tensor& grad, const Tensor& self) {
  if (!self.is_complex()) return zeros_like(self);
  Tensor at = one_for_zero(self);
  return where(self == 0, Scalar(0.0), grad * (at * Scalar(Complex<double>(0, 1)) / pow(abs(at), 2)));
}
/// Gradients of a complex result by what turns and what stretches it: the part of `grad` along `direction`.
inline Tensor along(const Tensor& grad, const Tensor& direction) { return real(conj_physical(grad) * direction); }
}  // namespace derivatives
#endif

TENON_COMPUTES(complex_base, over::one_at_a_time<over::floating>, (real, imag), (),
               (::tenon::Complex<decltype(real)>(real, imag)), promote<RealToComplex>, check<checks::complex_parts>,
               cast<OutputCast::Exact>, TENON_WRT((real), (grad), (real(grad))),
               TENON_WRT((imag), (grad), (imag(grad))));
TENON_COMPUTES(polar_base, over::one_at_a_time<over::floating>, (abs, angle), (), (math::polar(abs, angle)),
               promote<RealToComplex>, check<checks::complex_parts>, cast<OutputCast::Exact>,
               TENON_WRT((abs), (grad, result), (derivatives::along(grad, sgn(result)))),
               TENON_WRT((angle), (grad, result), (derivatives::along(grad, result* Scalar(Complex<double>(0, 1))))));
TENON_COMPUTES(angle_base, over::one_at_a_time<over::float_or_complex>, (self), (), (math::angle(self)),
               promote<ToReal>, TENON_WRT((self), (grad, self), (derivatives::angle_slope(grad, self))));

}  // namespace tenon::ops
