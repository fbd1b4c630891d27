// Integrals by trapezoids, means without not-a-number.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR_OUT(
    nanmean_base,
    "aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
TENON_FUNCTION(nanmean, nanmean_base, nanmean_base_out);
TENON_OPERATOR(trapezoid_dx, "aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor");
TENON_OPERATOR(trapezoid_x, "aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor");
TENON_FUNCTION(trapezoid, trapezoid_x, trapezoid_dx);
TENON_OPERATOR(trapz_dx, "aten::trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor");
TENON_OPERATOR(trapz_x, "aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor");
TENON_FUNCTION(trapz, trapz_x, trapz_dx);
TENON_OPERATOR(cumulative_trapezoid_dx,
               "aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor");
TENON_OPERATOR(cumulative_trapezoid_x, "aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor");
TENON_FUNCTION(cumulative_trapezoid, cumulative_trapezoid_x, cumulative_trapezoid_dx);

}  // namespace tenon::ops
