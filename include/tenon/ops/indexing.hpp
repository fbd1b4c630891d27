// Reading and writing by lists of index tensors and by flat positions.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace indexing_family {

TENON_OPERATORS_OUT(index, (Tensor, "aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", "Tensor_out",
                            with_method, no_device_check, Tag::core, Tag::dynamic_output_shape, out_tags()));
TENON_OPERATORS(index_put,
                (base,
                 "aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
                 with_method, inplace_function, no_device_check, Tag::core, out_tags({Tag::generated})));
TENON_OPERATORS(
    _index_put_impl,
    (base,
     "aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor",
     Tag::generated, inplace_tags()));
TENON_OPERATORS_PLAIN(_unsafe_index, (Tensor, "aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor"));
TENON_OPERATORS_PLAIN(
    _unsafe_index_put,
    (base, "aten::_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
     no_device_check));
TENON_OPERATORS_PLAIN(_unsafe_masked_index,
                      "aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor");
TENON_OPERATORS_PLAIN(
    _unsafe_masked_index_put_accumulate,
    "aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor values) -> Tensor");

TENON_OPERATORS_OUT(take, (base, "aten::take(Tensor self, Tensor index) -> Tensor", with_method));
TENON_OPERATORS(put, (base, "aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor",
                      with_method, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(take_along_dim,
                    (base, "aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor", with_method));
TENON_OPERATORS(index_fill,
                (int_Scalar, "aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
                 with_method, no_device_check, out_tags({Tag::generated})),
                (int_Tensor, "aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
                 with_method, no_device_check, out_tags({Tag::generated})));

}  // namespace indexing_family
}  // namespace tenon::ops
