// The copy of what is not in memory as operators see it.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/in_memory.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::detail {

TENON_BODY Tensor in_memory(const Tensor& t) {
  constexpr KeySet marks{DispatchKey::Conjugate, DispatchKey::Negative, DispatchKey::ZeroTensor};
  return t.keys().has_any(marks) ? Tensor(ops::clone(ops::detach(t))) : t;
}

}  // namespace tenon::detail
