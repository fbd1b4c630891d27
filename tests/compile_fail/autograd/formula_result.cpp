// expect-error: derivative_formula_returns_something_else<.*scaled.*count_is<1>.*found<double>
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/arithmetic.hpp>

using namespace tenon;

TENON_OPERATOR(scaled, "my::scaled(Tensor x, float by) -> Tensor");

#ifdef FIXED
TENON_DERIVATIVE(scaled, TENON_WRT((x), (grad, by), ops::mul(grad, by)));
#else
TENON_DERIVATIVE(scaled, TENON_WRT((x), (by), by));
#endif
