// Rows of orthogonal polynomials.
#pragma once
#include <tenon/pointwise/row.hpp>
#if TENON_ROWS_REGISTER
#include <tenon/ops/polynomial.hpp>
#include <tenon/pointwise/checks.hpp>
#endif

namespace tenon::ops {

TENON_FORMULA(chebyshev_t, over::one_at_a_time<over::floating>, (x, n), (), (math::chebyshev_t(x, n)));
TENON_FORMULA(chebyshev_u, over::one_at_a_time<over::floating>, (x, n), (), (math::chebyshev_u(x, n)));
TENON_FORMULA(chebyshev_v, over::one_at_a_time<over::floating>, (x, n), (), (math::chebyshev_v(x, n)));
TENON_FORMULA(chebyshev_w, over::one_at_a_time<over::floating>, (x, n), (), (math::chebyshev_w(x, n)));
TENON_FORMULA(hermite_h, over::one_at_a_time<over::floating>, (x, n), (), (math::hermite_h(x, n)));
TENON_FORMULA(hermite_he, over::one_at_a_time<over::floating>, (x, n), (), (math::hermite_he(x, n)));
TENON_FORMULA(laguerre_l, over::one_at_a_time<over::floating>, (x, n), (), (math::laguerre_l(x, n)));
TENON_FORMULA(legendre_p, over::one_at_a_time<over::floating>, (x, n), (), (math::legendre_p(x, n)));
TENON_FORMULA(shifted_chebyshev_t, over::one_at_a_time<over::floating>, (x, n), (), (math::shifted_chebyshev_t(x, n)));
TENON_FORMULA(shifted_chebyshev_u, over::one_at_a_time<over::floating>, (x, n), (), (math::shifted_chebyshev_u(x, n)));
TENON_FORMULA(shifted_chebyshev_v, over::one_at_a_time<over::floating>, (x, n), (), (math::shifted_chebyshev_v(x, n)));
TENON_FORMULA(shifted_chebyshev_w, over::one_at_a_time<over::floating>, (x, n), (), (math::shifted_chebyshev_w(x, n)));

// The three operators of a polynomial: argument and degree are tensors, or one of them is a number.
#define TENON_INTERNAL_POLYNOMIAL(OP, NAME)                                                                         \
  TENON_COMPUTES_BY(OP##_base, TENON_ELSE(NAME##_formula, (x, n), ()), promote<IntToFloat>, check<checks::no_half>, \
                    unrecorded);                                                                                    \
  TENON_COMPUTES_BY(OP##_x_scalar, TENON_ELSE(NAME##_formula, (x, n), ()), promote<IntToFloat>,                     \
                    check<checks::no_half>, unrecorded);                                                            \
  TENON_COMPUTES_BY(OP##_n_scalar, TENON_ELSE(NAME##_formula, (x, n), ()), promote<IntToFloat>,                     \
                    check<checks::no_half>, unrecorded)
TENON_INTERNAL_POLYNOMIAL(special_chebyshev_polynomial_t, chebyshev_t);
TENON_INTERNAL_POLYNOMIAL(special_chebyshev_polynomial_u, chebyshev_u);
TENON_INTERNAL_POLYNOMIAL(special_chebyshev_polynomial_v, chebyshev_v);
TENON_INTERNAL_POLYNOMIAL(special_chebyshev_polynomial_w, chebyshev_w);
TENON_INTERNAL_POLYNOMIAL(special_hermite_polynomial_h, hermite_h);
TENON_INTERNAL_POLYNOMIAL(special_hermite_polynomial_he, hermite_he);
TENON_INTERNAL_POLYNOMIAL(special_laguerre_polynomial_l, laguerre_l);
TENON_INTERNAL_POLYNOMIAL(special_legendre_polynomial_p, legendre_p);
TENON_INTERNAL_POLYNOMIAL(special_shifted_chebyshev_polynomial_t, shifted_chebyshev_t);
TENON_INTERNAL_POLYNOMIAL(special_shifted_chebyshev_polynomial_u, shifted_chebyshev_u);
TENON_INTERNAL_POLYNOMIAL(special_shifted_chebyshev_polynomial_v, shifted_chebyshev_v);
TENON_INTERNAL_POLYNOMIAL(special_shifted_chebyshev_polynomial_w, shifted_chebyshev_w);
#undef TENON_INTERNAL_POLYNOMIAL

}  // namespace tenon::ops
