// Changing the dtype that numbers without one take.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon {

TENON_BODY void set_default_dtype(ScalarType type) {
  TENON_CHECK(is_floating_type(type), TypeError, "set_default_dtype(): expected a floating dtype, got ", type);
  detail::default_dtype.store(type, MemoryOrder::Relaxed);
}

}  // namespace tenon
