// Dimensions of a batch as dimensions of an event.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// Takes the last `reinterpreted_batch_ndims` dimensions of a batch of distributions for one event, of independent
/// parts: `Independent{Normal{mu, sigma}, 1}`. Errors: ValueError where the batch has fewer.
/// Source: torch.distributions.Independent of PyTorch 2.15.
template <distribution Base>
struct Independent {
  Base base_dist;
  std::int64_t reinterpreted_batch_ndims;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  static constexpr const char* name = "Independent";
  DimVector batch_shape() const {
    DimVector batch = base_dist.batch_shape();
    batch.resize(batch.size() - static_cast<std::size_t>(reinterpreted_batch_ndims));
    return batch;
  }
  DimVector event_shape() const {
    DimVector batch = base_dist.batch_shape();
    auto count = static_cast<std::size_t>(reinterpreted_batch_ndims);
    return detail::joined(IntArrayRef(batch).slice(batch.size() - count, count), base_dist.event_shape());
  }
  Constraint support() const { return constraints::independent(base_dist.support(), reinterpreted_batch_ndims); }
  Tensor mean() const { return base_dist.mean(); }
  Tensor mode() const { return base_dist.mode(); }
  Tensor variance() const { return base_dist.variance(); }
  Tensor stddev() const { return base_dist.stddev(); }
  Tensor entropy() const { return detail::sum_rightmost(base_dist.entropy(), reinterpreted_batch_ndims); }
  Tensor sample(IntArrayRef sample_shape = {}, const std::optional<Generator>& generator = std::nullopt) const {
    return base_dist.sample(sample_shape, generator);
  }
  Tensor rsample(IntArrayRef sample_shape = {},
                 const std::optional<Generator>& generator = std::nullopt) const requires reparameterized<Base> {
    return base_dist.rsample(sample_shape, generator);
  }
  Tensor log_prob(const Tensor& value) const {
    return detail::sum_rightmost(base_dist.log_prob(value), reinterpreted_batch_ndims);
  }
  Independent expand(IntArrayRef batch) const {
    Independent d = *this;
    DimVector event = event_shape();
    IntArrayRef parts = IntArrayRef(event).slice(0, static_cast<std::size_t>(reinterpreted_batch_ndims));
    d.base_dist = base_dist.expand(detail::joined(batch, parts));
    return d;
  }

 private:
  detail::Ready make() {
    auto dims = static_cast<std::int64_t>(base_dist.batch_shape().size());
    TENON_CHECK(reinterpreted_batch_ndims >= 0 && reinterpreted_batch_ndims <= dims, ValueError, name,
                ": expected 'reinterpreted_batch_ndims' of at most ", dims, ", got ", reinterpreted_batch_ndims);
    return {name, {}, false};
  }
};
template <class Base>
Independent(Base, std::int64_t) -> Independent<Base>;
template <class Base>
Independent(Base, std::int64_t, bool) -> Independent<Base>;

}  // namespace tenon::distributions
