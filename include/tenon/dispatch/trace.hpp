// Watching calls: every dispatch of a traced thread reports what was called and which key won.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <tenon/keys/dispatch_key.hpp>
#include <tenon/keys/local_keys.hpp>

namespace tenon {

enum class TraceKind : std::uint8_t { Call, Redispatch, CallBoxed, RedispatchBoxed, Kernel };
constexpr std::string_view to_string(TraceKind kind) {
  constexpr std::string_view names[] = {"[call]", "[redispatch]", "[callBoxed]", "[redispatchBoxed]", "[kernel]"};
  return names[static_cast<int>(kind)];
}

struct TraceEvent {
  TraceKind kind;
  std::string_view op;    ///< `aten::add.Tensor`
  DispatchKey key;        ///< the highest key of the call
  int depth;              ///< nesting of dispatches on this thread; 1 for the outermost
  std::string_view path;  ///< for TraceKind::Kernel: `sym`, `unboxed` or `boxed`
};
using TraceCallback = void (*)(const TraceEvent& event, void* context);

namespace detail {

struct TraceState {
  TraceCallback callback;
  void* context;
  int depth;
};
TENON_THREAD_WORD(TraceState, trace_state);

inline void print_trace_line(const TraceEvent& e, void*) {
  if (e.kind == TraceKind::Kernel) return;
  std::string line(static_cast<std::size_t>(e.depth), ' ');
  ((line += to_string(e.kind)) += " op=[") += e.op;
  ((line += "], key=[") += to_string(e.key)) += "]\n";
  std::fputs(line.c_str(), stderr);
}

/// TENON_SHOW_DISPATCH_TRACE=1 traces every thread to standard error; read once.
inline bool trace_from_environment() {
  static const bool on = [] {
    const char* value = std::getenv("TENON_SHOW_DISPATCH_TRACE");
    if (!value || std::strcmp(value, "0") == 0) return false;
    if (std::strcmp(value, "1") == 0) return true;
    std::fprintf(stderr, "ignoring invalid value for TENON_SHOW_DISPATCH_TRACE: %s valid values are 0 or 1.\n", value);
    return false;
  }();
  return on;
}

/// Counts one level of nesting while a dispatch runs.
class TraceDepth {
 public:
  TraceDepth() { ++trace_state.depth; }
  TraceDepth(const TraceDepth&) = delete;
  TraceDepth& operator=(const TraceDepth&) = delete;
  ~TraceDepth() { --trace_state.depth; }
};

inline void trace(TraceKind kind, std::string_view op, DispatchKey key, std::string_view path = {}) {
  TraceEvent event{kind, op, key, trace_state.depth, path};
  if (trace_state.callback)
    trace_state.callback(event, trace_state.context);
  else if (trace_from_environment())
    print_trace_line(event, nullptr);
}

}  // namespace detail
}  // namespace tenon
