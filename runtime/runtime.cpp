// The one registry and the one set of thread-local words of a process in which several shared objects include the
// headers.
#define TENON_INTERNAL_RUNTIME_OWNER
#include <tenon/bodies.hpp>

namespace tenon::detail {

extern "C" TENON_EXPORT void* tenon_runtime_registry() { return &Registry::get(); }
extern "C" TENON_EXPORT void tenon_runtime_enter(const void* address) {
  Registry::get().enter_module(ModuleRange::of(address));
}
extern "C" TENON_EXPORT void tenon_runtime_leave(const void* address) {
  Registry::get().leave_module(ModuleRange::of(address));
}

}  // namespace tenon::detail
