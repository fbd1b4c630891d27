// The functions that the headers from base to library only declare, and the runtime that the compiled kernels are.
#include <tenon/base/bodies/place.hpp>
#include <tenon/base/bodies/device.hpp>
#include <tenon/base/bodies/mutex.hpp>
#include <tenon/base/bodies/scalar.hpp>
#include <tenon/base/bodies/sym_bool.hpp>
#include <tenon/base/bodies/sym_dim_vector.hpp>
#include <tenon/base/bodies/sym_expr.hpp>
#include <tenon/base/bodies/sym_float.hpp>
#include <tenon/boxing/bodies/box.hpp>
#include <tenon/boxing/bodies/future.hpp>
#include <tenon/boxing/bodies/match.hpp>
#include <tenon/boxing/bodies/stack.hpp>
#include <tenon/boxing/bodies/value.hpp>
#include <tenon/boxing/bodies/value_text.hpp>
#include <tenon/dispatch/bodies/call.hpp>
#include <tenon/dispatch/bodies/call_context.hpp>
#include <tenon/dispatch/bodies/device_guard.hpp>
#include <tenon/dispatch/bodies/explain.hpp>
#include <tenon/dispatch/bodies/module.hpp>
#include <tenon/dispatch/bodies/operator_entry.hpp>
#include <tenon/dispatch/bodies/readers.hpp>
#include <tenon/dispatch/bodies/registration_stack.hpp>
#include <tenon/dispatch/bodies/registry.hpp>
#include <tenon/dispatch/bodies/kernel_check.hpp>
#include <tenon/dispatch/bodies/report.hpp>
#include <tenon/dispatch/bodies/recorded_errors.hpp>
#include <tenon/dispatch/bodies/tables.hpp>
#include <tenon/dispatch/bodies/trace.hpp>
#include <tenon/dispatch/bodies/waiting.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/keys/bodies/key_set.hpp>
#include <tenon/library/bodies/default_device.hpp>
#include <tenon/library/bodies/library.hpp>
#include <tenon/library/bodies/on_device.hpp>
#include <tenon/schema/bodies/alias.hpp>
#include <tenon/schema/bodies/compare.hpp>
#include <tenon/schema/bodies/compatible.hpp>
#include <tenon/schema/bodies/default_value.hpp>
#include <tenon/schema/bodies/error_text.hpp>
#include <tenon/schema/bodies/function_schema.hpp>
#include <tenon/schema/bodies/match.hpp>
#include <tenon/schema/bodies/print.hpp>
#include <tenon/schema/bodies/type_variables.hpp>
#include <tenon/tensor/generator.hpp>

#ifndef TENON_SHARED_RUNTIME
// To objects that are built for the shared runtime the compiled kernels are one. Weak, so that no compiler takes the
// call within this unit for its own: of several runtimes in a process the first that was loaded serves all.
extern "C" {
[[gnu::weak]] TENON_EXPORT void* tenon_runtime_registry() { return &tenon::detail::OwnRegistry::get(); }
// What headers define as inline functions and a compiler may have put in their callers' places.
[[gnu::used]] tenon::Generator& (*const generator)() = &tenon::default_generator;
[[gnu::used]] tenon::detail::ThreadPool& (*const pool)() = &tenon::detail::thread_pool;
TENON_EXPORT void tenon_runtime_enter(const void* address) {
  tenon::Registry::get().modules().enter(tenon::detail::ModuleRange::of(address));
}
TENON_EXPORT void tenon_runtime_leave(const void* address) {
  tenon::Registry::get().modules().leave(tenon::detail::ModuleRange::of(address));
}
}
#endif

// Bodies for one program and bodies for the shared runtime in one object would be two registries. Both define this, so
// that the linker refuses them together, and its message says what to do.
extern "C" [[gnu::visibility("hidden")]] const char
    tenon_two_registries_compile_without_TENON_SHARED_RUNTIME_and_link_the_program_with_rdynamic_see_docs_plugins_md =
        0;
