// The inverses of views: a copy of a tensor in which what a view shows is replaced.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace view_scatter_family {

TENON_OPERATORS_OUT(
    as_strided_scatter,
    (base,
     "aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor",
     with_method, no_device_check, no_device_guard, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    slice_scatter,
    (base,
     "aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor",
     with_method, no_device_check, no_device_guard, Tag::core, Tag::view_copy,
     out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(select_scatter,
                    (base, "aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
                     with_method, no_device_check, no_device_guard, Tag::core, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(diagonal_scatter,
                    (base,
                     "aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
                     with_method, no_device_check, no_device_guard, out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(
    slice_inverse,
    (base,
     "aten::slice_inverse(Tensor(a) self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)",
     with_method, no_device_check, no_device_guard));

}  // namespace view_scatter_family
}  // namespace tenon::ops
