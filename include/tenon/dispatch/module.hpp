// Shared objects that come and go: what they registered must be gone before their code is.
#pragma once
#include <cstddef>
#include <cstdint>

#include <tenon/base/shared_object.hpp>

namespace tenon::detail {

/// The addresses of one loaded object, `[begin, end)`.
struct ModuleRange {
  std::uintptr_t begin = 0, end = 0;
  bool main_program = false;
  bool contains(const void* p) const { return reinterpret_cast<std::uintptr_t>(p) - begin < end - begin; }
  friend bool operator==(const ModuleRange&, const ModuleRange&) = default;

  /// The object that holds an address; an empty range if none does.
  static ModuleRange of(const void* address);
};

}  // namespace tenon::detail
