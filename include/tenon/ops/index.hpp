// Selecting and writing by index or mask, one-hot encoding.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace index_family {

TENON_OPERATORS_OUT(index_select,
                    (base, "aten::index_select(Tensor self, int dim, Tensor index) -> Tensor", with_method, Tag::core));
TENON_OPERATORS_PLAIN(index_select_backward,
                      (base,
                       "aten::index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor",
                       no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(one_hot,
                      (base, "aten::one_hot(Tensor self, int num_classes=-1) -> Tensor", Tag::dynamic_output_shape));
TENON_OPERATORS(index_add,
                (base,
                 "aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
                 with_method));
TENON_OPERATORS_OUT(gather,
                    (base, "aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
                     with_method, Tag::core));
TENON_OPERATORS(
    scatter,
    (src, "aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", with_method, Tag::core),
    (value, "aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", with_method, Tag::core),
    (reduce_src, "aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
     with_method),
    (value_reduce,
     "aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor",
     with_method));
TENON_OPERATORS(scatter_add, (base, "aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
                              with_method, Tag::core));
TENON_OPERATORS(masked_fill,
                (Scalar, "aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor", with_method,
                 no_device_check, Tag::pointwise, inplace_tags(), out_tags({Tag::generated})),
                (Tensor, "aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor", "Tensor_out",
                 with_method, no_device_check, out_tags({Tag::generated})));
TENON_OPERATORS(index_copy,
                (base, "aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor", with_method));
TENON_OPERATORS(masked_scatter, (base, "aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
                                 with_method, Tag::core, out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(masked_scatter_backward,
                      "aten::masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor");
TENON_OPERATORS_PLAIN(
    gather_backward,
    (base, "aten::gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad) -> Tensor",
     no_device_check, no_device_guard));

}  // namespace index_family
}  // namespace tenon::ops
