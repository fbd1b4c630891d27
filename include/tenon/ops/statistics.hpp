// Integrals by trapezoids, means without not-a-number, quantiles, covariance.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace statistics_family {

TENON_OPERATORS_OUT(
    nanmean,
    (base, "aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
     with_method, no_device_check));
TENON_OPERATORS_PLAIN(trapezoid, (x, "aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor"),
                      (dx, "aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor"));
TENON_OPERATORS_PLAIN(trapz, (x, "aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor"),
                      (dx, "aten::trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor"));
TENON_OPERATORS_PLAIN(cumulative_trapezoid,
                      (x, "aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor"),
                      (dx, "aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor"));
TENON_OPERATORS_OUT(
    quantile,
    (base,
     "aten::quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> Tensor",
     with_method),
    (scalar,
     "aten::quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> Tensor",
     with_method));
TENON_OPERATORS_OUT(
    nanquantile,
    (base,
     "aten::nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> Tensor",
     with_method),
    (scalar,
     "aten::nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> Tensor",
     with_method));
TENON_OPERATORS_PLAIN(
    cov, (base, "aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor",
          with_method));
TENON_OPERATORS_PLAIN(corrcoef, (base, "aten::corrcoef(Tensor self) -> Tensor", with_method));

}  // namespace statistics_family
}  // namespace tenon::ops
