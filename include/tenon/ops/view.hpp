// Views: other shapes and strides of the same memory.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace view_family {

TENON_OPERATORS_PLAIN(t, (base, "aten::t(Tensor(a) self) -> Tensor(a)", with_method, no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(transpose, (int, "aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
                                  with_method, no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(permute,
                      (base, "aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)", with_method, Tag::core));
TENON_OPERATORS_PLAIN(view,
                      (base, "aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)", method_only, no_device_check,
                       no_device_guard, Tag::core),
                      (dtype, "aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)", method_only,
                       no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(reshape, (base, "aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", with_method,
                                no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(expand, (base, "aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)",
                               method_only, no_device_check, no_device_guard, Tag::core));
TENON_OPERATORS_PLAIN(narrow,
                      (base, "aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)",
                       with_method, no_device_check, no_device_guard),
                      (Tensor, "aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)",
                       with_method, no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(select, (int, "aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)", with_method,
                               no_device_check, no_device_guard, Tag::core));
TENON_OPERATORS_PLAIN(
    slice,
    (Tensor,
     "aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)",
     with_method, no_device_check, no_device_guard, Tag::core));
TENON_OPERATORS_PLAIN(unsqueeze, (base, "aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", with_method,
                                  no_device_check, no_device_guard, Tag::core));
TENON_OPERATORS_PLAIN(
    as_strided,
    (base, "aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)",
     with_method, no_device_check, no_device_guard, Tag::core));
TENON_OPERATORS_PLAIN(detach, (base, "aten::detach(Tensor(a) self) -> Tensor(a)", with_method));
TENON_OPERATORS_PLAIN(alias, (base, "aten::alias(Tensor(a) self) -> Tensor(a)", with_method, Tag::core));
TENON_OPERATORS_PLAIN(diagonal,
                      (base, "aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
                       with_method, Tag::core));
TENON_OPERATORS_PLAIN(view_as, (base, "aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)", method_only,
                                no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(reshape_as, (base, "aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", method_only,
                                   no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(expand_as, (base, "aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)", method_only,
                                  no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(flatten,
                      (using_ints,
                       "aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
                       with_method));
TENON_OPERATORS_PLAIN(_reshape_alias,
                      (base, "aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)",
                       with_method, no_device_check, no_device_guard));
TENON_OPERATORS_OUT(_unsafe_view,
                    (base, "aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor", out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(squeeze,
                      (base, "aten::squeeze(Tensor(a) self) -> Tensor(a)", with_method, no_device_check,
                       no_device_guard),
                      (dim, "aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", with_method, no_device_check,
                       no_device_guard, Tag::core),
                      (dims, "aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)", with_method, no_device_check,
                       no_device_guard, Tag::core));
TENON_OPERATORS_PLAIN(unbind, (int, "aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", with_method));
TENON_OPERATORS_PLAIN(split,
                      (Tensor, "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
                       with_method, no_device_check, no_device_guard),
                      (sizes, "aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]",
                       with_method, no_device_guard));
TENON_OPERATORS_PLAIN(split_with_sizes,
                      (base,
                       "aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]",
                       with_method, no_device_check, no_device_guard, Tag::core));
TENON_OPERATORS_PLAIN(chunk, (base, "aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]",
                              with_method, no_device_check, no_device_guard));
TENON_OPERATORS_INPLACE(t, (base, "aten::t_(Tensor(a!) self) -> Tensor(a!)", method_only, no_device_check,
                            no_device_guard, Tag::inplace_view));
TENON_OPERATORS_INPLACE(transpose, (base, "aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)",
                                    method_only, no_device_check, no_device_guard, Tag::inplace_view));
TENON_OPERATORS_INPLACE(unsqueeze, (base, "aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)", method_only,
                                    no_device_check, no_device_guard, Tag::inplace_view));
TENON_OPERATORS_INPLACE(squeeze,
                        (base, "aten::squeeze_(Tensor(a!) self) -> Tensor(a!)", method_only, no_device_check,
                         no_device_guard, Tag::inplace_view),
                        (dim, "aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)", method_only,
                         no_device_check, no_device_guard, Tag::inplace_view),
                        (dims, "aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)", method_only,
                         no_device_check, no_device_guard, Tag::inplace_view));
TENON_OPERATORS_INPLACE(
    as_strided,
    (base,
     "aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)",
     with_method, no_device_check, no_device_guard, Tag::inplace_view));
TENON_OPERATORS_INPLACE(detach, (base, "aten::detach_(Tensor(a!) self) -> Tensor(a!)", with_method, Tag::inplace_view));
TENON_OPERATORS_OUT(select_backward,
                    (base,
                     "aten::select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor",
                     no_device_check, no_device_guard, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    slice_backward,
    (base,
     "aten::slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step) -> Tensor",
     no_device_check, no_device_guard, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    diagonal_backward,
    (base,
     "aten::diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor",
     no_device_check, no_device_guard, out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(unfold, (base, "aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)",
                               method_only, no_device_check, no_device_guard));
TENON_OPERATORS_OUT(
    unfold_backward,
    (base, "aten::unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor",
     out_tags({Tag::generated})));

}  // namespace view_family
}  // namespace tenon::ops
