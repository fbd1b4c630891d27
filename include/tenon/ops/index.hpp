// Selecting and writing by index or mask, one-hot encoding.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_OUT(index_select, "aten::index_select(Tensor self, int dim, Tensor index) -> Tensor");
TENON_OPERATORS_PLAIN(index_select_backward,
                      "aten::index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor");
TENON_OPERATORS_PLAIN(one_hot, "aten::one_hot(Tensor self, int num_classes=-1) -> Tensor");
TENON_OPERATORS(index_add,
                "aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor");
TENON_OPERATORS_OUT(gather, "aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor");
TENON_OPERATORS(
    scatter, (src, "aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor"),
    (value, "aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor"),
    (reduce, "aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor"),
    (value_reduce,
     "aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor"));
TENON_OPERATORS(scatter_add, "aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor");
TENON_OPERATORS(masked_fill, (Scalar, "aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor"),
                (Tensor, "aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor", "Tensor_out"));
TENON_OPERATORS(index_copy, "aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor");
TENON_OPERATORS(masked_scatter, "aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor");
TENON_OPERATORS_PLAIN(masked_scatter_backward,
                      "aten::masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor");

}  // namespace tenon::ops
