// Bodies of tracing.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/dispatch/trace.hpp>

namespace tenon {
namespace detail {

/// TENON_SHOW_KERNEL_PATHS=1 adds to each dispatch how its kernel is called, in PyTorch's words; read once.
inline bool paths_from_environment() {
  static const bool on = [] {
    const char* value = std::getenv("TENON_SHOW_KERNEL_PATHS");
    return value && *value && std::strcmp(value, "0") != 0;
  }();
  return on;
}
TENON_BODY void print_trace_line(const TraceEvent& e, void*) {
  std::string line(static_cast<std::size_t>(e.depth), ' ');
  if (e.kind == TraceKind::Kernel) {
    if (!paths_from_environment()) return;
    if (e.path == "boxed")
      line += "call impl::BoxedKernelWrapper";
    else
      (line += "callUnboxedKernelFunction with ") += e.path;
    std::fputs((line += '\n').c_str(), stderr);
    return;
  }
  ((line += to_string(e.kind)) += " op=[") += e.op;
  ((line += "], key=[") += to_string(e.key)) += "]\n";
  std::fputs(line.c_str(), stderr);
}

#ifndef TENON_ONE_UNIT
/// What TENON_RECORD_OPERATORS=FILE asks for: the operators that a run calls, written at its end as one line for
/// TENON_SELECTED_OPERATORS.
class OperatorRecord {
 public:
  static OperatorRecord* get() {
    static OperatorRecord* const record = [] {
      const char* file = std::getenv("TENON_RECORD_OPERATORS");
      if (!file || !*file) return static_cast<OperatorRecord*>(nullptr);
      auto* made = new OperatorRecord(file);
      std::atexit([] { get()->write(); });
      return made;
    }();
    return record;
  }
  void add(std::string_view op) {
    std::lock_guard lock(mutex_);
    if (names_.find(op) == names_.end()) names_.emplace(op);
  }

 private:
  explicit OperatorRecord(const char* file) : file_(file) {}
  void write() {
    std::lock_guard lock(mutex_);
    std::string text;
    for (const std::string& name : names_) (text += text.empty() ? "" : ";") += name;
    text += '\n';
    std::FILE* out = std::fopen(file_.c_str(), "w");
    bool ok = out && std::fwrite(text.data(), 1, text.size(), out) == text.size();
    if (out && std::fclose(out) != 0) ok = false;
    if (!ok) std::fprintf(stderr, "TENON_RECORD_OPERATORS: cannot write %s\n", file_.c_str());
  }
  std::mutex mutex_;
  std::string file_;
  std::set<std::string, std::less<>> names_;
};
#endif

TENON_BODY bool calls_are_watched() {
#ifndef TENON_ONE_UNIT
  if (OperatorRecord::get()) return true;
#endif
  return trace_from_environment();
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
#ifndef TENON_ONE_UNIT
  if (OperatorRecord* record = OperatorRecord::get()) record->add(op);
#endif
  // An observed call comes here too: nothing is put together for nobody.
  if (!trace_state.callback && !trace_from_environment()) return;
  TraceEvent event{kind, op, key, trace_state.depth, path};
  if (trace_state.callback)
    trace_state.callback(event, trace_state.context);
  else
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
