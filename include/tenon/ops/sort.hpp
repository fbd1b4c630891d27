// Sorting and ranking.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_OUT(
    sort,
    (base, "aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)", "values"),
    (stable,
     "aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
     "values_stable"));
TENON_OPERATORS_OUT(argsort, (base, "aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", no_out),
                    (stable,
                     "aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
                     "stable_out"));
TENON_OPERATORS_OUT(
    topk,
    (base,
     "aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)",
     "values"));

}  // namespace tenon::ops
