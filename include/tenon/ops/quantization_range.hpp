// Scales and zero points of quantisation, chosen from the range of the elements.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace quantization_range_family {

// An observer follows the least and the greatest element by a moving average, and quantises by what it has seen.
TENON_OPERATORS_PLAIN(
    fused_moving_avg_obs_fake_quant,
    "aten::fused_moving_avg_obs_fake_quant(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) -> Tensor");
TENON_OPERATORS_OUT(
    _fused_moving_avg_obs_fq_helper,
    (base,
     "aten::_fused_moving_avg_obs_fq_helper(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) -> (Tensor output, Tensor mask)",
     "aten::_fused_moving_avg_obs_fq_helper.out(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False, *, Tensor(e!) out0, Tensor(f!) out1) -> (Tensor(e!), Tensor(f!))",
     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(
    choose_qparams_optimized,
    "aten::choose_qparams_optimized(Tensor input, int numel, int n_bins, float ratio, int bit_width) -> (Tensor, Tensor)");
TENON_OPERATORS_PLAIN(_choose_qparams_per_tensor,
                      "aten::_choose_qparams_per_tensor(Tensor self, bool reduce_range=False) -> (float, int)");

}  // namespace quantization_range_family
}  // namespace tenon::ops
