// Layers that drop elements or channels at random in training and do nothing otherwise.
#pragma once
#include <tenon/nn/calling.hpp>
#include <tenon/nn/parameter.hpp>

namespace tenon::nn {

namespace detail {
enum class DropoutKind : std::uint8_t { Elements, Features, Alpha, FeatureAlpha };
Tensor drop(DropoutKind kind, std::size_t rank, const Tensor& x, double p, bool training, bool inplace);
/// Throws ValueError unless p is a probability.
double checked_probability(double p);
std::string describe_dropout(double p, bool inplace);

/// `p`: the probability with which an element (a channel) becomes 0; what stays is scaled so that the mean does.
template <DropoutKind Kind, std::size_t Rank>
struct DropoutLayer {
  double p = 0.5;
  bool inplace = false;
  bool training = true;
  double checked = checked_probability(p);

  Tensor operator()(const Tensor& x) const { return Calling(this)(drop(Kind, Rank, x, p, training, inplace)); }
  std::string extra_repr() const { return describe_dropout(p, inplace); }
  static std::string tenon_name() {
    if constexpr (Kind == DropoutKind::Alpha || Kind == DropoutKind::FeatureAlpha)
      return Kind == DropoutKind::Alpha ? "AlphaDropout" : "FeatureAlphaDropout";
    else
      return Rank == 0 ? "Dropout" : "Dropout" + std::to_string(Rank) + "d";
  }
};
}  // namespace detail

using Dropout = detail::DropoutLayer<detail::DropoutKind::Elements, 0>;
/// Whole channels of (N, C, L..); 1d and 3d also of (C, L..) without a batch.
using Dropout1d = detail::DropoutLayer<detail::DropoutKind::Features, 1>;
using Dropout2d = detail::DropoutLayer<detail::DropoutKind::Features, 2>;
using Dropout3d = detail::DropoutLayer<detail::DropoutKind::Features, 3>;
/// Keeps mean and variance of what SELU gives.
using AlphaDropout = detail::DropoutLayer<detail::DropoutKind::Alpha, 0>;
using FeatureAlphaDropout = detail::DropoutLayer<detail::DropoutKind::FeatureAlpha, 0>;

}  // namespace tenon::nn
