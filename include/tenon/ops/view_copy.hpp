// The copies of views: what a view shows, in memory of its own, row-major.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR_OUT(view_copy_base, "aten::view_copy(Tensor self, SymInt[] size) -> Tensor");
TENON_OPERATOR_OUT(view_copy_dtype, "aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor");
TENON_FUNCTION(view_copy, view_copy_base, view_copy_dtype, view_copy_base_out, view_copy_dtype_out);
TENON_OPERATOR_OUT(
    as_strided_copy_base,
    "aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor");
TENON_FUNCTION(as_strided_copy, as_strided_copy_base, as_strided_copy_base_out);
TENON_OPERATOR_OUT(_reshape_alias_copy_base,
                   "aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor");
TENON_FUNCTION(_reshape_alias_copy, _reshape_alias_copy_base, _reshape_alias_copy_base_out);
TENON_OPERATOR_OUT(alias_copy_base, "aten::alias_copy(Tensor self) -> Tensor");
TENON_FUNCTION(alias_copy, alias_copy_base, alias_copy_base_out);
TENON_OPERATOR_OUT(detach_copy_base, "aten::detach_copy(Tensor self) -> Tensor");
TENON_FUNCTION(detach_copy, detach_copy_base, detach_copy_base_out);
TENON_OPERATOR_OUT(lift_fresh_copy_base, "aten::lift_fresh_copy(Tensor self) -> Tensor");
TENON_FUNCTION(lift_fresh_copy, lift_fresh_copy_base, lift_fresh_copy_base_out);
TENON_OPERATOR_OUT(diagonal_copy_base,
                   "aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor");
TENON_FUNCTION(diagonal_copy, diagonal_copy_base, diagonal_copy_base_out);
TENON_OPERATOR_OUT(expand_copy_base, "aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor");
TENON_FUNCTION(expand_copy, expand_copy_base, expand_copy_base_out);
TENON_OPERATOR_OUT(permute_copy_base, "aten::permute_copy(Tensor self, int[] dims) -> Tensor");
TENON_FUNCTION(permute_copy, permute_copy_base, permute_copy_base_out);
TENON_OPERATOR_OUT(t_copy_base, "aten::t_copy(Tensor self) -> Tensor");
TENON_FUNCTION(t_copy, t_copy_base, t_copy_base_out);
TENON_OPERATOR_OUT(transpose_copy_int, "aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor");
TENON_FUNCTION(transpose_copy, transpose_copy_int, transpose_copy_int_out);
TENON_OPERATOR_OUT(select_copy_int, "aten::select_copy.int(Tensor self, int dim, SymInt index) -> Tensor");
TENON_FUNCTION(select_copy, select_copy_int, select_copy_int_out);
TENON_OPERATOR_OUT(
    slice_copy_Tensor,
    "aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor",
    "Tensor_out");
TENON_FUNCTION(slice_copy, slice_copy_Tensor, slice_copy_Tensor_out);
TENON_OPERATOR_OUT(narrow_copy_base, "aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor");
TENON_FUNCTION(narrow_copy, narrow_copy_base, narrow_copy_base_out);
TENON_OPERATOR_OUT(squeeze_copy_base, "aten::squeeze_copy(Tensor self) -> Tensor");
TENON_OPERATOR_OUT(squeeze_copy_dim, "aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor");
TENON_OPERATOR_OUT(squeeze_copy_dims, "aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor");
TENON_FUNCTION(squeeze_copy, squeeze_copy_base, squeeze_copy_dim, squeeze_copy_dims, squeeze_copy_base_out,
               squeeze_copy_dim_out, squeeze_copy_dims_out);
TENON_OPERATOR_OUT(unsqueeze_copy_base, "aten::unsqueeze_copy(Tensor self, int dim) -> Tensor");
TENON_FUNCTION(unsqueeze_copy, unsqueeze_copy_base, unsqueeze_copy_base_out);
TENON_OPERATOR_OUT(unfold_copy_base, "aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor");
TENON_FUNCTION(unfold_copy, unfold_copy_base, unfold_copy_base_out);
TENON_OPERATOR_OUT(unbind_copy_int, "aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]");
TENON_FUNCTION(unbind_copy, unbind_copy_int, unbind_copy_int_out);
TENON_OPERATOR_OUT(split_copy_Tensor, "aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]",
                   "Tensor_out");
TENON_FUNCTION(split_copy, split_copy_Tensor, split_copy_Tensor_out);
TENON_OPERATOR_OUT(split_with_sizes_copy_base,
                   "aten::split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]");
TENON_FUNCTION(split_with_sizes_copy, split_with_sizes_copy_base, split_with_sizes_copy_base_out);

}  // namespace tenon::ops
