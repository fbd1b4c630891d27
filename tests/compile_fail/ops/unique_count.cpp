// expect-error: tenon: unique\(\) takes sorted, return_inverse, return_counts and dim behind the tensor
#include <tenon/ops/unique.hpp>

using namespace tenon;

#ifdef FIXED
auto call(const Tensor& x) { return ops::unique(x, true, true, true, 0); }
#else
auto call(const Tensor& x) { return ops::unique(x, true, true, true, 0, 1); }
#endif
