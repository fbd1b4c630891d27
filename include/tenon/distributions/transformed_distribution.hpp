// What a map makes of a distribution.
#pragma once
#include <tenon/distributions/transforms.hpp>

namespace tenon::distributions {

/// The distribution of t(x) for x of `base_dist`: `TransformedDistribution{Normal{0, 1}, ExpTransform{}}`; several maps
/// are one ComposeTransform. Parameters of a map widen the batch; a map of vectors makes one event of the last
/// dimension. `log_prob` is there for maps with an inverse, `cdf` and `icdf` for those of single numbers. Errors:
/// ValueError where the base has too few dimensions for the map. Source: torch.distributions.TransformedDistribution of
/// PyTorch 2.15.
template <distribution Base, mapping Map>
struct TransformedDistribution {
  Base base_dist;
  Map map;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  static constexpr const char* name = "TransformedDistribution";
  DimVector batch_shape() const {
    DimVector all = shape();
    all.resize(all.size() - event_dims());
    return all;
  }
  DimVector event_shape() const {
    DimVector all = shape();
    return IntArrayRef(all).slice(all.size() - event_dims(), event_dims());
  }
  Constraint support() const {
    return constraints::independent(map.codomain(), static_cast<std::int64_t>(event_dims()) - map.codomain_dim);
  }
  Tensor sample(IntArrayRef sample_shape = {}, const std::optional<Generator>& generator = std::nullopt) const {
    return detail::without_grad(map(base_dist.sample(sample_shape, generator)));
  }
  Tensor rsample(IntArrayRef sample_shape = {},
                 const std::optional<Generator>& generator = std::nullopt) const requires reparameterized<Base> {
    return map(base_dist.rsample(sample_shape, generator));
  }
  Tensor log_prob(const Tensor& value) const requires transform<Map> {
    if constexpr (requires { map.codomain(); }) detail::check_value(*this, "log_prob", value);
    Tensor x = map.inverse(value);
    auto dims = static_cast<std::int64_t>(event_dims()) + map.domain_dim - map.codomain_dim;
    auto own = static_cast<std::int64_t>(base_dist.event_shape().size());
    Tensor size = detail::sum_rightmost(map.log_abs_det_jacobian(x, value), dims - map.domain_dim);
    return detail::sum_of(detail::sum_rightmost(base_dist.log_prob(x), dims - own), detail::negative(size));
  }
  Tensor cdf(const Tensor& value) const { return map.falling(base_dist.cdf(map.inverse(value))); }
  Tensor icdf(const Tensor& probability) const { return map(base_dist.icdf(map.falling(probability))); }
  TransformedDistribution expand(IntArrayRef batch) const {
    TransformedDistribution d = *this;
    DimVector before = detail::inverse_shape(map, detail::joined(batch, event_shape()));
    before.resize(before.size() - base_dist.event_shape().size());
    d.base_dist = base_dist.expand(before);
    return d;
  }

 private:
  DimVector shape() const {
    return detail::forward_shape(map, detail::joined(base_dist.batch_shape(), base_dist.event_shape()));
  }
  std::size_t event_dims() const {
    auto moved = static_cast<std::int64_t>(base_dist.event_shape().size()) + map.codomain_dim - map.domain_dim;
    return static_cast<std::size_t>(moved < map.codomain_dim ? map.codomain_dim : moved);
  }
  detail::Ready make() {
    DimVector all = detail::joined(base_dist.batch_shape(), base_dist.event_shape());
    TENON_CHECK(static_cast<std::int64_t>(all.size()) >= map.domain_dim, ValueError, name,
                ": expected a base of at least ", map.domain_dim, " dimensions, got shape ", all);
    DimVector wide = detail::inverse_shape(map, detail::forward_shape(map, all));
    if (IntArrayRef(wide) != IntArrayRef(all)) {
      wide.resize(wide.size() - base_dist.event_shape().size());
      base_dist = base_dist.expand(wide);
    }
    return {name, {}, false};
  }
};
template <class Base, class Map>
TransformedDistribution(Base, Map) -> TransformedDistribution<Base, Map>;
template <class Base, class Map>
TransformedDistribution(Base, Map, bool) -> TransformedDistribution<Base, Map>;

}  // namespace tenon::distributions
