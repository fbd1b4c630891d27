// Whether tensors are equal, or nearly so.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace closeness_family {

TENON_OPERATORS_PLAIN(
    isclose,
    (base,
     "aten::isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool equal_nan=False) -> Tensor",
     with_method));
TENON_OPERATORS_PLAIN(
    allclose,
    (base,
     "aten::allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool equal_nan=False) -> bool",
     with_method, Tag::data_dependent_output));
TENON_OPERATORS_PLAIN(equal, (base, "aten::equal(Tensor self, Tensor other) -> bool", with_method,
                              Tag::data_dependent_output, Tag::pointwise));

}  // namespace closeness_family
}  // namespace tenon::ops
