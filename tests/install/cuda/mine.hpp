// Elementwise operators and fused expressions of a foreign project: for the host's compiler and, in mine.cu, for a
// device's.
#pragma once
#include <tenon/cpu/rows.hpp>

TENON_POINTWISE(swish, "mine::swish(Tensor self, *, Scalar beta=1) -> Tensor",
                [](auto x, auto beta) { return x / (1 + exp(-beta * x)); });
TENON_POINTWISE(between, "mine::between(Scalar low, Tensor self, Tensor high) -> Tensor",
                [](auto low, auto x, auto high) { return select(low < x, relu(x), 2.0 * high); });
TENON_POINTWISE(is_above, "mine::is_above(Tensor self, Scalar limit=0) -> Tensor",
                [](auto x, auto limit) { return x > limit; });
TENON_FUSED(gate, [](auto a, auto b) { return relu(a * b + a) * 0.5; });
TENON_FUSED(distance, [](auto a, auto b, auto c, auto d) { return sqrt((a - b) * (a - b) + (c - d) * (c - d) + 1); });
