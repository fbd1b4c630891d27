// Weights of a length and a direction, of a bounded largest singular value, and orthogonal ones.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <tenon/nn/dynamic/parametrize.hpp>

namespace tenon::nn {

namespace parametrizations {

/// v scaled to the norms g along `dim`, or without one to a single norm (Salimans and Kingma, 2016).
struct WeightNorm {
  std::optional<std::int64_t> dim = 0;
  Tensor operator()(const Tensor& g, const Tensor& v) const;
  std::pair<Tensor, Tensor> right_inverse(const Tensor& weight) const;
  static std::string tenon_name() { return "_WeightNorm"; }
  TENON_FIELDS()
};

/// The weight over its largest singular value, which each call in training comes closer to (Miyato et al., 2018).
struct SpectralNorm {
  std::int64_t n_power_iterations = 1;
  double eps = 1e-12;
  std::int64_t dim = 0;
  bool training = true;
  Buffer u = {}, v = {};
  Tensor operator()(const Tensor& weight) const;
  /// Draws the vectors and brings them close.
  void start(const Tensor& weight);
  static std::string tenon_name() { return "_SpectralNorm"; }
  TENON_FIELDS_AS("_u, _v", u, v)
};

enum class OrthogonalMap : std::uint8_t { MatrixExp, Cayley, Householder };
/// A matrix with orthonormal columns, or rows if there are fewer, or a batch of them.
struct Orthogonal {
  OrthogonalMap map;
  bool use_trivialization = true;
  Buffer base = {};
  Tensor operator()(const Tensor& x) const;
  Tensor right_inverse(const Tensor& weight);
  static std::string tenon_name() { return "_Orthogonal"; }
  TENON_FIELDS(base)
};
/// Errors: ValueError for another word, below two dimensions, and for "householder" of a complex weight.
Orthogonal orthogonal_of(const Tensor& weight, const std::optional<std::string>& map, bool use_trivialization);

}  // namespace parametrizations

namespace utils::parametrizations {

namespace of = nn::parametrizations;

/// `auto layer = weight_norm(nn::Linear{3, 2});`: state names are those of torch.nn.utils.parametrizations.
template <class M>
Parametrized<M, of::WeightNorm> weight_norm(M layer, std::string name = "weight", std::optional<std::int64_t> dim = 0) {
  return {std::move(layer), std::move(name), of::WeightNorm{dim}};
}
struct SpectralNormOptions {
  std::int64_t n_power_iterations = 1;
  double eps = 1e-12;
  std::optional<std::int64_t> dim = std::nullopt;  ///< of the outputs: 1 for transposed convolutions, else 0
};
template <class M>
Parametrized<M, of::SpectralNorm> spectral_norm(M layer, std::string name = "weight", SpectralNormOptions o = {}) {
  constexpr bool transposed = requires(const M& m) { m.output_padding; };
  of::SpectralNorm norm{o.n_power_iterations, o.eps, o.dim.value_or(transposed ? 1 : 0)};
  norm.start(nn::detail::tensor_called(layer, name));
  return {std::move(layer), std::move(name), std::move(norm)};
}
/// `map` "matrix_exp", "cayley" or "householder"; by default the first for square and complex weights, else the last.
template <class M>
Parametrized<M, of::Orthogonal> orthogonal(M layer, std::string name = "weight",
                                           const std::optional<std::string>& map = std::nullopt,
                                           bool use_trivialization = true) {
  of::Orthogonal made = of::orthogonal_of(nn::detail::tensor_called(layer, name), map, use_trivialization);
  return {std::move(layer), std::move(name), std::move(made)};
}

}  // namespace utils::parametrizations
}  // namespace tenon::nn
