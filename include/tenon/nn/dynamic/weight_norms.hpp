// Layers whose weight is made anew at each call: torch.nn.utils.weight_norm and spectral_norm.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <tenon/nn/calling.hpp>
#include <tenon/nn/container.hpp>
#include <tenon/nn/module.hpp>
#include <tenon/nn/print.hpp>

namespace tenon::nn {

namespace detail {
/// The norm of every slice of `v` along `dim`, or of all of it, with the dimensions kept.
Tensor norm_except(const Tensor& v, const std::optional<std::int64_t>& dim);
/// v scaled to the norms g.
Tensor scaled_to(const Tensor& v, const Tensor& g, const std::optional<std::int64_t>& dim);
/// Vectors at random, of the rows and of the columns of the weight as a matrix.
std::pair<Tensor, Tensor> start_vectors(const Tensor& weight, std::int64_t dim, double eps);
/// The weight over its largest singular value; `iterations` steps bring u and v closer to its vectors first.
Tensor over_largest(const Tensor& weight, const Tensor& u, const Tensor& v, std::int64_t dim, std::int64_t iterations,
                    double eps);
Parameter leaf_of(const Tensor& t);

/// A layer whose `weight` stands elsewhere; `Self` makes it and names what it is made from.
template <class Self, class M>
class MadeWeight {
 public:
  explicit MadeWeight(M layer) : layer_(std::move(layer)) {}
  template <class... X>
  auto operator()(const X&... x) const {
    Calling call(&self());
    M now = layer_;
    now.weight = self().weight();
    return call(run(now, x...));
  }
  /// The layer with the weight as a parameter of its own again.
  M removed() const {
    M now = layer_;
    now.weight = leaf_of(self().weight());
    return now;
  }
  Described tenon_describe() const { return describe(layer_); }
  template <class Whole, class F>
  static void tenon_walk(Whole& whole, const std::string& path, F& visit) {
    visit(path, whole);
    descend(whole.layer_, path, visit);
    for_each_field(whole, [&](const std::string& name, auto& field) { descend(field, join(path, name), visit); });
    if constexpr (hears_of_ends<Whole, F>) visit.leave(path, whole);
  }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }

 protected:
  M layer_;
};

}  // namespace detail

/// A layer whose weight is a direction `weight_v` and its length `weight_g`, one for each index of `dim`, or one alone
/// without it (Salimans and Kingma, 2016). State names are those of torch.nn.utils.weight_norm.
template <class M>
class WeightNorm : public detail::MadeWeight<WeightNorm<M>, M> {
 public:
  explicit WeightNorm(M layer, std::optional<std::int64_t> dim = 0)
      : detail::MadeWeight<WeightNorm, M>(std::move(layer)), dim_(dim) {
    weight_v = this->layer_.weight;
    weight_g = detail::leaf_of(detail::norm_except(weight_v, dim_));
    this->layer_.weight = Tensor();
  }
  Parameter weight_g, weight_v;
  Tensor weight() const { return detail::scaled_to(weight_v, weight_g, dim_); }
  TENON_FIELDS(weight_g, weight_v)

 private:
  std::optional<std::int64_t> dim_;
};

struct SpectralNormOptions {
  std::int64_t n_power_iterations = 1;
  double eps = 1e-12;
  std::optional<std::int64_t> dim = std::nullopt;  ///< of the outputs: 1 for transposed convolutions, else 0
};
/// A layer whose weight is divided by its largest singular value, which each call in training comes closer to (Miyato
/// et al., 2018). State names are those of torch.nn.utils.spectral_norm. Errors: ValueError without an iteration.
template <class M>
class SpectralNorm : public detail::MadeWeight<SpectralNorm<M>, M> {
 public:
  explicit SpectralNorm(M layer, SpectralNormOptions o = {})
      : detail::MadeWeight<SpectralNorm, M>(std::move(layer)), options_(o) {
    TENON_CHECK(o.n_power_iterations > 0, ValueError,
                "Expected n_power_iterations to be positive, but got n_power_iterations=", o.n_power_iterations);
    weight_orig = this->layer_.weight;
    auto [u, v] = detail::start_vectors(weight_orig, dim(), o.eps);
    weight_u = u;
    weight_v = v;
    this->layer_.weight = Tensor();
  }
  Parameter weight_orig;
  Buffer weight_u, weight_v;
  bool training = true;
  Tensor weight() const {
    return detail::over_largest(weight_orig, weight_u, weight_v, dim(), training ? options_.n_power_iterations : 0,
                                options_.eps);
  }
  TENON_FIELDS(weight_orig, weight_u, weight_v)

 private:
  std::int64_t dim() const {
    constexpr bool transposed = requires(const M& m) { m.output_padding; };
    return options_.dim.value_or(transposed ? 1 : 0);
  }
  SpectralNormOptions options_;
};

namespace utils {

template <class M>
WeightNorm<M> weight_norm(M layer, std::optional<std::int64_t> dim = 0) {
  return WeightNorm<M>(std::move(layer), dim);
}
template <class M>
M remove_weight_norm(const WeightNorm<M>& layer) {
  return layer.removed();
}
template <class M>
SpectralNorm<M> spectral_norm(M layer, SpectralNormOptions o = {}) {
  return SpectralNorm<M>(std::move(layer), o);
}
template <class M>
M remove_spectral_norm(const SpectralNorm<M>& layer) {
  return layer.removed();
}

}  // namespace utils
}  // namespace tenon::nn
