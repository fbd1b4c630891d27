// expect-error: a kernel argument or result has a type no operator schema can carry
#include <tenon/boxing/kernel.hpp>

using namespace tenon;

#ifdef FIXED
Kernel kernel([](const Tensor& x, double) { return x; });
#else
Kernel kernel([](const Tensor& x, float) { return x; });
#endif
