// Conversions on the way to containers.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/elements.hpp>
#include <tenon/ops/in_memory.hpp>

namespace tenon {

namespace detail {
TENON_BODY Tensor plain_elements(const Tensor& t, ScalarType dtype) {
  TENON_CHECK(can_cast(t.dtype(), dtype), TypeError, "to_vector(): elements of dtype ", t.dtype(), " do not fit into ",
              dtype, "; use to() first");
  Tensor own = ops::detach(t);
  if (!own.is_cpu()) own = ops::to(own, "device"_a = Device(kCPU));
  if (own.dtype() != dtype) own = ops::to(own, dtype);
  return in_memory(own).contiguous();
}
}  // namespace detail

TENON_BODY RowIterator begin(const Tensor& t) {
  TENON_CHECK(t.dim() > 0, TypeError, "iteration over a 0-d tensor");
  return {t, 0};
}

}  // namespace tenon
