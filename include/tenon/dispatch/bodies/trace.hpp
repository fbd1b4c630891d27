// Bodies of tracing.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/dispatch/trace.hpp>

namespace tenon {
namespace detail {

TENON_BODY void print_trace_line(const TraceEvent& e, void*) {
  if (e.kind == TraceKind::Kernel) return;
  std::string line(static_cast<std::size_t>(e.depth), ' ');
  ((line += to_string(e.kind)) += " op=[") += e.op;
  ((line += "], key=[") += to_string(e.key)) += "]\n";
  std::fputs(line.c_str(), stderr);
}

TENON_BODY bool trace_from_environment() {
  static const bool on = [] {
    const char* value = std::getenv("TENON_SHOW_DISPATCH_TRACE");
    if (!value || std::strcmp(value, "0") == 0) return false;
    if (std::strcmp(value, "1") == 0) return true;
    std::fprintf(stderr, "ignoring invalid value for TENON_SHOW_DISPATCH_TRACE: %s valid values are 0 or 1.\n", value);
    return false;
  }();
  return on;
}

TENON_BODY void trace(TraceKind kind, std::string_view op, DispatchKey key, std::string_view path) {
  TraceEvent event{kind, op, key, trace_state.depth, path};
  if (trace_state.callback)
    trace_state.callback(event, trace_state.context);
  else if (trace_from_environment())
    print_trace_line(event, nullptr);
}

}  // namespace detail

TENON_COLD_BODY DispatchTraceGuard::DispatchTraceGuard(TraceCallback callback, void* context)
    : before_(detail::trace_state) {
  detail::trace_state.callback = callback;
  detail::trace_state.context = context;
  Registry::get().add_tracer();
}
TENON_COLD_BODY DispatchTraceGuard::~DispatchTraceGuard() {
  Registry::get().remove_tracer();
  detail::trace_state.callback = before_.callback;
  detail::trace_state.context = before_.context;
}

}  // namespace tenon
