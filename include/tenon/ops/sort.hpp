// Sorting and ranking.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace sort_family {

TENON_OPERATORS_OUT(
    sort,
    (base, "aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)", "values",
     with_method, no_device_check, Tag::core),
    (stable,
     "aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
     "values_stable", with_method));
TENON_OPERATORS_OUT(argsort,
                    (base, "aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", no_out,
                     with_method, no_device_check),
                    (stable,
                     "aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
                     "stable_out", with_method, no_device_check));
TENON_OPERATORS_OUT(
    topk,
    (base,
     "aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)",
     "values", with_method, Tag::core));
TENON_OPERATORS_OUT(msort, (base, "aten::msort(Tensor self) -> Tensor", with_method));
TENON_OPERATORS_OUT(median, (base, "aten::median(Tensor self) -> Tensor", with_method, out_tags({Tag::generated})),
                    (dim,
                     "aten::median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
                     "dim_values", with_method));
TENON_OPERATORS_OUT(nanmedian,
                    (base, "aten::nanmedian(Tensor self) -> Tensor", with_method, out_tags({Tag::generated})),
                    (dim,
                     "aten::nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
                     "dim_values", with_method));
TENON_OPERATORS_OUT(mode,
                    (base, "aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
                     "values", with_method));
TENON_OPERATORS_OUT(
    kthvalue,
    (base, "aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
     "values", with_method));
TENON_OPERATORS_PLAIN(
    value_selecting_reduction_backward,
    (base,
     "aten::value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] sizes, bool keepdim) -> Tensor",
     no_device_check, no_device_guard));

}  // namespace sort_family
}  // namespace tenon::ops
