// Evenly spaced numbers for a tensor.
#pragma once
#include <tenon/cuda/counted.hpp>

#include "support.hpp"

namespace tenon::cuda {

/// Writes `out.numel()` numbers from start to end, or powers of the base with them. The ends are rounded as elements
/// are.
inline void space_into(const Tensor& out, const Scalar& start, const Scalar& end, std::optional<double> base) {
  if (out.numel() == 0) return;
  Result to(out, out.dtype());
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    if constexpr (!std::is_same_v<T, bool>) {
      using P = std::conditional_t<std::is_integral_v<T>, double, sum_t<T>>;
      SpacedCall<P> c{};
      c.dtype = out.dtype(), c.count = out.numel(), c.out = static_cast<char*>(to.data());
      c.first = static_cast<P>(checked_element<T>(start)), c.last = static_cast<P>(checked_element<T>(end));
      c.step = (c.last - c.first) / static_cast<P>(static_cast<double>(c.count > 1 ? c.count - 1 : 1));
      c.powers = base.has_value();
      c.base = static_cast<P>(base.value_or(0));
      space_evenly(c, runtime::current_stream());
    }
  });
  runtime::check_launch("linspace");
  to.done();
}

}  // namespace tenon::cuda
