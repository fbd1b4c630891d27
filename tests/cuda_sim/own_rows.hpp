// A row with several numbers, for the host's compiler and, in own_rows_device.cpp, as a kernel.
#pragma once
#include <tenon/cpu/rows.hpp>

TENON_POINTWISE(bent, "own::bent(Tensor self, Scalar scale, Scalar rate) -> Tensor",
                [](auto x, auto scale, auto rate) { return scale * x + exp(rate * x); });
