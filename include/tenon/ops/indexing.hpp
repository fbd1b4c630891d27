// Reading and writing by lists of index tensors and by flat positions.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATOR_OUT(index_Tensor, "aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", "Tensor_out");
TENON_FUNCTION(index, index_Tensor, index_Tensor_out);
TENON_OPERATOR_FORMS(index_put_base,
                     "aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor");
TENON_FUNCTION(index_put, index_put_base, index_put_base_out);
TENON_FUNCTION(index_put_, index_put_base_);
TENON_OPERATOR_FORMS(
    _index_put_impl_base,
    "aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor");
TENON_FUNCTION(_index_put_impl, _index_put_impl_base);
TENON_FUNCTION(_index_put_impl_, _index_put_impl_base_);
TENON_OPERATOR(_unsafe_index_Tensor, "aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor");
TENON_FUNCTION(_unsafe_index, _unsafe_index_Tensor);
TENON_OPERATOR(
    _unsafe_index_put_base,
    "aten::_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor");
TENON_FUNCTION(_unsafe_index_put, _unsafe_index_put_base);
TENON_OPERATOR(_unsafe_masked_index_base,
               "aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor");
TENON_FUNCTION(_unsafe_masked_index, _unsafe_masked_index_base);
TENON_OPERATOR(
    _unsafe_masked_index_put_accumulate_base,
    "aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor values) -> Tensor");
TENON_FUNCTION(_unsafe_masked_index_put_accumulate, _unsafe_masked_index_put_accumulate_base);

TENON_OPERATOR_OUT(take_base, "aten::take(Tensor self, Tensor index) -> Tensor");
TENON_FUNCTION(take, take_base, take_base_out);
TENON_OPERATOR_FORMS(put_base, "aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor");
TENON_FUNCTION(put, put_base, put_base_out);
TENON_FUNCTION(put_, put_base_);
TENON_OPERATOR(take_along_dim_base, "aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor");
TENON_OPERATOR(take_along_dim_base_out,
               "aten::take_along_dim.out(Tensor self, Tensor indices, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(take_along_dim, take_along_dim_base, take_along_dim_base_out);
TENON_OPERATOR_FORMS(index_fill_int_Scalar,
                     "aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor");
TENON_OPERATOR_FORMS(index_fill_int_Tensor,
                     "aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor");
TENON_FUNCTION(index_fill, index_fill_int_Scalar, index_fill_int_Tensor, index_fill_int_Scalar_out,
               index_fill_int_Tensor_out);
TENON_FUNCTION(index_fill_, index_fill_int_Scalar_, index_fill_int_Tensor_);

}  // namespace tenon::ops
