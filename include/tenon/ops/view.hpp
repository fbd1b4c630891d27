// Views: other shapes and strides of the same memory.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_PLAIN(t, "aten::t(Tensor(a) self) -> Tensor(a)");
TENON_OPERATORS_PLAIN(transpose, (int, "aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)"));
TENON_OPERATORS_PLAIN(permute, "aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)");
TENON_OPERATORS_PLAIN(view, "aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)",
                      (dtype, "aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)"));
TENON_OPERATORS_PLAIN(reshape, "aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)");
TENON_OPERATORS_PLAIN(expand, "aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)");
TENON_OPERATORS_PLAIN(narrow, "aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)");
TENON_OPERATORS_PLAIN(select, (int, "aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)"));
TENON_OPERATORS_PLAIN(
    slice,
    (Tensor,
     "aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)"));
TENON_OPERATORS_PLAIN(unsqueeze, "aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)");
TENON_OPERATORS_PLAIN(
    as_strided,
    "aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)");
TENON_OPERATORS_PLAIN(detach, "aten::detach(Tensor(a) self) -> Tensor(a)");
TENON_OPERATORS_PLAIN(alias, "aten::alias(Tensor(a) self) -> Tensor(a)");
TENON_OPERATORS_PLAIN(diagonal, "aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)");
TENON_OPERATORS_PLAIN(view_as, "aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)");
TENON_OPERATORS_PLAIN(reshape_as, "aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)");
TENON_OPERATORS_PLAIN(expand_as, "aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)");
TENON_OPERATORS_PLAIN(flatten,
                      (using_ints,
                       "aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)"));
TENON_OPERATORS_PLAIN(_reshape_alias,
                      "aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)");
TENON_OPERATORS_PLAIN(_unsafe_view, "aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor");
TENON_OPERATORS_PLAIN(squeeze, "aten::squeeze(Tensor(a) self) -> Tensor(a)",
                      (dim, "aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)"),
                      (dims, "aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)"));
TENON_OPERATORS_PLAIN(unbind, (int, "aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]"));
TENON_OPERATORS_PLAIN(split,
                      (Tensor, "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]"),
                      (sizes, "aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]"));
TENON_OPERATORS_PLAIN(split_with_sizes,
                      "aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]");
TENON_OPERATORS_PLAIN(chunk, "aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]");
TENON_OPERATORS_INPLACE(t, "aten::t_(Tensor(a!) self) -> Tensor(a!)");
TENON_OPERATORS_INPLACE(transpose, "aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)");
TENON_OPERATORS_INPLACE(unsqueeze, "aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)");
TENON_OPERATORS_INPLACE(squeeze, "aten::squeeze_(Tensor(a!) self) -> Tensor(a!)",
                        (dim, "aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)"),
                        (dims, "aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)"));
TENON_OPERATORS_INPLACE(
    as_strided,
    "aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)");
TENON_OPERATORS_INPLACE(detach, "aten::detach_(Tensor(a!) self) -> Tensor(a!)");
TENON_OPERATORS_PLAIN(
    select_backward,
    "aten::select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor");
TENON_OPERATORS_PLAIN(
    slice_backward,
    "aten::slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step) -> Tensor");
TENON_OPERATORS_PLAIN(
    diagonal_backward,
    "aten::diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor");
TENON_OPERATORS_PLAIN(unfold, "aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)");
TENON_OPERATORS_OUT(
    unfold_backward,
    "aten::unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor");

}  // namespace tenon::ops
