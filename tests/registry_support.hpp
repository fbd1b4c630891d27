// What tests of registration share: tensors of any keys, fallbacks as in a full program, captured warnings and traces.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include <tenon/base/warning.hpp>
#include <tenon/boxing/value_text.hpp>
#include <tenon/dispatch/kernel_check.hpp>
#include <tenon/dispatch/report.hpp>
#include <tenon/library/library.hpp>

#include "catch.hpp"

namespace support {

using namespace tenon;

inline Tensor tensor_of(KeySet keys) {
  Tensor t(make_intrusive<TensorImpl>(StorageImpl::create(4, kCPU), keys, kFloat, kCPU));
  t.impl().set_contiguous(IntArrayRef{1});
  return t;
}
inline Tensor tensor_of(DispatchKey key) { return tensor_of(KeySet(key)); }
/// A dense tensor with the autograd key of its backend.
inline Tensor cpu() {
  return tensor_of(KeySet{DispatchKey::CPU, DispatchKey::AutogradCPU, DispatchKey::ADInplaceOrView});
}
inline Tensor cuda() {
  return tensor_of(KeySet{DispatchKey::CUDA, DispatchKey::AutogradCUDA, DispatchKey::ADInplaceOrView});
}

/// For as long as it lives the fallbacks are those of a program without autograd: the upper keys fall through.
class PlainFallbacks {
 public:
  PlainFallbacks() {
    KeySet::full().for_each([&](DispatchKey k) {
      bool falls = k == DispatchKey::BackendSelect || k == DispatchKey::ADInplaceOrView ||
                   key_sets::autograd_expansion.has(k) || key_sets::autocast.has(k);
      std::optional<Kernel> kernel;
      if (falls) kernel = Kernel(fallthrough()).debug("fallthrough");
      made_.push_back(Registry::get().override_fallback(k, std::move(kernel), "none"));
    });
  }

 private:
  std::vector<Registration> made_;
};

class Warnings {
 public:
  std::vector<std::string> texts;

 private:
  WarningGuard guard_{[](const std::string& m, void* self) { static_cast<Warnings*>(self)->texts.push_back(m); }, this};
};

/// The lines of a trace: `[call] my::op CPU`.
class Trace {
 public:
  std::vector<std::string> lines;

 private:
  DispatchTraceGuard guard_{[](const TraceEvent& e, void* self) {
                              static_cast<Trace*>(self)->lines.push_back(
                                  concat(e.kind, " ", e.op, " ", e.key, e.path.empty() ? "" : " ", e.path));
                            },
                            this};
};

/// The lines of calls and redispatches while `f` runs.
template <class F>
std::vector<std::string> steps(F&& f) {
  Trace trace;
  f();
  std::erase_if(trace.lines, [](const std::string& line) { return line.starts_with("[kernel]"); });
  return std::move(trace.lines);
}

/// Calls an operator boxed; what it leaves on the stack.
template <class... V>
Stack boxed(const OperatorHandle& op, V&&... values) {
  Stack stack;
  (stack.push_back(Value(std::forward<V>(values))), ...);
  op.call_boxed(stack);
  return stack;
}
inline OperatorHandle op(std::string_view name, std::string_view overload = "") {
  return Registry::get().find_schema_or_throw(name, overload);
}
inline OperatorEntry& entry(std::string_view name) { return Registry::get().find_op(name).entry(); }
/// The rule by which a key has its kernel, `math kernel`, or `missing`.
inline std::string rule(std::string_view name, DispatchKey key) {
  return std::string(to_string(Registry::get().tables().compute(entry(name), key).provenance));
}

inline Library def(std::string ns = "_test") { return Library(Library::Kind::Def, std::move(ns)); }
inline Library fragment(std::string ns = "_test") { return Library(Library::Kind::Fragment, std::move(ns)); }
inline Library impl(DispatchKey key, std::string ns = "_test") {
  return Library(Library::Kind::Impl, std::move(ns), key);
}
inline Library impl(std::string ns = "_test") { return Library(Library::Kind::Impl, std::move(ns)); }

}  // namespace support
