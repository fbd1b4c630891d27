// From a dtype to the type that a kernel is compiled for.
#pragma once
#include <tenon/base/scalar_type.hpp>

namespace tenon::cuda {

/// Calls f(type_tag<T>) for the floating dtype; false for another.
template <class F>
bool with_floating(ScalarType dtype, F f) {
  switch (dtype) {
    case kFloat: return f(type_tag<float>{}), true;
    case kDouble: return f(type_tag<double>{}), true;
    case kHalf: return f(type_tag<Half>{}), true;
    case kBFloat16: return f(type_tag<BFloat16>{}), true;
    default: return false;
  }
}
/// Calls f(type_tag<T>) for a type that holds all elements of a real dtype; false for another.
template <class F>
bool with_wide(ScalarType dtype, F f) {
  if (dtype == kDouble) return f(type_tag<double>{}), true;
  if (is_floating_type(dtype)) return f(type_tag<float>{}), true;
  if (!is_integral_type(dtype, true) || dtype == kUInt64) return false;
  return f(type_tag<std::int64_t>{}), true;
}

}  // namespace tenon::cuda
