// Probability distributions, their transforms and divergences; not part of tenon.hpp.
#pragma once

#include <tenon/distributions/bernoulli.hpp>
#include <tenon/distributions/binomial.hpp>
#include <tenon/distributions/categorical.hpp>
#include <tenon/distributions/cauchy.hpp>
#include <tenon/distributions/constraint.hpp>
#include <tenon/distributions/dirichlet.hpp>
#include <tenon/distributions/distribution.hpp>
#include <tenon/distributions/exponential.hpp>
#include <tenon/distributions/gamma.hpp>
#include <tenon/distributions/gumbel.hpp>
#include <tenon/distributions/independent.hpp>
#include <tenon/distributions/kl.hpp>
#include <tenon/distributions/laplace.hpp>
#include <tenon/distributions/mixture_same_family.hpp>
#include <tenon/distributions/multinomial.hpp>
#include <tenon/distributions/multivariate_normal.hpp>
#include <tenon/distributions/normal.hpp>
#include <tenon/distributions/poisson.hpp>
#include <tenon/distributions/relaxed.hpp>
#include <tenon/distributions/student_t.hpp>
#include <tenon/distributions/transformed_distribution.hpp>
#include <tenon/distributions/transforms.hpp>
#include <tenon/distributions/uniform.hpp>
#include <tenon/distributions/von_mises.hpp>
