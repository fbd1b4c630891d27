// Elementwise special functions.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace special_family {

TENON_OPERATORS(erf, (base, "aten::erf(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                      Tag::core, Tag::pointwise));
TENON_OPERATORS(erfc, (base, "aten::erfc(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                       Tag::pointwise));
TENON_OPERATORS(lgamma, (base, "aten::lgamma(Tensor self) -> Tensor", with_method, no_device_check, Tag::pointwise));
TENON_OPERATORS(digamma, (base, "aten::digamma(Tensor self) -> Tensor", with_method, no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(polygamma, (base, "aten::polygamma(int n, Tensor self) -> Tensor", with_method, no_device_check,
                                Tag::pointwise));
TENON_OPERATORS_INPLACE(polygamma, (base, "aten::polygamma_(Tensor(a!) self, int n) -> Tensor(a!)", method_only,
                                    no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_polygamma, "aten::special_polygamma(int n, Tensor self) -> Tensor");
TENON_OPERATORS(erfinv, (base, "aten::erfinv(Tensor self) -> Tensor", with_method, no_device_check, Tag::pointwise));
TENON_OPERATORS(sinc, (base, "aten::sinc(Tensor self) -> Tensor", with_method, inplace_function, Tag::pointwise));
TENON_OPERATORS(xlogy,
                (Tensor, "aten::xlogy.Tensor(Tensor self, Tensor other) -> Tensor", "OutTensor", with_method,
                 inplace_function, no_device_check, Tag::pointwise),
                (Scalar_Self, "aten::xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor", "OutScalar_Self",
                 no_device_check, Tag::pointwise),
                (Scalar_Other, "aten::xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor", "OutScalar_Other",
                 with_method, inplace_function, no_device_check, Tag::pointwise, inplace_tags()));
TENON_OPERATORS_OUT(special_xlog1py,
                    (base, "aten::special_xlog1py(Tensor self, Tensor other) -> Tensor", no_device_check,
                     Tag::pointwise),
                    (self_scalar, "aten::special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (other_scalar, "aten::special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor",
                     no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_zeta,
                    (base, "aten::special_zeta(Tensor self, Tensor other) -> Tensor", no_device_check, Tag::pointwise),
                    (self_scalar, "aten::special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (other_scalar, "aten::special_zeta.other_scalar(Tensor self, Scalar other) -> Tensor",
                     no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_entr, (base, "aten::special_entr(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_erfcx, (base, "aten::special_erfcx(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_ndtr, "aten::special_ndtr(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_log_ndtr, (base, "aten::special_log_ndtr(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_ndtri, (base, "aten::special_ndtri(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS(igamma, (base, "aten::igamma(Tensor self, Tensor other) -> Tensor", with_method, Tag::pointwise));
TENON_OPERATORS(igammac, (base, "aten::igammac(Tensor self, Tensor other) -> Tensor", with_method, Tag::pointwise));
TENON_OPERATORS(mvlgamma,
                (base, "aten::mvlgamma(Tensor self, int p) -> Tensor", with_method, no_device_check, Tag::pointwise));
TENON_OPERATORS(logit, (base, "aten::logit(Tensor self, float? eps=None) -> Tensor", with_method, inplace_function,
                        Tag::pointwise));

// Names of functions under which torch.special has them too.
TENON_OPERATORS_OUT(special_digamma, "aten::special_digamma(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_psi, "aten::special_psi(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_erf, "aten::special_erf(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_erfc, "aten::special_erfc(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_erfinv, "aten::special_erfinv(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_exp2, "aten::special_exp2(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_expit, "aten::special_expit(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_expm1, "aten::special_expm1(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_gammaln, "aten::special_gammaln(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_log1p, "aten::special_log1p(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_sinc, "aten::special_sinc(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_gammainc, "aten::special_gammainc(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS_OUT(special_gammaincc, "aten::special_gammaincc(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS_OUT(special_logit, "aten::special_logit(Tensor self, float? eps=None) -> Tensor");
TENON_OPERATORS_OUT(special_multigammaln, "aten::special_multigammaln(Tensor self, int p) -> Tensor");
TENON_OPERATORS_OUT(special_xlogy, (base, "aten::special_xlogy(Tensor self, Tensor other) -> Tensor", no_device_check),
                    (self_scalar, "aten::special_xlogy.self_scalar(Scalar self, Tensor other) -> Tensor",
                     no_device_check),
                    (other_scalar, "aten::special_xlogy.other_scalar(Tensor self, Scalar other) -> Tensor",
                     no_device_check));
TENON_OPERATORS_OUT(special_round, "aten::special_round(Tensor self, *, int decimals=0) -> Tensor");
TENON_OPERATORS_OUT(special_logsumexp,
                    "aten::special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor");
TENON_OPERATORS_PLAIN(special_softmax, "aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor");
TENON_OPERATORS_PLAIN(special_log_softmax,
                      "aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor");
TENON_OPERATORS_OUT(
    logit_backward,
    (base, "aten::logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor",
     "aten::logit_backward.grad_input(Tensor grad_output, Tensor self, float? eps=None, *, Tensor(a!) grad_input) -> Tensor(a!)",
     Tag::pointwise));

}  // namespace special_family
}  // namespace tenon::ops
