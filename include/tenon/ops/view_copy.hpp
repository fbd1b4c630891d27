// The copies of views: what a view shows, in memory of its own, row-major.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace view_copy_family {

TENON_OPERATORS_OUT(view_copy,
                    (base, "aten::view_copy(Tensor self, SymInt[] size) -> Tensor", Tag::view_copy,
                     out_tags({Tag::generated, Tag::view_copy})),
                    (dtype, "aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor", Tag::view_copy,
                     out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(
    as_strided_copy,
    (base, "aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor",
     Tag::view_copy, out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(_reshape_alias_copy,
                    (base, "aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor",
                     Tag::view_copy, out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(alias_copy, (base, "aten::alias_copy(Tensor self) -> Tensor", Tag::view_copy,
                                 out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(detach_copy, (base, "aten::detach_copy(Tensor self) -> Tensor", Tag::view_copy,
                                  out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(lift_fresh_copy, (base, "aten::lift_fresh_copy(Tensor self) -> Tensor", Tag::view_copy,
                                      out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(diagonal_copy,
                    (base, "aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor",
                     Tag::view_copy, out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(expand_copy,
                    (base, "aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor",
                     Tag::view_copy, out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(permute_copy, (base, "aten::permute_copy(Tensor self, int[] dims) -> Tensor", Tag::view_copy,
                                   out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(t_copy, (base, "aten::t_copy(Tensor self) -> Tensor", Tag::view_copy,
                             out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(transpose_copy, (int, "aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor",
                                     Tag::view_copy, out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(select_copy, (int, "aten::select_copy.int(Tensor self, int dim, SymInt index) -> Tensor",
                                  Tag::view_copy, out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(
    slice_copy,
    (Tensor,
     "aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor",
     "Tensor_out", Tag::view_copy, out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(narrow_copy,
                    (base, "aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor",
                     with_method, Tag::view_copy, out_tags()));
TENON_OPERATORS_OUT(squeeze_copy,
                    (base, "aten::squeeze_copy(Tensor self) -> Tensor", Tag::view_copy,
                     out_tags({Tag::generated, Tag::view_copy})),
                    (dim, "aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor", Tag::view_copy,
                     out_tags({Tag::generated, Tag::view_copy})),
                    (dims, "aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor", Tag::view_copy,
                     out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(unsqueeze_copy, (base, "aten::unsqueeze_copy(Tensor self, int dim) -> Tensor", Tag::view_copy,
                                     out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(unfold_copy, (base, "aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor",
                                  Tag::view_copy, out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(unbind_copy,
                    (int, "aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]", Tag::view_copy, out_tags()));
TENON_OPERATORS_OUT(split_copy,
                    (Tensor, "aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]",
                     "Tensor_out", Tag::view_copy, out_tags()));
TENON_OPERATORS_OUT(split_with_sizes_copy,
                    (base, "aten::split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
                     Tag::view_copy, out_tags()));

}  // namespace view_copy_family
}  // namespace tenon::ops
