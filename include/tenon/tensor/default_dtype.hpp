// The dtype that numbers without one take.
#pragma once

#include <tenon/base/atomic.hpp>
#include <tenon/base/scalar_type.hpp>
#include <tenon/base/shared_object.hpp>

namespace tenon {

/// The dtype of fresh floating-point tensors and of numbers that meet integer tensors.
namespace detail {
TENON_PROCESS_WORD(Atomic<ScalarType>, default_dtype, kFloat);
}
inline ScalarType get_default_dtype() { return detail::default_dtype.load(MemoryOrder::Relaxed); }
/// Throws TypeError unless `type` is a floating type.
void set_default_dtype(ScalarType type);

}  // namespace tenon
