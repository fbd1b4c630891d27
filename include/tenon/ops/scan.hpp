// Running extremes with their places, and the running logarithm of a sum of exponentials.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace scan_family {

TENON_OPERATORS_OUT(cummax, (base, "aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)", with_method,
                             no_device_check));
TENON_OPERATORS_OUT(cummin, (base, "aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)", with_method,
                             no_device_check));
TENON_OPERATORS_PLAIN(cummaxmin_backward,
                      (base, "aten::cummaxmin_backward(Tensor grad, Tensor input, Tensor indices, int dim) -> Tensor",
                       no_device_check, no_device_guard));
TENON_OPERATORS_OUT(logcumsumexp, (base, "aten::logcumsumexp(Tensor self, int dim) -> Tensor", with_method));

}  // namespace scan_family
}  // namespace tenon::ops
