// expect-error: a kernel argument or result has a type no operator schema can carry
#include <tenon/boxing/kernel.hpp>

using namespace tenon;

#ifdef FIXED
Kernel kernel([](ArrayRef<bool>) {});
#else
Kernel kernel([](std::vector<bool>) {});
#endif
