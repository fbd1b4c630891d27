// expect-error: no_argument_of_this_function_is_a_list<my::scale_function>
// expect-error: braces are a list, which this function does not take; what is missing is std::nullopt
#include <tenon/library/operators.hpp>

using namespace tenon;

namespace my {
TENON_OPERATORS_OUT(scale, (base, "my::scale(Tensor self, Tensor? by=None) -> Tensor"),
                    (twice, "my::scale.twice(Tensor self, Tensor by, Tensor other) -> Tensor"));
}  // namespace my

#ifdef FIXED
Tensor call(const Tensor& x) { return my::scale(x, std::nullopt); }
#else
Tensor call(const Tensor& x) { return my::scale(x, {}); }
#endif
