// Sizes of one tensor beside those of another, and the diagonal of a tensor written in place.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace matching_family {

TENON_OPERATORS_PLAIN(is_same_size, (base, "aten::is_same_size(Tensor self, Tensor other) -> bool", with_method,
                                     no_device_check, no_device_guard));
TENON_OPERATORS_INPLACE(
    resize_as,
    (base, "aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)",
     with_method, Tag::inplace_view));
TENON_OPERATORS_INPLACE(fill_diagonal,
                        (base,
                         "aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)",
                         method_only));

}  // namespace matching_family
}  // namespace tenon::ops
