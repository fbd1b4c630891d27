// Calls the pack's operator by name, with or without the pack's header.
#include <cstdio>

#include <tenon/library/library.hpp>

#ifdef WITH_HEADER
#include "pack.hpp"
#endif

int main() {
  try {
    tenon::Stack stack;
    tenon::Registry::get().find_schema_or_throw("_pack::answer", "").call_boxed(stack);
    std::printf("%d\n", static_cast<int>(stack[0].to_int()));
  } catch (const tenon::Error& e) { std::printf("%s\n", e.what()); }
}
