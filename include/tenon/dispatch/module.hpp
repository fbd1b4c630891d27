// Shared objects that come and go: what they registered must be gone before their code is.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenon/base/shared_object.hpp>
#include <tenon/boxing/kernel.hpp>

namespace tenon {

class Registry;

namespace detail {

/// The addresses of one loaded object, `[begin, end)`.
struct ModuleRange {
  std::uintptr_t begin = 0, end = 0;
  bool main_program = false;
  bool contains(const void* p) const { return reinterpret_cast<std::uintptr_t>(p) - begin < end - begin; }
  /// Whether the object holds a kernel's code, its type or the code that made it.
  bool contains(const Kernel::State& kernel) const;
  friend bool operator==(const ModuleRange&, const ModuleRange&) = default;

  /// The object that holds an address; an empty range if none does.
  static ModuleRange of(const void* address);
};

/// `Registry::get().modules()`: the shared objects that may be unloaded.
class Modules {
 public:
  /// An object says that it is there. What is linked to the program is forgotten, for it stays.
  void enter(const ModuleRange& range);
  /// An object says that it goes: undoes what is left of its registrations and waits for the calls that run its
  /// kernels, those of the caller's own thread left out.
  void leave(const ModuleRange& range);

  // Under the registry's lock:
  bool empty() const { return unloadable_.empty(); }
  bool may_unload(const void* address) const;
  bool may_unload(const Kernel::State& kernel) const;

 private:
  struct Leaving;
  std::vector<ModuleRange> unloadable_;
  bool main_program_known_ = false;
};

}  // namespace detail
}  // namespace tenon
