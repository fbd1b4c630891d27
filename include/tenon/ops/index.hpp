// Joining, selecting by index, one-hot encoding.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR_OUT(cat_base, "aten::cat(Tensor[] tensors, int dim=0) -> Tensor");
TENON_FUNCTION(cat, cat_base, cat_base_out);
TENON_OPERATOR_OUT(stack_base, "aten::stack(Tensor[] tensors, int dim=0) -> Tensor");
TENON_FUNCTION(stack, stack_base, stack_base_out);
TENON_OPERATOR_OUT(index_select_base, "aten::index_select(Tensor self, int dim, Tensor index) -> Tensor");
TENON_FUNCTION(index_select, index_select_base, index_select_base_out);
TENON_OPERATOR(index_select_backward_base,
               "aten::index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor");
TENON_FUNCTION(index_select_backward, index_select_backward_base);
TENON_OPERATOR(one_hot_base, "aten::one_hot(Tensor self, int num_classes=-1) -> Tensor");
TENON_FUNCTION(one_hot, one_hot_base);
TENON_OPERATOR_FORMS(index_add_base,
                     "aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor");
TENON_FUNCTION(index_add, index_add_base);
TENON_FUNCTION(index_add_, index_add_base_);
TENON_OPERATOR_OUT(gather_base,
                   "aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor");
TENON_FUNCTION(gather, gather_base, gather_base_out);
TENON_OPERATOR_FORMS(scatter_src, "aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor");
TENON_OPERATOR_FORMS(scatter_value, "aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor");
TENON_OPERATOR_FORMS(scatter_reduce,
                     "aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor");
TENON_OPERATOR_FORMS(
    scatter_value_reduce,
    "aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor");
TENON_FUNCTION(scatter, scatter_src, scatter_value, scatter_reduce, scatter_value_reduce);
TENON_FUNCTION(scatter_, scatter_src_, scatter_value_, scatter_reduce_, scatter_value_reduce_);
TENON_OPERATOR_FORMS(scatter_add_base, "aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor");
TENON_FUNCTION(scatter_add, scatter_add_base);
TENON_FUNCTION(scatter_add_, scatter_add_base_);
TENON_OPERATOR_OUT(flip_base, "aten::flip(Tensor self, int[] dims) -> Tensor");
TENON_FUNCTION(flip, flip_base);
TENON_OPERATOR_FORMS(masked_fill_Scalar, "aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor");
TENON_OPERATOR_FORMS(masked_fill_Tensor, "aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
                     "Tensor_out");
TENON_FUNCTION(masked_fill, masked_fill_Scalar, masked_fill_Tensor);
TENON_FUNCTION(masked_fill_, masked_fill_Scalar_, masked_fill_Tensor_);
TENON_OPERATOR_OUT(roll_base, "aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor");
TENON_FUNCTION(roll, roll_base);
TENON_OPERATOR_OUT(sort_base,
                   "aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
                   "values");
TENON_OPERATOR_OUT(
    sort_stable,
    "aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    "values_stable");
TENON_FUNCTION(sort, sort_base, sort_stable);
TENON_OPERATOR(argsort_base, "aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor");
TENON_OPERATOR_OUT(argsort_stable,
                   "aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
                   "stable_out");
TENON_FUNCTION(argsort, argsort_base, argsort_stable);
TENON_OPERATOR_OUT(
    topk_base,
    "aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)",
    "values");
TENON_FUNCTION(topk, topk_base);

}  // namespace tenon::ops
