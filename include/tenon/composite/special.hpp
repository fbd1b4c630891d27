// Special functions that are made of other operators, and second names of them.
#pragma once
#include <tenon/composite/alias.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bessel.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/special.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::composite {

/// The normal distribution's part below x.
inline Tensor special_ndtr(const Tensor& self) {
  return ops::mul(ops::add(ops::erf(ops::mul(self, 0.70710678118654752440)), 1), 0.5);
}
inline Tensor& special_ndtr_out(const Tensor& self, Tensor& out) {
  TENON_CHECK(is_floating_type(out.dtype()) || is_complex_type(out.dtype()), TypeError, "special_ndtr(): result type ",
              self.is_floating_point() ? self.dtype() : get_default_dtype(),
              " can't be cast to the desired output type ", out.dtype());
  return ops::mul(ops::add(ops::erf(ops::mul(self, 0.70710678118654752440)), 1), 0.5, "out"_a = out);
}
inline Tensor special_softmax(const Tensor& self, std::int64_t dim, std::optional<ScalarType> dtype) {
  return ops::softmax_int(self, dim, dtype);
}
inline Tensor special_log_softmax(const Tensor& self, std::int64_t dim, std::optional<ScalarType> dtype) {
  return ops::log_softmax_int(self, dim, dtype);
}
/// The derivative keeps what the argument was; integers are refused by the out form.
inline Tensor& polygamma_(Tensor& self, std::int64_t n) {
  if (!self.is_floating_point()) return ops::polygamma(n, self, "out"_a = self);
  return ops::copy_(self, ops::polygamma(n, ops::clone(self)));
}

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace ops = tenon::ops;
  namespace c = tenon::composite;
  define_forms(m, ops::special_ndtr_base);
  m.impl<ops::special_ndtr_base, &c::special_ndtr>().impl<ops::special_ndtr_base_out, &c::special_ndtr_out>();
  m.def<ops::polygamma_base_>().impl<ops::polygamma_base_, &c::polygamma_>();
  c::add_alias<ops::special_polygamma_base, ops::polygamma_base>(m);
  c::add_alias<ops::special_i0_base, ops::i0_base>(m);
  c::add_alias<ops::special_digamma_base, ops::digamma_base>(m);
  c::add_alias<ops::special_psi_base, ops::digamma_base>(m);
  c::add_alias<ops::special_erf_base, ops::erf_base>(m);
  c::add_alias<ops::special_erfc_base, ops::erfc_base>(m);
  c::add_alias<ops::special_erfinv_base, ops::erfinv_base>(m);
  c::add_alias<ops::special_exp2_base, ops::exp2_base>(m);
  c::add_alias<ops::special_expit_base, ops::sigmoid_base>(m);
  c::add_alias<ops::special_expm1_base, ops::expm1_base>(m);
  c::add_alias<ops::special_gammaln_base, ops::lgamma_base>(m);
  c::add_alias<ops::special_log1p_base, ops::log1p_base>(m);
  c::add_alias<ops::special_sinc_base, ops::sinc_base>(m);
  c::add_alias<ops::special_gammainc_base, ops::igamma_base>(m);
  c::add_alias<ops::special_gammaincc_base, ops::igammac_base>(m);
  c::add_alias<ops::special_logit_base, ops::logit_base>(m);
  c::add_alias<ops::special_multigammaln_base, ops::mvlgamma_base>(m);
  c::add_alias<ops::special_xlogy_base, ops::xlogy_Tensor>(m);
  c::add_alias<ops::special_xlogy_self_scalar, ops::xlogy_Scalar_Self>(m);
  c::add_alias<ops::special_xlogy_other_scalar, ops::xlogy_Scalar_Other>(m);
  c::add_alias<ops::special_round_base, ops::round_decimals>(m);
  c::add_alias<ops::special_logsumexp_base, ops::logsumexp_base>(m);
  m.def<ops::special_softmax_base>().def<ops::special_log_softmax_base>();
  m.impl<ops::special_softmax_base, &c::special_softmax>()
      .impl<ops::special_log_softmax_base, &c::special_log_softmax>();
}
