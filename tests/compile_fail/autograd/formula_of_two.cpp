// expect-error: derivative_formula_returns_something_else<.*scaled.*count_is<2>.*found<(tenon::)?Tensor ?>
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/arithmetic.hpp>

using namespace tenon;

TENON_OPERATOR(scaled, "my::scaled(Tensor x, Tensor y) -> Tensor");

#ifdef FIXED
TENON_DERIVATIVE(scaled, TENON_WRT((x, y), (grad, x, y), std::tuple(ops::mul(grad, y), ops::mul(grad, x))));
#else
TENON_DERIVATIVE(scaled, TENON_WRT((x, y), (grad, y), ops::mul(grad, y)));
#endif
