// The one element of a tensor as a number or a truth, and assertions that it holds.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace truth_family {

TENON_OPERATORS_PLAIN(_local_scalar_dense, (base, "aten::_local_scalar_dense(Tensor self) -> Scalar", Tag::core,
                                            Tag::data_dependent_output));
TENON_OPERATORS_PLAIN(is_nonzero,
                      (base, "aten::is_nonzero(Tensor self) -> bool", with_method, no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(_assert_async, "aten::_assert_async(Tensor self) -> ()",
                      (msg, "aten::_assert_async.msg(Tensor self, str assert_msg) -> ()"));
TENON_OPERATORS_PLAIN(_assert_scalar, "aten::_assert_scalar(Scalar self, str assert_msg) -> ()");
TENON_OPERATORS_PLAIN(_functional_assert_async,
                      (msg,
                       "aten::_functional_assert_async.msg(Tensor self, str assert_msg, Tensor dep_token) -> Tensor"));
TENON_OPERATORS_PLAIN(item, (base, "aten::item(Tensor self) -> Scalar", method_only, Tag::data_dependent_output));

}  // namespace truth_family
}  // namespace tenon::ops
