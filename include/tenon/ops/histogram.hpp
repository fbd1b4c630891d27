// Counting: of integers and of values in bins.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_OUT(bincount, (base, "aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor",
                               with_method, Tag::dynamic_output_shape, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(histc, (base, "aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
                            with_method));
TENON_OPERATORS_OUT(
    histogram,
    (bin_ct,
     "aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)",
     with_method),
    (bins_tensor,
     "aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)",
     with_method));

}  // namespace tenon::ops
