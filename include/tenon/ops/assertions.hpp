// Assertions that graphs of programs carry, each with a form that orders it by a token.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace assertions_family {

TENON_OPERATORS_PLAIN(
    _assert_tensor_metadata,
    "aten::_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> ()");
TENON_OPERATORS_PLAIN(_functional_assert_scalar,
                      "aten::_functional_assert_scalar(Scalar self, str assert_msg, Tensor dep_token) -> Tensor");
TENON_OPERATORS_PLAIN(sym_constrain_range,
                      "aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()");
TENON_OPERATORS_PLAIN(sym_constrain_range_for_size,
                      "aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()");
TENON_OPERATORS_PLAIN(
    _functional_sym_constrain_range,
    "aten::_functional_sym_constrain_range(Scalar size, int? min, int? max, Tensor dep_token) -> Tensor");
TENON_OPERATORS_PLAIN(
    _functional_sym_constrain_range_for_size,
    "aten::_functional_sym_constrain_range_for_size(Scalar size, int? min, int? max, Tensor dep_token) -> Tensor");
TENON_OPERATORS_PLAIN(
    _make_dep_token,
    "aten::_make_dep_token(*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");

}  // namespace assertions_family
}  // namespace tenon::ops
