// Elements and rows without repetitions, sorted or as they follow each other.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_OUT(_unique,
                    (base,
                     "aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)",
                     Tag::dynamic_output_shape, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _unique2,
    (base,
     "aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)",
     Tag::dynamic_output_shape, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    unique_consecutive,
    (base,
     "aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)",
     Tag::dynamic_output_shape, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    unique_dim,
    (base,
     "aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)",
     Tag::dynamic_output_shape, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    unique_dim_consecutive,
    (base,
     "aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)",
     Tag::dynamic_output_shape, out_tags({Tag::generated})));

}  // namespace tenon::ops
