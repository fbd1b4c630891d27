// The inverses of views: a copy of a tensor in which what a view shows is replaced.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_OUT(
    as_strided_scatter,
    "aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor");
TENON_OPERATORS_OUT(
    slice_scatter,
    "aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor");
TENON_OPERATORS_OUT(select_scatter, "aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor");
TENON_OPERATORS_OUT(diagonal_scatter,
                    "aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor");

}  // namespace tenon::ops
