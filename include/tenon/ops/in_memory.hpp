// For those who read memory: elements as operators see them.
#pragma once
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::detail {

/// The tensor itself, or without history a copy of one that shows its memory conjugated or negated, or that has none
/// for its zeros.
inline Tensor in_memory(const Tensor& t) {
  constexpr KeySet marks{DispatchKey::Conjugate, DispatchKey::Negative, DispatchKey::ZeroTensor};
  return t.keys().has_any(marks) ? Tensor(ops::clone(ops::detach(t))) : t;
}

}  // namespace tenon::detail
