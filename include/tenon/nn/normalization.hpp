// Layers that bring their input to mean 0 and variance 1, and learn a scale and a shift.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include <tenon/nn/fields.hpp>
#include <tenon/nn/parameter.hpp>

namespace tenon::nn {

namespace detail {
/// The rank of an input that a layer takes: with a batch, and without.
struct NormKind {
  const char* name;
  std::int64_t least_rank, most_rank;
  bool instance;
};
/// Ones, or nothing where a layer learns nothing; its other tensors are made after it.
struct NormStart {
  std::int64_t features;
  bool affine, track_running_stats;
  ScalarType dtype;
};
Tensor start_norm(const NormStart& s, Parameter& bias, Buffer& mean, Buffer& var, Buffer& count);
struct NormCall {
  NormKind kind;
  double eps;
  std::optional<double> momentum;
  bool training;
};
Tensor normalize_batch(const NormCall& c, const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& mean,
                       const Tensor& var, const Tensor& count);
std::string describe_norm(std::int64_t features, double eps, const std::optional<double>& momentum, bool affine,
                          bool track_running_stats);
constexpr NormKind batch_norm_kind(std::size_t n) {
  constexpr NormKind kinds[] = {
      {"BatchNorm1d", 2, 3, false}, {"BatchNorm2d", 4, 4, false}, {"BatchNorm3d", 5, 5, false}};
  return kinds[n - 1];
}
constexpr NormKind instance_norm_kind(std::size_t n) {
  constexpr NormKind kinds[] = {
      {"InstanceNorm1d", 2, 3, true}, {"InstanceNorm2d", 3, 4, true}, {"InstanceNorm3d", 4, 5, true}};
  return kinds[n - 1];
}
}  // namespace detail

/// Over the batch and all positions of each channel. In training it takes the batch's statistics and keeps running
/// ones, which it takes otherwise: `BatchNorm2d{16}`. `momentum` nullopt: the running ones are the mean of all batches.
/// Shapes: x (N, C, L..); weight, bias and the running statistics (C).
template <std::size_t Rank>
struct BatchNorm {
  Count num_features;
  double eps = 1e-5;
  std::optional<double> momentum = 0.1;
  bool affine = true, track_running_stats = true;
  ScalarType dtype = kFloat;
  bool training = true;
  Parameter bias = {};
  Buffer running_mean = {}, running_var = {}, num_batches_tracked = {};
  Parameter weight = detail::start_norm({num_features, affine, track_running_stats, dtype}, bias, running_mean,
                                        running_var, num_batches_tracked);

  Tensor operator()(const Tensor& x) const {
    return detail::normalize_batch({detail::batch_norm_kind(Rank), eps, momentum, training}, x, weight, bias,
                                   running_mean, running_var, num_batches_tracked);
  }
  std::string extra_repr() const {
    return detail::describe_norm(num_features, eps, momentum, affine, track_running_stats);
  }
  TENON_FIELDS(weight, bias, running_mean, running_var, num_batches_tracked)
};
using BatchNorm1d = BatchNorm<1>;
using BatchNorm2d = BatchNorm<2>;
using BatchNorm3d = BatchNorm<3>;

/// Over the positions of each channel of each example. Shapes: x (N, C, L..) or (C, L..).
template <std::size_t Rank>
struct InstanceNorm {
  Count num_features;
  double eps = 1e-5;
  std::optional<double> momentum = 0.1;
  bool affine = false, track_running_stats = false;
  ScalarType dtype = kFloat;
  bool training = true;
  Parameter bias = {};
  Buffer running_mean = {}, running_var = {}, num_batches_tracked = {};
  Parameter weight = detail::start_norm({num_features, affine, track_running_stats, dtype}, bias, running_mean,
                                        running_var, num_batches_tracked);

  Tensor operator()(const Tensor& x) const {
    return detail::normalize_batch({detail::instance_norm_kind(Rank), eps, momentum, training}, x, weight, bias,
                                   running_mean, running_var, num_batches_tracked);
  }
  std::string extra_repr() const {
    return detail::describe_norm(num_features, eps, momentum, affine, track_running_stats);
  }
  TENON_FIELDS(weight, bias, running_mean, running_var, num_batches_tracked)
};
using InstanceNorm1d = InstanceNorm<1>;
using InstanceNorm2d = InstanceNorm<2>;
using InstanceNorm3d = InstanceNorm<3>;

namespace detail {
Tensor start_scale(IntArrayRef sizes, bool scale, bool shift, ScalarType dtype, Parameter& bias);
}

/// Over the last dimensions, those of `normalized_shape`: `LayerNorm{.normalized_shape = {64}}`.
struct LayerNorm {
  std::vector<std::int64_t> normalized_shape;
  double eps = 1e-5;
  bool elementwise_affine = true;
  Parameter bias = true;
  ScalarType dtype = kFloat;
  Parameter weight =
      detail::start_scale(normalized_shape, elementwise_affine, elementwise_affine&& bias.wanted(), dtype, bias);

  Tensor operator()(const Tensor& x) const;
  std::string extra_repr() const {
    return Description()
        .value(Description::tuple(normalized_shape))
        .add("eps", eps)
        .add("elementwise_affine", elementwise_affine)
        .add("bias", bias.defined())
        .text;
  }
  TENON_FIELDS(weight, bias)
};

/// x over the root of its mean square over the last dimensions. Without `eps` it is the dtype's epsilon.
struct RMSNorm {
  std::vector<std::int64_t> normalized_shape;
  std::optional<double> eps = std::nullopt;
  bool elementwise_affine = true;
  ScalarType dtype = kFloat;
  Parameter none = false;
  Parameter weight = detail::start_scale(normalized_shape, elementwise_affine, false, dtype, none);

  Tensor operator()(const Tensor& x) const;
  std::string extra_repr() const {
    Description d;
    d.value(Description::tuple(normalized_shape));
    if (eps)
      d.add("eps", *eps);
    else
      d.add("eps", "None");
    return d.add("elementwise_affine", elementwise_affine).text;
  }
  TENON_FIELDS(weight)
};

/// Over groups of channels of each example. Shapes: x (N, C, ..). Errors: ValueError unless groups divide the channels.
struct GroupNorm {
  Count num_groups, num_channels;
  double eps = 1e-5;
  bool affine = true;
  ScalarType dtype = kFloat;
  Parameter bias = true;
  Parameter weight = start();

  Tensor operator()(const Tensor& x) const;
  std::string extra_repr() const {
    return Description()
        .value(num_groups)
        .value(num_channels)
        .add("eps", eps)
        .add("affine", affine)
        .add("bias", affine)
        .text;
  }
  Tensor start();
  TENON_FIELDS(weight, bias)
};

/// Divides by a power of the squares of `size` neighbouring channels. Shapes: x (N, C, ..).
struct LocalResponseNorm {
  Count size;
  double alpha = 1e-4, beta = 0.75, k = 1;
  Tensor operator()(const Tensor& x) const;
  std::string extra_repr() const {
    return Description().value(size).add("alpha", alpha).add("beta", beta).add("k", k).text;
  }
};
/// The same for images, (N, C, H, W).
struct CrossMapLRN2d {
  Count size;
  double alpha = 1e-4, beta = 0.75, k = 1;
  Tensor operator()(const Tensor& x) const;
  std::string extra_repr() const {
    return Description().value(size).add("alpha", alpha).add("beta", beta).add("k", k).text;
  }
};

}  // namespace tenon::nn
