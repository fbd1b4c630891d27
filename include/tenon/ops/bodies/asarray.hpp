// asarray: which tensor it is.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/library/default_device.hpp>
#include <tenon/ops/asarray.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::detail {

TENON_BODY Tensor array_of(const Tensor& tensor, const ArrayKeywords& k) {
  const bool requires_grad = k.requires_grad.value_or(tensor.requires_grad());
  const ScalarType dtype = k.dtype.value_or(tensor.dtype());
  // Without an index, any device of the type is meant.
  Device device = k.device ? *k.device : device_by_default().value_or(tensor.device());
  if (device.type == tensor.device().type && !device.has_index()) device = tensor.device();
  Tensor out = tensor;
  if (device != tensor.device() || dtype != tensor.dtype() || k.copy.value_or(false)) {
    const bool may_copy = k.copy.value_or(true);
    TENON_CHECK(may_copy || device == tensor.device(), ValueError, "can't alias tensor from device '", tensor.device(),
                "' to '", device, "'.");
    TENON_CHECK(may_copy, ValueError, "can't alias tensor with dtype '", enumerator_name(tensor.dtype()),
                "' into dtype '", enumerator_name(dtype), "'.");
    out = ops::to_device(tensor, device, dtype, false, true);
  }
  if (!out.is_leaf() && !requires_grad) return ops::detach(out);
  if (out.requires_grad() != requires_grad) out.set_requires_grad(requires_grad);
  return out;
}
TENON_BODY Tensor array_of(const TensorData& data, const ArrayKeywords& k) {
  TENON_CHECK(k.copy.value_or(true), ValueError, "can't alias arbitrary sequence into a tensor.");
  Tensor out = tensor_from(data, k);
  if (k.requires_grad.value_or(false)) out.set_requires_grad(true);
  return out;
}

}  // namespace tenon::detail
