// The inverses of views: a copy of a tensor in which what a view shows is replaced.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR_OUT(
    as_strided_scatter_base,
    "aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor");
TENON_FUNCTION(as_strided_scatter, as_strided_scatter_base, as_strided_scatter_base_out);
TENON_OPERATOR_OUT(
    slice_scatter_base,
    "aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor");
TENON_FUNCTION(slice_scatter, slice_scatter_base, slice_scatter_base_out);
TENON_OPERATOR_OUT(select_scatter_base,
                   "aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor");
TENON_FUNCTION(select_scatter, select_scatter_base, select_scatter_base_out);
TENON_OPERATOR_OUT(diagonal_scatter_base,
                   "aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor");
TENON_FUNCTION(diagonal_scatter, diagonal_scatter_base, diagonal_scatter_base_out);

}  // namespace tenon::ops
