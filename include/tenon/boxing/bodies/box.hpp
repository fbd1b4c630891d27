// Bodies of what boxing throws.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/boxing/box.hpp>

namespace tenon {
namespace detail {

TENON_COLD_BODY void wrong_result_count(std::size_t expected, std::size_t found) {
  fail<InternalError>("Boxed kernel was expected to return ", expected, " values on the stack, but instead pushed ",
                      found, " values.");
}

TENON_COLD_BODY void symbolic_meets_plain(std::string_view op, const bool* plain) {
  int i = 0;
  while (plain[i]) ++i;
  fail<TypeError>(
      op, op.empty() ? "" : ": ", "argument ", i + 1,
      " is symbolic, and the kernel takes plain integers; register a kernel that takes SymInt, or call guard_int() on the value");
}

}  // namespace detail
}  // namespace tenon
