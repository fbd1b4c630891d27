// Bodies of the back ends' way to the CPU.
#pragma once
#include <algorithm>

#include <tenon/base/body.hpp>
#include <tenon/boxing/each_tensor.hpp>
#include <tenon/boxing/replace_tensors.hpp>
#include <tenon/boxing/value_text.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/cpu_fallback.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/schema/annotation.hpp>

namespace tenon {

namespace detail {

inline Tensor copied_to(const Tensor& t, Device device) {
  if (t.device() == device) return t;
  Tensor out =
      ops::empty(t.sizes(), "dtype"_a = t.dtype(), "device"_a = device, "memory_format"_a = t.suggest_memory_format());
  return ops::copy_(out, t);
}

/// The written argument that a result is; -1 for a fresh one. Throws for a view.
inline int written_result(const schema::SchemaView& s, std::size_t result, std::string_view op) {
  int written = schema::written_argument(s, result);
  TENON_CHECK(written >= 0 || schema::annotation(s, s.ret(result)).names == 0, NotImplementedError, op,
              " is a view: its result shares memory with its argument, which a copy on the CPU cannot; the back end "
              "registers a kernel for it");
  return written;
}

}  // namespace detail

TENON_COLD_BODY void cpu_fallback(const OperatorHandle& op, Stack& stack) {
  const schema::SchemaView& s = op.schema();
  for (std::string_view own : {"aten::empty.memory_format", "aten::empty_strided", "aten::copy_", "aten::resize_"})
    TENON_CHECK(op.name() != own, NotImplementedError, own,
                ": a back end whose fallback is cpu_fallback needs a kernel of its own for this operator");
  std::vector<int> results;
  for (std::size_t i = 0; i < s.n_returns(); ++i) results.push_back(detail::written_result(s, i, op.name()));

  AutoDispatchBelowADInplaceOrView guard;
  std::size_t first = stack.size() - s.n_args();
  Device device = kCPU;
  std::vector<Value> given;  // written arguments as they were given; None for others
  for (std::size_t i = 0; i < s.n_args(); ++i) {
    Value& v = stack[first + i];
    const bool written = schema::annotation(s, s.arg(i)).write;
    detail::each_tensor(v, [&](const Tensor& t) {
      if (device.is_cpu()) device = t.device();
    });
    if (v.kind() == ValueKind::Device) {
      if (device.is_cpu()) device = v.to_device();
      v = Value(kCPU);
    }
    given.push_back(written ? copy_of(v) : Value());
    detail::replace_tensors(v, [](Tensor& t) { t = detail::copied_to(t, kCPU); });
  }
  std::vector<Value> on_cpu(stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end());
  op.call_boxed(stack);

  for (std::size_t i = 0; i < s.n_args(); ++i) {
    if (given[i].is_none()) continue;
    std::vector<Tensor> from;
    detail::each_tensor(on_cpu[i], [&](const Tensor& t) { from.push_back(t); });
    auto next = from.begin();
    detail::each_tensor(given[i], [&](Tensor& to) {
      if (next == from.end()) return;  // the kernel took a tensor out of its list
      const Tensor& t = *next++;
      if (to.is_same(t)) return;
      if (to.sizes() != t.sizes()) ops::resize_(to, t.sizes());
      ops::copy_(to, t);
    });
  }
  first = stack.size() - s.n_returns();
  for (std::size_t i = 0; i < s.n_returns(); ++i) {
    Value& v = stack[first + i];
    if (results[i] >= 0)
      v = given[static_cast<std::size_t>(results[i])];
    else
      detail::each_tensor(v, [&](Tensor& t) { t = detail::copied_to(t, device); });
  }
}

}  // namespace tenon
