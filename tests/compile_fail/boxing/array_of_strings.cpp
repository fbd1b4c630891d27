// expect-error: type no operator schema can carry .*ArrayRef<string_view> or vector<string> for ArrayRef<string>
#include <tenon/boxing/kernel.hpp>

using namespace tenon;

#ifdef FIXED
void f(ArrayRef<std::string_view>) {}
void g(std::vector<std::string>) {}
Kernel more(TENON_FN(&g));
#else
void f(ArrayRef<std::string>) {}
#endif
Kernel kernel(&f);
