// Opens a plugin and calls its operator by name.
#include <dlfcn.h>

#include <cstdio>

#include <tenon/dispatch/call.hpp>
#ifndef HEADERS_ALONE
#include <tenon/tenon.hpp>
#endif

int main(int, char** argv) {
  using namespace tenon;
  if (!dlopen(argv[1], RTLD_NOW)) {
    std::puts(dlerror());
    return 1;
  }
  OperatorHandle op = Registry::get().find_schema_or_throw("plug::one", "");
#ifdef HEADERS_ALONE
  return op.name() == "plug::one" ? 0 : 1;
#else
  return op.typed<std::int64_t(const Tensor&)>().call(ops::ones({2, 3})) == 3 ? 0 : 1;
#endif
}
