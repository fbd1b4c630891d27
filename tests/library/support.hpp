// What the tests of registration share beside the registry's own helpers: kernels that count their calls.
#pragma once
#include <functional>
#include <string>

#include <tenon/library/library.hpp>

#include "../registry_support.hpp"

namespace support {

inline int calls = 0;
inline void count_cpu(const Tensor&) { calls += 1; }
inline void count_cuda(const Tensor&) { calls += 100; }
inline void count_two(const Tensor&, std::int64_t) { ++calls; }
inline void count_boxed(const OperatorHandle&, Stack& stack) {
  calls += 10000;
  stack.clear();
}

/// What the kernels counted while `f` ran.
inline int called(const std::function<void()>& f) {
  calls = 0;
  f();
  return calls;
}
/// The message of the error that `f` throws.
inline std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) { return e.what(); }
  return "(nothing was thrown)";
}

}  // namespace support
