// What the arguments of distributions must be.
#pragma once
#include <cmath>
#include <cstdint>

#include <tenon/base/error.hpp>
#include <tenon/structured/symbolic.hpp>
#include <tenon/tensor/symbolic.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::composite {

inline void check_exponential(double rate) {
  TENON_CHECK(rate > 0, ValueError, "exponential_ expects lambda > 0.0, but found lambda=", rate);
}
inline void check_cauchy(const Tensor& self, double sigma) {
  TENON_CHECK(sigma > 0, ValueError, "cauchy_ expects sigma > 0.0, but found sigma=", sigma);
  TENON_CHECK(self.is_floating_point(), TypeError,
              "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you "
              "specified ",
              enumerator_name(self.dtype()));
}
inline void check_log_normal(double std) {
  TENON_CHECK(std > 0, ValueError, "log_normal_ expects std > 0.0, but found std=", std);
}
inline void check_geometric(double p) {
  TENON_CHECK(p > 0 && p < 1, ValueError, "geometric_ expects p to be in (0, 1), but got p=", p);
}
inline void check_bernoulli(double p) {
  TENON_CHECK(p >= 0 && p <= 1, ValueError, "bernoulli_ expects p to be in [0, 1], but got p=", p);
}
/// Nothing is asked of the probabilities of no elements.
inline void check_bernoulli_each(const Tensor& self, const Tensor& p) {
  if (known_equal(self.sym_numel(), SymInt(0))) return;
  TENON_CHECK(p.is_floating_point(), TypeError, "expected probabilities tensor to have floating type, got ",
              enumerator_name(p.dtype()));
  TENON_CHECK(broadcast_shapes(SymDimVector(self.sym_sizes()), p.sym_sizes()) == self.sym_sizes(), ValueError,
              "The size of the probabilities ", p.sym_sizes(), " does not fit a tensor of size ", self.sym_sizes());
}
inline void check_standard_gamma_grad(const Tensor& self, const Tensor& output) {
  TENON_CHECK(self.dtype() == output.dtype() && self.sizes() == output.sizes(), ValueError,
              "_standard_gamma_grad(): expected both tensors of one dtype and size, got ", self.dtype(), " of size ",
              self.sizes(), " and ", output.dtype(), " of size ", output.sizes());
}
inline void check_dirichlet_grad(const Tensor& x, const Tensor& alpha, const Tensor& total) {
  for (const Tensor* t : {&alpha, &total})
    TENON_CHECK(t->dtype() == x.dtype(), TypeError, "_dirichlet_grad(): expected three tensors of one dtype, got ",
                x.dtype(), ", ", alpha.dtype(), " and ", total.dtype());
}
inline void check_binomial(const Tensor& count, const Tensor& prob) {
  TENON_CHECK(count.dtype() == prob.dtype(), ValueError, "Found dtype ", enumerator_name(prob.dtype()),
              " but expected ", enumerator_name(count.dtype()));
}
inline void check_randperm(std::int64_t n, ScalarType type) {
  TENON_CHECK(n >= 0, ValueError, "n must be non-negative, got ", n);
  TENON_CHECK(type != kBool && !is_complex_type(type), NotImplementedError, "\"randperm\" not implemented for '",
              enumerator_name(type), "'");
  const double most = type == kHalf       ? 2049
                      : type == kBFloat16 ? 257
                      : type == kFloat    ? 0x1p24 + 1
                      : type == kDouble   ? 0x1p53 + 1
                      : type == kLong     ? 0x1p63
                                          : std::ldexp(1.0, 8 * static_cast<int>(item_size(type)) - (type != kByte));
  TENON_CHECK(static_cast<double>(n) <= most, ValueError, "n is too large for result tensor type: '", type, "'");
}
template <class Int>
dims_t<Int> multinomial_sizes(const Tensor& self, const Int& samples, bool replacement) {
  TENON_CHECK(self.dim() == 1 || self.dim() == 2, ValueError, "prob_dist must be 1 or 2 dim");
  TENON_CHECK(self.is_floating_point(), TypeError,
              "multinomial only supports floating-point dtypes for input, got: ", enumerator_name(self.dtype()));
  TENON_CHECK(samples > Int(0), ValueError, "cannot sample n_sample <= 0 samples");
  dims_t<Int> sizes(sizes_of<Int>(self));
  TENON_CHECK(replacement || samples <= sizes.back(), ValueError,
              "cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  TENON_CHECK(sizes.back() <= Int(1 << 24), ValueError, "number of categories cannot exceed 2^24");
  sizes.back() = samples;
  return sizes;
}

}  // namespace tenon::composite
