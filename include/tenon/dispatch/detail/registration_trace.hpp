// Lines about each registration, where the environment asks for them.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <tenon/base/body.hpp>
#include <tenon/base/error.hpp>
#include <tenon/base/place.hpp>
#include <tenon/keys/dispatch_key.hpp>
#include <tenon/schema/print.hpp>

namespace tenon::detail {

/// TENON_SHOW_REGISTRATIONS=1; read once.
inline bool registrations_are_shown() {
#ifdef TENON_ONE_UNIT
  return false;
#else
  static const bool shown = [] {
    const char* value = std::getenv("TENON_SHOW_REGISTRATIONS");
    return value && *value && std::strcmp(value, "0") != 0;
  }();
  return shown;
#endif
}
/// `aten::empty memory_format`, as PyTorch prints the two parts of a name.
inline std::string spaced_name(std::string_view full_name) {
  std::string text(full_name);
  if (auto dot = text.find('.'); dot != text.npos) text[dot] = ' ';
  return text;
}
template <class... Parts>
TENON_COLD void print_registration(const Parts&... parts) {
  std::string line = concat("register ", parts..., "\n");
  std::fputs(line.c_str(), stderr);
}
inline void show_definition(const schema::SchemaView& view, const Place& place) {
  if (registrations_are_shown()) [[unlikely]]
    print_registration("Def ", spaced_name(view.operator_name()), " with ", schema::to_string(view), " @ ", place);
}
inline void show_kernel(std::string_view full_name, DispatchKey key, const Place& place) {
  if (registrations_are_shown()) [[unlikely]]
    print_registration("Impl ", spaced_name(full_name), " - ", key, " @ ", place);
}
inline void show_fallback(DispatchKey key, const Place& place) {
  if (registrations_are_shown()) [[unlikely]]
    print_registration("Fallback - ", key, " @ ", place);
}
inline void show_library(std::string_view ns, const Place& place) {
  if (registrations_are_shown()) [[unlikely]]
    print_registration("lib ", ns, " @ ", place);
}

}  // namespace tenon::detail
