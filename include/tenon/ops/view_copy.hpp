// The copies of views: what a view shows, in memory of its own, row-major.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_OUT(view_copy, "aten::view_copy(Tensor self, SymInt[] size) -> Tensor",
                    (dtype, "aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor"));
TENON_OPERATORS_OUT(
    as_strided_copy,
    "aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor");
TENON_OPERATORS_OUT(_reshape_alias_copy,
                    "aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor");
TENON_OPERATORS_OUT(alias_copy, "aten::alias_copy(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(detach_copy, "aten::detach_copy(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(lift_fresh_copy, "aten::lift_fresh_copy(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(diagonal_copy, "aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor");
TENON_OPERATORS_OUT(expand_copy, "aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor");
TENON_OPERATORS_OUT(permute_copy, "aten::permute_copy(Tensor self, int[] dims) -> Tensor");
TENON_OPERATORS_OUT(t_copy, "aten::t_copy(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(transpose_copy, (int, "aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor"));
TENON_OPERATORS_OUT(select_copy, (int, "aten::select_copy.int(Tensor self, int dim, SymInt index) -> Tensor"));
TENON_OPERATORS_OUT(
    slice_copy,
    (Tensor,
     "aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor",
     "Tensor_out"));
TENON_OPERATORS_OUT(narrow_copy, "aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor");
TENON_OPERATORS_OUT(squeeze_copy, "aten::squeeze_copy(Tensor self) -> Tensor",
                    (dim, "aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor"),
                    (dims, "aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor"));
TENON_OPERATORS_OUT(unsqueeze_copy, "aten::unsqueeze_copy(Tensor self, int dim) -> Tensor");
TENON_OPERATORS_OUT(unfold_copy, "aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor");
TENON_OPERATORS_OUT(unbind_copy, (int, "aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]"));
TENON_OPERATORS_OUT(split_copy,
                    (Tensor, "aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]",
                     "Tensor_out"));
TENON_OPERATORS_OUT(split_with_sizes_copy,
                    "aten::split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]");

}  // namespace tenon::ops
