// The one registry and the one set of thread-local words of a process in which several shared objects include the
// headers.
#define TENON_INTERNAL_RUNTIME_OWNER
#include <new>

#include <tenon/autograd/mode.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/autograd/engine.hpp>
#include <tenon/autograd/graph/anomaly.hpp>
#include <tenon/autograd/saved.hpp>
#include <tenon/autograd/node.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/dispatch/module.hpp>
#include <tenon/dispatch/observer.hpp>
#include <tenon/func/batching.hpp>
#include <tenon/io/print_options.hpp>
#include <tenon/library.hpp>
#include <tenon/nn/calling.hpp>
#include <tenon/tensor/allocator.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/default_dtype.hpp>
#include <tenon/tensor/generator.hpp>
#include <tenon/transform/autocast.hpp>
#include <tenon/transform/functional_tensor.hpp>

namespace tenon {

// In place of the one in the bodies, which asks this object for it.
Registry& Registry::get() {
  alignas(Registry) static unsigned char memory[sizeof(Registry)];
  static Registry* registry = new (memory) Registry;
  return *registry;
}

namespace detail {

extern "C" TENON_EXPORT void* tenon_runtime_registry() { return &Registry::get(); }
extern "C" TENON_EXPORT void tenon_runtime_enter(const void* address) {
  Registry::get().modules().enter(ModuleRange::of(address));
}
extern "C" TENON_EXPORT void tenon_runtime_leave(const void* address) {
  Registry::get().modules().leave(ModuleRange::of(address));
}

}  // namespace detail
}  // namespace tenon
