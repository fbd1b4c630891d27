// The windows of an image as columns, and an image from them.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace columns_family {

TENON_OPERATORS_OUT(
    im2col, "aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor");
TENON_OPERATORS_OUT(
    col2im,
    (base,
     "aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor",
     Tag::core));

}  // namespace columns_family
}  // namespace tenon::ops
