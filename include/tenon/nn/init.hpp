// Filling parameters before training. Nothing here is recorded for gradients.
#pragma once
#include <cstdint>
#include <optional>

#include <tenon/tensor/generator.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::init {

/// Draws from [from, to). Without a generator the process's own is used, which manual_seed() sets.
const Tensor& uniform_(const Tensor& t, double from = 0, double to = 1,
                       const std::optional<Generator>& generator = std::nullopt);
const Tensor& normal_(const Tensor& t, double mean = 0, double std = 1,
                      const std::optional<Generator>& generator = std::nullopt);
const Tensor& constant_(const Tensor& t, const Scalar& value);
inline const Tensor& zeros_(const Tensor& t) { return constant_(t, 0); }
inline const Tensor& ones_(const Tensor& t) { return constant_(t, 1); }

/// How many inputs one output of a weight (out, in, ..) sums over. Throws ValueError below two dimensions.
std::int64_t fan_in(const Tensor& weight);
/// Uniform with the deviation that keeps the size of activations through layers of slope `a` (He et al., 2015).
const Tensor& kaiming_uniform_(const Tensor& weight, double a = 0,
                               const std::optional<Generator>& generator = std::nullopt);

}  // namespace tenon::nn::init
