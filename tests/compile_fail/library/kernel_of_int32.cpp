// expect-error: a kernel argument or result has a type no operator schema can carry
#include <tenon/boxing/kernel.hpp>

using namespace tenon;

#ifdef FIXED
Kernel kernel([](std::int64_t x) { return double(x); });
#else
Kernel kernel([](int x) { return double(x); });
#endif
