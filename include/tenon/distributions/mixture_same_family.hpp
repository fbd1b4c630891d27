// One of several distributions, by chance.
#pragma once
#include <tenon/distributions/categorical.hpp>
#include <tenon/ops/operators.hpp>

namespace tenon::distributions {

namespace detail {
void check_mixture(IntArrayRef mixture, std::int64_t classes, IntArrayRef components);
/// Takes from the last dimension of a batch, before those of an event, what `choice` says.
Tensor chosen(const Tensor& samples, const Tensor& choice, std::size_t event_dims);
/// A new dimension before those of an event.
Tensor padded(const Tensor& t, std::size_t event_dims);
/// Probabilities of classes beside moments of components: sum(probs * t) over the components.
Tensor weighted(const Tensor& probs, const Tensor& t, std::size_t event_dims);
Tensor mixed_log_prob(const Tensor& logits, const Tensor& each);
Tensor square_of_difference(const Tensor& a, const Tensor& b);
}  // namespace detail

/// Draws a class, then from that component: `MixtureSameFamily{Categorical{p}, Normal{mu, sigma}}`, whose components
/// lie along the last dimension of the batch. Moments, `cdf` and `log_prob` are sums over the components. Errors:
/// ValueError unless there are as many components as classes. Source: torch.distributions.MixtureSameFamily of
/// PyTorch 2.15.
template <distribution Component>
struct MixtureSameFamily {
  Categorical mixture_distribution;
  Component component_distribution;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  static constexpr const char* name = "MixtureSameFamily";
  DimVector batch_shape() const {
    DimVector batch = component_distribution.batch_shape();
    batch.resize(batch.size() - 1);
    return batch;
  }
  DimVector event_shape() const { return component_distribution.event_shape(); }
  Tensor mean() const {
    return detail::weighted(mixture_distribution.probs, component_distribution.mean(), event_shape().size());
  }
  Tensor variance() const {
    std::size_t dims = event_shape().size();
    const Tensor& probs = mixture_distribution.probs;
    Tensor within = component_distribution.variance();
    Tensor between = detail::square_of_difference(component_distribution.mean(), detail::padded(mean(), dims));
    return detail::weighted(probs, within, dims) + detail::weighted(probs, between, dims);
  }
  Tensor stddev() const { return detail::root(variance()); }
  Tensor sample(IntArrayRef sample_shape = {}, const std::optional<Generator>& generator = std::nullopt) const {
    // The classes first, as PyTorch draws them.
    Tensor choice = mixture_distribution.expand(batch_shape()).sample(sample_shape, generator);
    return detail::chosen(component_distribution.sample(sample_shape, generator), choice, event_shape().size());
  }
  Tensor log_prob(const Tensor& value) const {
    return detail::mixed_log_prob(mixture_distribution.logits,
                                  component_distribution.log_prob(detail::padded(value, event_shape().size())));
  }
  /// For components that draw numbers.
  Tensor cdf(const Tensor& value) const {
    return detail::weighted(mixture_distribution.probs, component_distribution.cdf(detail::padded(value, 0)), 0);
  }
  MixtureSameFamily expand(IntArrayRef batch) const {
    MixtureSameFamily d = *this;
    d.mixture_distribution = mixture_distribution.expand(batch);
    d.component_distribution =
        component_distribution.expand(detail::joined(batch, mixture_distribution.probs.size(-1)));
    return d;
  }

 private:
  detail::Ready make() {
    detail::check_mixture(mixture_distribution.batch_shape(), mixture_distribution.probs.size(-1),
                          component_distribution.batch_shape());
    return {name, {}, false};
  }
};
template <class Component>
MixtureSameFamily(Categorical, Component) -> MixtureSameFamily<Component>;
template <class Component>
MixtureSameFamily(Categorical, Component, bool) -> MixtureSameFamily<Component>;

}  // namespace tenon::distributions
