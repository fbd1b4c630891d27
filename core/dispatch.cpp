// The functions that the headers from base to library only declare.
#include <tenon/base/bodies/place.hpp>
#include <tenon/base/bodies/device.hpp>
#include <tenon/base/bodies/scalar.hpp>
#include <tenon/base/bodies/sym_bool.hpp>
#include <tenon/base/bodies/sym_expr.hpp>
#include <tenon/base/bodies/sym_float.hpp>
#include <tenon/boxing/bodies/box.hpp>
#include <tenon/boxing/bodies/future.hpp>
#include <tenon/boxing/bodies/match.hpp>
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

// Bodies for one program and bodies for the shared runtime in one object would be two registries. Both define this, so
// that the linker refuses them together, and its message says what to do.
extern "C" [[gnu::visibility("hidden")]] const char
    tenon_two_registries_compile_without_TENON_SHARED_RUNTIME_and_link_the_program_with_rdynamic_see_docs_plugins_md =
        0;
