// expect-error: a kernel function cannot be null
#include <tenon/boxing/kernel.hpp>

using namespace tenon;

#ifdef FIXED
void some(const Tensor&) {}
Kernel kernel(function_constant<&some>{});
#else
constexpr void (*none)(const Tensor&) = nullptr;
Kernel kernel(function_constant<none>{});
#endif
