// Scaling of losses, so that gradients of 16-bit parameters do not vanish.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace loss_scale_family {

TENON_OPERATORS_PLAIN(
    _amp_foreach_non_finite_check_and_unscale,
    (base,
     "aten::_amp_foreach_non_finite_check_and_unscale(Tensor[] self, Tensor found_inf, Tensor inv_scale) -> (Tensor[] self_out, Tensor found_inf_out)",
     Tag::generated));
TENON_OPERATORS_INPLACE(
    _amp_foreach_non_finite_check_and_unscale,
    "aten::_amp_foreach_non_finite_check_and_unscale_(Tensor(a!)[] self, Tensor(b!) found_inf, Tensor inv_scale) -> ()");
TENON_OPERATORS_PLAIN(
    _amp_update_scale,
    (base,
     "aten::_amp_update_scale(Tensor self, Tensor growth_tracker, Tensor found_inf, float scale_growth_factor, float scale_backoff_factor, int growth_interval) -> (Tensor, Tensor growth_tracker_out)",
     Tag::generated));
TENON_OPERATORS_INPLACE(
    _amp_update_scale,
    "aten::_amp_update_scale_(Tensor(a!) self, Tensor(b!) growth_tracker, Tensor found_inf, float scale_growth_factor, float scale_backoff_factor, int growth_interval) -> Tensor(a!)");

}  // namespace loss_scale_family
}  // namespace tenon::ops
