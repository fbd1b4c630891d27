// expect-error: tenon: unique\(\) has the keywords sorted, return_inverse, return_counts and dim
#include <tenon/ops/unique.hpp>

using namespace tenon;

#ifdef FIXED
auto call(const Tensor& x) { return x.unique("return_inverse"_a = true); }
#else
auto call(const Tensor& x) { return x.unique("inverse"_a = true); }
#endif
