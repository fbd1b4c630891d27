// Filling parameters before training. Nothing here is recorded for gradients.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

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

/// Ones on the diagonal of a matrix.
const Tensor& eye_(const Tensor& t);
/// The weight of a convolution that keeps as many channels as it can, in each group.
const Tensor& dirac_(const Tensor& weight, std::int64_t groups = 1);

/// How many inputs one output of a weight (out, in, ..) sums over, and how many outputs an input is part of.
/// Errors: ValueError below two dimensions.
std::int64_t fan_in(const Tensor& weight);
std::int64_t fan_out(const Tensor& weight);
/// By how much a nonlinearity changes the size of activations: linear, sigmoid, tanh, relu, leaky_relu with slope
/// `param`, selu, conv1d, ... Errors: ValueError for another.
double calculate_gain(std::string_view nonlinearity, double param = 0.01);

/// Keeps the size of activations and of gradients through linear layers (Glorot and Bengio, 2010).
const Tensor& xavier_uniform_(const Tensor& weight, double gain = 1,
                              const std::optional<Generator>& generator = std::nullopt);
const Tensor& xavier_normal_(const Tensor& weight, double gain = 1,
                             const std::optional<Generator>& generator = std::nullopt);
/// The deviation that keeps the size of activations (`mode` fan_in) or of gradients (fan_out) through a nonlinearity,
/// by default leaky_relu of slope `a` (He et al., 2015).
const Tensor& kaiming_uniform_(const Tensor& weight, double a, std::string_view mode,
                               std::string_view nonlinearity = "leaky_relu",
                               const std::optional<Generator>& generator = std::nullopt);
const Tensor& kaiming_normal_(const Tensor& weight, double a = 0, std::string_view mode = "fan_in",
                              std::string_view nonlinearity = "leaky_relu",
                              const std::optional<Generator>& generator = std::nullopt);
const Tensor& kaiming_uniform_(const Tensor& weight, double a = 0,
                               const std::optional<Generator>& generator = std::nullopt);

/// Normal numbers, drawn again until they lie in [a, b].
const Tensor& trunc_normal_(const Tensor& t, double mean = 0, double std = 1, double a = -2, double b = 2,
                            const std::optional<Generator>& generator = std::nullopt);
/// Rows, or columns if there are fewer, at right angles to one another and of length `gain` (Saxe et al., 2014).
const Tensor& orthogonal_(const Tensor& t, double gain = 1, const std::optional<Generator>& generator = std::nullopt);
/// Normal numbers, of each column a share of zeros; their places are drawn from the process's own generator, as
/// PyTorch's are.
const Tensor& sparse_(const Tensor& matrix, double sparsity, double std = 0.01,
                      const std::optional<Generator>& generator = std::nullopt);

}  // namespace tenon::nn::init
