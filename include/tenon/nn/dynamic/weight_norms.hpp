// Layers whose weight is made anew at each call: torch.nn.utils.weight_norm and spectral_norm.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/nn/calling.hpp>
#include <tenon/nn/container.hpp>
#include <tenon/nn/dynamic/named_field.hpp>
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

/// A layer whose tensor `name` stands elsewhere; `Self` makes it, of fields whose names begin with `weight`.
template <class Self, class M>
class MadeWeight {
 public:
  MadeWeight(M layer, std::string name) : layer_(std::move(layer)), name_(std::move(name)) {}
  template <class... X>
  auto operator()(const X&... x) const {
    Calling call(&self());
    M now = layer_;
    tensor_called(now, name_) = self().weight();
    return call(run(now, x...));
  }
  /// The layer with the weight as a parameter of its own again.
  M removed() const {
    M now = layer_;
    tensor_called(now, name_) = leaf_of(self().weight());
    return now;
  }
  Described tenon_describe() const {
    M now = layer_;
    tensor_called(now, name_) = self().weight_v;  // a layer without its bias would say so
    return describe(now);
  }
  template <class Whole, class F>
  static void tenon_walk(Whole& whole, const std::string& path, F& visit) {
    visit(path, whole);
    descend(whole.layer_, path, visit);
    for_each_field(whole, [&](const std::string& name, auto& field) {
      descend(field, join(path, whole.name_ + name.substr(std::string_view("weight").size())), visit);
    });
    if constexpr (hears_of_ends<Whole, F>) visit.leave(path, whole);
  }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }

 protected:
  /// Takes the tensor out of the layer. Errors: ValueError without one of that name.
  Tensor taken() {
    Tensor t = tensor_called(std::as_const(layer_), name_);
    tensor_called(layer_, name_) = Tensor();
    return t;
  }
  M layer_;
  std::string name_;
};

}  // namespace detail

/// A layer whose weight is a direction `weight_v` and its length `weight_g`, one for each index of `dim`, or one alone
/// without it (Salimans and Kingma, 2016); of another tensor they are called `NAME_v` and `NAME_g` in the state, as in
/// torch.nn.utils.weight_norm.
template <class M>
class WeightNorm : public detail::MadeWeight<WeightNorm<M>, M> {
 public:
  explicit WeightNorm(M layer, std::optional<std::int64_t> dim = 0, std::string name = "weight")
      : detail::MadeWeight<WeightNorm, M>(std::move(layer), std::move(name)), dim_(dim) {
    weight_v = this->taken();
    weight_g = detail::leaf_of(detail::norm_except(weight_v, dim_));
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
  explicit SpectralNorm(M layer, SpectralNormOptions o = {}, std::string name = "weight")
      : detail::MadeWeight<SpectralNorm, M>(std::move(layer), std::move(name)), options_(o) {
    TENON_CHECK(o.n_power_iterations > 0, ValueError,
                "Expected n_power_iterations to be positive, but got n_power_iterations=", o.n_power_iterations);
    weight_orig = this->taken();
    auto [u, v] = detail::start_vectors(weight_orig, dim(), o.eps);
    weight_u = u;
    weight_v = v;
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
/// Of another tensor: `weight_norm(nn::LSTM{64, 128}, "weight_hh_l0")`. Errors: ValueError without one of that name.
// A template of the name, lest a dimension 0 be a null pointer to one.
template <class M, class Name>
  requires(std::is_convertible_v<Name, std::string>)
WeightNorm<M> weight_norm(M layer, Name name, std::optional<std::int64_t> dim = 0) {
  return WeightNorm<M>(std::move(layer), dim, std::string(std::move(name)));
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
SpectralNorm<M> spectral_norm(M layer, std::string name, SpectralNormOptions o = {}) {
  return SpectralNorm<M>(std::move(layer), o, std::move(name));
}
template <class M>
M remove_spectral_norm(const SpectralNorm<M>& layer) {
  return layer.removed();
}

}  // namespace utils
}  // namespace tenon::nn
