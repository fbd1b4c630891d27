// Probability distributions.
#include <tenon/distributions/bodies/constraint.hpp>
#include <tenon/distributions/bodies/distribution.hpp>

#include <tenon/distributions/bodies/bernoulli.hpp>
#include <tenon/distributions/bodies/categorical.hpp>
#include <tenon/distributions/bodies/exponential.hpp>
#include <tenon/distributions/bodies/gamma.hpp>
#include <tenon/distributions/bodies/normal.hpp>
#include <tenon/distributions/bodies/uniform.hpp>
#include <tenon/distributions/bodies/dirichlet.hpp>
#include <tenon/distributions/bodies/laplace.hpp>
#include <tenon/distributions/bodies/cauchy.hpp>
#include <tenon/distributions/bodies/gumbel.hpp>
#include <tenon/distributions/bodies/student_t.hpp>
#include <tenon/distributions/bodies/poisson.hpp>
#include <tenon/distributions/bodies/binomial.hpp>
#include <tenon/distributions/bodies/multinomial.hpp>
#include <tenon/distributions/bodies/multivariate_normal.hpp>
#include <tenon/distributions/bodies/von_mises.hpp>
#include <tenon/distributions/bodies/mixture_same_family.hpp>
#include <tenon/distributions/bodies/transforms.hpp>
#include <tenon/distributions/bodies/kl.hpp>
#include <tenon/distributions/bodies/relaxed.hpp>
