// expect-error: TENON_WRT expects lists in parentheses: TENON_WRT\(\(self\), \(grad, other\), formula\)
// expect-error: derivative_clause_lacks_parentheses<scaled_op>
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/arithmetic.hpp>

using namespace tenon;

TENON_OPERATOR(scaled, "my::scaled(Tensor x, float by) -> Tensor");

#ifdef FIXED
TENON_DERIVATIVE(scaled, TENON_WRT((x), (grad, by), ops::mul(grad, by)));
#else
TENON_DERIVATIVE(scaled, TENON_WRT(x, (grad, by), ops::mul(grad, by)));
#endif
