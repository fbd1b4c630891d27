// How much one distribution differs from another.
#pragma once
#include <tenon/distributions/bernoulli.hpp>
#include <tenon/distributions/binomial.hpp>
#include <tenon/distributions/categorical.hpp>
#include <tenon/distributions/cauchy.hpp>
#include <tenon/distributions/continuous_bernoulli.hpp>
#include <tenon/distributions/dirichlet.hpp>
#include <tenon/distributions/exponential.hpp>
#include <tenon/distributions/gamma.hpp>
#include <tenon/distributions/gumbel.hpp>
#include <tenon/distributions/independent.hpp>
#include <tenon/distributions/laplace.hpp>
#include <tenon/distributions/logistic_normal.hpp>
#include <tenon/distributions/lowrank_multivariate_normal.hpp>
#include <tenon/distributions/multivariate_normal.hpp>
#include <tenon/distributions/normal.hpp>
#include <tenon/distributions/poisson.hpp>
#include <tenon/distributions/transformed_distribution.hpp>
#include <tenon/distributions/uniform.hpp>
#include <tenon/distributions/wishart.hpp>

namespace tenon::distributions {

/// The expectation under `p` of log p(x) - log q(x): 0 for equals, infinite where `p` draws what `q` never does. There
/// is one for each pair that is listed here; another pair does not compile. Shapes: the batches broadcast. Errors:
/// ValueError for vectors or matrices of different sizes; NotImplementedError for binomial numbers where `q` counts to
/// more than `p`. Source: torch.distributions.kl_divergence of PyTorch 2.15, which has these pairs.
#define TENON_INTERNAL_KL(P, Q) Tensor kl_divergence(const P& p, const Q& q);
TENON_INTERNAL_KL(Normal, Normal)
TENON_INTERNAL_KL(Uniform, Uniform)
TENON_INTERNAL_KL(Bernoulli, Bernoulli)
TENON_INTERNAL_KL(Categorical, Categorical)
TENON_INTERNAL_KL(OneHotCategorical, OneHotCategorical)
TENON_INTERNAL_KL(Exponential, Exponential)
TENON_INTERNAL_KL(Beta, Beta)
TENON_INTERNAL_KL(Gamma, Gamma)
TENON_INTERNAL_KL(Chi2, Chi2)
TENON_INTERNAL_KL(Dirichlet, Dirichlet)
TENON_INTERNAL_KL(Laplace, Laplace)
TENON_INTERNAL_KL(Poisson, Poisson)
TENON_INTERNAL_KL(Binomial, Binomial)
TENON_INTERNAL_KL(Geometric, Geometric)
TENON_INTERNAL_KL(LogNormal, LogNormal)
TENON_INTERNAL_KL(HalfNormal, HalfNormal)
TENON_INTERNAL_KL(Cauchy, Cauchy)
TENON_INTERNAL_KL(Gumbel, Gumbel)
TENON_INTERNAL_KL(Pareto, Pareto)
TENON_INTERNAL_KL(MultivariateNormal, MultivariateNormal)
TENON_INTERNAL_KL(LowRankMultivariateNormal, LowRankMultivariateNormal)
TENON_INTERNAL_KL(LowRankMultivariateNormal, MultivariateNormal)
TENON_INTERNAL_KL(MultivariateNormal, LowRankMultivariateNormal)
TENON_INTERNAL_KL(Wishart, Wishart)
TENON_INTERNAL_KL(ContinuousBernoulli, ContinuousBernoulli)
TENON_INTERNAL_KL(InverseGamma, InverseGamma)
TENON_INTERNAL_KL(HalfCauchy, HalfCauchy)
TENON_INTERNAL_KL(LogisticNormal, LogisticNormal)
TENON_INTERNAL_KL(Bernoulli, Poisson)
TENON_INTERNAL_KL(Beta, ContinuousBernoulli)
TENON_INTERNAL_KL(Beta, Exponential)
TENON_INTERNAL_KL(Beta, Gamma)
TENON_INTERNAL_KL(Beta, Normal)
TENON_INTERNAL_KL(Beta, Uniform)
TENON_INTERNAL_KL(ContinuousBernoulli, Exponential)
TENON_INTERNAL_KL(ContinuousBernoulli, Normal)
TENON_INTERNAL_KL(ContinuousBernoulli, Uniform)
TENON_INTERNAL_KL(Exponential, Gamma)
TENON_INTERNAL_KL(Exponential, Gumbel)
TENON_INTERNAL_KL(Exponential, Normal)
TENON_INTERNAL_KL(Gamma, Exponential)
TENON_INTERNAL_KL(Gamma, Gumbel)
TENON_INTERNAL_KL(Gamma, Normal)
TENON_INTERNAL_KL(Gumbel, Normal)
TENON_INTERNAL_KL(Laplace, Normal)
TENON_INTERNAL_KL(Normal, Gumbel)
TENON_INTERNAL_KL(Normal, Laplace)
TENON_INTERNAL_KL(Pareto, Exponential)
TENON_INTERNAL_KL(Pareto, Gamma)
TENON_INTERNAL_KL(Pareto, Normal)
TENON_INTERNAL_KL(Uniform, Beta)
TENON_INTERNAL_KL(Uniform, ContinuousBernoulli)
TENON_INTERNAL_KL(Uniform, Exponential)
TENON_INTERNAL_KL(Uniform, Gamma)
TENON_INTERNAL_KL(Uniform, Gumbel)
TENON_INTERNAL_KL(Uniform, Normal)
TENON_INTERNAL_KL(Uniform, Pareto)
// Infinite, as one draws what the other never does.
TENON_INTERNAL_KL(Beta, Pareto)
TENON_INTERNAL_KL(ContinuousBernoulli, Pareto)
TENON_INTERNAL_KL(Exponential, Beta)
TENON_INTERNAL_KL(Exponential, ContinuousBernoulli)
TENON_INTERNAL_KL(Exponential, Pareto)
TENON_INTERNAL_KL(Exponential, Uniform)
TENON_INTERNAL_KL(Gamma, Beta)
TENON_INTERNAL_KL(Gamma, ContinuousBernoulli)
TENON_INTERNAL_KL(Gamma, Pareto)
TENON_INTERNAL_KL(Gamma, Uniform)
TENON_INTERNAL_KL(Gumbel, Beta)
TENON_INTERNAL_KL(Gumbel, ContinuousBernoulli)
TENON_INTERNAL_KL(Gumbel, Exponential)
TENON_INTERNAL_KL(Gumbel, Gamma)
TENON_INTERNAL_KL(Gumbel, Pareto)
TENON_INTERNAL_KL(Gumbel, Uniform)
TENON_INTERNAL_KL(Laplace, Beta)
TENON_INTERNAL_KL(Laplace, ContinuousBernoulli)
TENON_INTERNAL_KL(Laplace, Exponential)
TENON_INTERNAL_KL(Laplace, Gamma)
TENON_INTERNAL_KL(Laplace, Pareto)
TENON_INTERNAL_KL(Laplace, Uniform)
TENON_INTERNAL_KL(Normal, Beta)
TENON_INTERNAL_KL(Normal, ContinuousBernoulli)
TENON_INTERNAL_KL(Normal, Exponential)
TENON_INTERNAL_KL(Normal, Gamma)
TENON_INTERNAL_KL(Normal, Pareto)
TENON_INTERNAL_KL(Normal, Uniform)
TENON_INTERNAL_KL(Pareto, Beta)
TENON_INTERNAL_KL(Pareto, ContinuousBernoulli)
TENON_INTERNAL_KL(Pareto, Uniform)
TENON_INTERNAL_KL(Poisson, Bernoulli)
TENON_INTERNAL_KL(Poisson, Binomial)
#undef TENON_INTERNAL_KL

/// The sum over the parts. Errors: ValueError for a different number of dimensions.
template <class P, class Q>
Tensor kl_divergence(const Independent<P>& p, const Independent<Q>& q) {
  TENON_CHECK(p.reinterpreted_batch_ndims == q.reinterpreted_batch_ndims, ValueError,
              "kl_divergence(): expected two Independent of as many dimensions, got ", p.reinterpreted_batch_ndims,
              " and ", q.reinterpreted_batch_ndims);
  return detail::sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims);
}

/// That of what is mapped, for two distributions under one map. Errors: NotImplementedError for maps of other
/// parameters and for events of other shapes.
template <class P, class Q, class Map>
Tensor kl_divergence(const TransformedDistribution<P, Map>& p, const TransformedDistribution<Q, Map>& q) {
  TENON_CHECK(detail::same_map(p.map, q.map), NotImplementedError,
              "kl_divergence(): expected two TransformedDistribution of the same map");
  DimVector event = p.event_shape();
  TENON_CHECK(IntArrayRef(event) == IntArrayRef(q.event_shape()), NotImplementedError,
              "kl_divergence(): expected two TransformedDistribution of events of one shape, got ", event, " and ",
              q.event_shape());
  auto dims = static_cast<std::int64_t>(event.size()) + p.map.domain_dim - p.map.codomain_dim;
  auto own = static_cast<std::int64_t>(p.base_dist.event_shape().size());
  return detail::sum_rightmost(kl_divergence(p.base_dist, q.base_dist), dims - own);
}

}  // namespace tenon::distributions
