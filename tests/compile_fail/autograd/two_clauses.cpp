// expect-error: derivative_argument_has_two_clauses<.*scaled.*name_text<'x'>
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/arithmetic.hpp>

using namespace tenon;

TENON_OPERATOR(scaled, "my::scaled(Tensor x, Tensor y) -> Tensor");

#ifdef FIXED
TENON_DERIVATIVE(scaled, TENON_WRT((x), (grad, y), ops::mul(grad, y)), TENON_WRT((y), (grad, x), ops::mul(grad, x)));
#else
TENON_DERIVATIVE(scaled, TENON_WRT((x), (grad, y), ops::mul(grad, y)), TENON_WRT((x), (grad, x), ops::mul(grad, x)));
#endif
