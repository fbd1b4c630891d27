// Views: other shapes and strides of the same memory.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR(t_base, "aten::t(Tensor(a) self) -> Tensor(a)");
TENON_FUNCTION(t, t_base);
TENON_OPERATOR(transpose_int, "aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)");
TENON_FUNCTION(transpose, transpose_int);
TENON_OPERATOR(permute_base, "aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)");
TENON_FUNCTION(permute, permute_base);
TENON_OPERATOR(view_base, "aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)");
TENON_FUNCTION(view, view_base);
TENON_OPERATOR(reshape_base, "aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)");
TENON_FUNCTION(reshape, reshape_base);
TENON_OPERATOR(expand_base, "aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)");
TENON_FUNCTION(expand, expand_base);
TENON_OPERATOR(narrow_base, "aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)");
TENON_FUNCTION(narrow, narrow_base);
TENON_OPERATOR(select_int, "aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)");
TENON_FUNCTION(select, select_int);
TENON_OPERATOR(
    slice_Tensor,
    "aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)");
TENON_FUNCTION(slice, slice_Tensor);
TENON_OPERATOR(unsqueeze_base, "aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)");
TENON_FUNCTION(unsqueeze, unsqueeze_base);
TENON_OPERATOR(
    as_strided_base,
    "aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)");
TENON_FUNCTION(as_strided, as_strided_base);
TENON_OPERATOR(detach_base, "aten::detach(Tensor(a) self) -> Tensor(a)");
TENON_FUNCTION(detach, detach_base);
TENON_OPERATOR(alias_base, "aten::alias(Tensor(a) self) -> Tensor(a)");
TENON_FUNCTION(alias, alias_base);
TENON_OPERATOR(diagonal_base, "aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)");
TENON_FUNCTION(diagonal, diagonal_base);
TENON_OPERATOR(view_as_base, "aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)");
TENON_FUNCTION(view_as, view_as_base);
TENON_OPERATOR(reshape_as_base, "aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)");
TENON_FUNCTION(reshape_as, reshape_as_base);
TENON_OPERATOR(expand_as_base, "aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)");
TENON_FUNCTION(expand_as, expand_as_base);
TENON_OPERATOR(flatten_using_ints,
               "aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)");
TENON_FUNCTION(flatten, flatten_using_ints);
TENON_OPERATOR(_reshape_alias_base,
               "aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)");
TENON_FUNCTION(_reshape_alias, _reshape_alias_base);
TENON_OPERATOR(_unsafe_view_base, "aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor");
TENON_FUNCTION(_unsafe_view, _unsafe_view_base);
TENON_OPERATOR(squeeze_base, "aten::squeeze(Tensor(a) self) -> Tensor(a)");
TENON_OPERATOR(squeeze_dim, "aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)");
TENON_OPERATOR(squeeze_dims, "aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)");
TENON_FUNCTION(squeeze, squeeze_base, squeeze_dim, squeeze_dims);
TENON_OPERATOR(unbind_int, "aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]");
TENON_FUNCTION(unbind, unbind_int);
TENON_OPERATOR(split_Tensor, "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]");
TENON_OPERATOR(split_sizes, "aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]");
TENON_OPERATOR(split_with_sizes_base,
               "aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]");
TENON_FUNCTION(split, split_Tensor, split_sizes);
TENON_FUNCTION(split_with_sizes, split_with_sizes_base);
TENON_OPERATOR(chunk_base, "aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]");
TENON_FUNCTION(chunk, chunk_base);
TENON_OPERATOR(t_base_, "aten::t_(Tensor(a!) self) -> Tensor(a!)");
TENON_FUNCTION(t_, t_base_);
TENON_OPERATOR(transpose_base_, "aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)");
TENON_FUNCTION(transpose_, transpose_base_);
TENON_OPERATOR(unsqueeze_base_, "aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)");
TENON_FUNCTION(unsqueeze_, unsqueeze_base_);
TENON_OPERATOR(squeeze_base_, "aten::squeeze_(Tensor(a!) self) -> Tensor(a!)");
TENON_OPERATOR(squeeze_dim_, "aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)");
TENON_OPERATOR(squeeze_dims_, "aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)");
TENON_FUNCTION(squeeze_, squeeze_base_, squeeze_dim_, squeeze_dims_);
TENON_OPERATOR(
    as_strided_base_,
    "aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)");
TENON_FUNCTION(as_strided_, as_strided_base_);
TENON_OPERATOR(detach_base_, "aten::detach_(Tensor(a!) self) -> Tensor(a!)");
TENON_FUNCTION(detach_, detach_base_);
TENON_OPERATOR(select_backward_base,
               "aten::select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor");
TENON_OPERATOR(
    slice_backward_base,
    "aten::slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step) -> Tensor");
TENON_OPERATOR(
    diagonal_backward_base,
    "aten::diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor");
TENON_FUNCTION(select_backward, select_backward_base);
TENON_FUNCTION(slice_backward, slice_backward_base);
TENON_FUNCTION(diagonal_backward, diagonal_backward_base);

}  // namespace tenon::ops
