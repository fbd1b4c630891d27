// Layers that bring their input to mean 0 and variance 1, and learn a scale and a shift.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tenon/base/scalar.hpp>
#include <tenon/nn/calling.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/nn/one_or_several.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/tensor/default_dtype.hpp>

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
                          bool bias, bool track_running_stats);
constexpr NormKind norm_kind(std::size_t rank, bool instance) {
  constexpr NormKind kinds[2][3] = {
      {{"BatchNorm1d", 2, 3, false}, {"BatchNorm2d", 4, 4, false}, {"BatchNorm3d", 5, 5, false}},
      {{"InstanceNorm1d", 2, 3, true}, {"InstanceNorm2d", 3, 4, true}, {"InstanceNorm3d", 4, 5, true}}};
  return kinds[instance][rank - 1];
}
}  // namespace detail

/// Over the positions of each channel, of the whole batch or of each example (`Instance`). With running statistics it
/// takes the batch's in training and keeps these, which it takes otherwise. `momentum` nullopt: the running ones are
/// the mean of all batches. Shapes: x (N, C, L..), for instances also (C, L..); weight, bias and the statistics (C).
template <std::size_t Rank, bool Instance>
struct ChannelNorm {
  Count num_features;
  double eps = 1e-5;
  std::optional<double> momentum = 0.1;
  bool affine = !Instance, track_running_stats = !Instance;
  ScalarType dtype = get_default_dtype();
  bool training = true;
  Parameter bias = true;
  Buffer running_mean = {}, running_var = {}, num_batches_tracked = {};
  Parameter weight = detail::start_norm({num_features, affine, track_running_stats, dtype}, bias, running_mean,
                                        running_var, num_batches_tracked);

  Tensor operator()(const Tensor& x) const {
    return Calling(this)(detail::normalize_batch({detail::norm_kind(Rank, Instance), eps, momentum, training}, x,
                                                 weight, bias, running_mean, running_var, num_batches_tracked));
  }
  std::string extra_repr() const {
    return detail::describe_norm(num_features, eps, momentum, affine, bias.defined(), track_running_stats);
  }
  static std::string tenon_name() { return detail::norm_kind(Rank, Instance).name; }
  TENON_FIELDS(weight, bias, running_mean, running_var, num_batches_tracked)
};
/// `BatchNorm2d{16}`
template <std::size_t Rank>
using BatchNorm = ChannelNorm<Rank, false>;
using BatchNorm1d = BatchNorm<1>;
using BatchNorm2d = BatchNorm<2>;
using BatchNorm3d = BatchNorm<3>;
/// `InstanceNorm2d{.num_features = 16, .affine = true}`
template <std::size_t Rank>
using InstanceNorm = ChannelNorm<Rank, true>;
using InstanceNorm1d = InstanceNorm<1>;
using InstanceNorm2d = InstanceNorm<2>;
using InstanceNorm3d = InstanceNorm<3>;

namespace detail {
Tensor start_scale(IntArrayRef sizes, bool scale, bool shift, ScalarType dtype, Parameter& bias);
}

/// Over the last dimensions, those of `normalized_shape`: `LayerNorm{64}`, `LayerNorm{.normalized_shape = {3, 64}}`.
struct LayerNorm {
  OneOrSeveral<std::int64_t> normalized_shape;
  double eps = 1e-5;
  bool elementwise_affine = true;
  Parameter bias = true;
  ScalarType dtype = get_default_dtype();
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
  OneOrSeveral<std::int64_t> normalized_shape;
  std::optional<double> eps = std::nullopt;
  bool elementwise_affine = true;
  ScalarType dtype = get_default_dtype();
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
  ScalarType dtype = get_default_dtype();
  Parameter bias = true;
  Parameter weight = start();

  Tensor operator()(const Tensor& x) const;
  std::string extra_repr() const {
    return Description()
        .value(num_groups)
        .value(num_channels)
        .add("eps", eps)
        .add("affine", affine)
        .add("bias", bias.defined())
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
  double alpha = 1e-4, beta = 0.75;
  Scalar k = 1;  // printed as it is given
  Tensor operator()(const Tensor& x) const;
  std::string extra_repr() const {
    Description d;
    d.value(size).add("alpha", alpha).add("beta", beta);
    return (k.is_integral() ? d.add("k", k.to<std::int64_t>()) : d.add("k", k.to<double>())).text;
  }
};

}  // namespace tenon::nn
