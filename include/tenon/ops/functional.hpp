// The functional forms of operators that overwrite a whole tensor: what it held before gives the result its shape and
// dtype. Programs write copy_ and the like; functionalization calls these.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR(copy_base, "aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor");
TENON_OPERATOR(zero_base, "aten::zero(Tensor self) -> Tensor");
TENON_OPERATOR(
    normal_functional_base,
    "aten::normal_functional(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor");
TENON_OPERATOR(uniform_base,
               "aten::uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor");
TENON_OPERATOR(random_base, "aten::random(Tensor self, *, Generator? generator=None) -> Tensor");
TENON_OPERATOR(random_from,
               "aten::random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor");
TENON_OPERATOR(random_to, "aten::random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor");

}  // namespace tenon::ops
