// Sorting and ranking.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

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

}  // namespace tenon::ops
