// The same elements in another order.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace arrange_family {

TENON_OPERATORS_OUT(flip, (base, "aten::flip(Tensor self, int[] dims) -> Tensor", with_method, Tag::core,
                           out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(fliplr, (base, "aten::fliplr(Tensor self) -> Tensor", with_method));
TENON_OPERATORS_PLAIN(flipud, (base, "aten::flipud(Tensor self) -> Tensor", with_method));
TENON_OPERATORS_OUT(rot90, (base, "aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor", with_method,
                            out_tags({Tag::generated})));
TENON_OPERATORS_OUT(roll, (base, "aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor", with_method,
                           out_tags({Tag::generated})));

}  // namespace arrange_family
}  // namespace tenon::ops
