// Watching calls: every dispatch of a traced thread reports what was called and which key won.
#pragma once
#include <cstdint>
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

void print_trace_line(const TraceEvent& e, void*);

/// TENON_SHOW_DISPATCH_TRACE=1 traces every thread to standard error; read once.
bool trace_from_environment();
/// That, or TENON_RECORD_OPERATORS=FILE, which writes the selection list of the run.
bool calls_are_watched();

/// Counts one level of nesting while a dispatch runs.
class TraceDepth {
 public:
  TraceDepth() { ++trace_state.depth; }
  TraceDepth(const TraceDepth&) = delete;
  TraceDepth& operator=(const TraceDepth&) = delete;
  ~TraceDepth() { --trace_state.depth; }
};

void trace(TraceKind kind, std::string_view op, DispatchKey key, std::string_view path = {});

}  // namespace detail

/// Traces this thread's calls to a function, or to standard error, for a scope.
class DispatchTraceGuard {
 public:
  explicit DispatchTraceGuard(TraceCallback callback = &detail::print_trace_line, void* context = nullptr);
  DispatchTraceGuard(const DispatchTraceGuard&) = delete;
  DispatchTraceGuard& operator=(const DispatchTraceGuard&) = delete;
  ~DispatchTraceGuard();

 private:
  detail::TraceState before_;
};

}  // namespace tenon
