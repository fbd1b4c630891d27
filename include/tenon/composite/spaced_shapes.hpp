// What ranges of evenly spaced numbers are written to.
#pragma once
#include <tenon/composite/out_by_copy.hpp>

namespace tenon::composite {

/// Gives `out` the shape of the range. A bool holds a range of one number at most.
inline void resize_for_steps(const char* name, std::int64_t steps, Tensor& out) {
  TENON_CHECK(steps >= 0, ValueError, "number of steps must be non-negative");
  if ((out.dtype() == kBool && steps > 1) || !has_arithmetic(out.dtype())) not_implemented_for(name, out.dtype());
  AutoDispatchBelowADInplaceOrView guard;
  if (out.sym_numel() != steps) resize_out(out, steps);
}

}  // namespace tenon::composite
