// The oldest constructor's meanings, one by one.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/library/default_device.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/legacy_tensor.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::detail {

TENON_BODY TensorKeywords legacy_options(TensorKeywords k) {
  TENON_CHECK(!k.device || k.device->type == kCPU.type, ValueError, "legacy constructor expects device type: cpu but ",
              "device type: ", k.device->type, " was passed");
  k.dtype = k.dtype.value_or(get_default_dtype());
  k.device = kCPU;
  return k;
}
TENON_BODY Tensor legacy_sizes(SymIntArrayRef sizes, const TensorKeywords& k) {
  return ops::empty(sizes, "dtype"_a = *k.dtype, "device"_a = k.device);
}
TENON_BODY Tensor legacy_storage(const Storage& storage, const TensorKeywords& k) {
  TENON_CHECK(storage.device() == kCPU, ValueError, "legacy constructor expects a storage on the CPU, got one on ",
              storage.device());
  auto count = static_cast<std::int64_t>(storage.nbytes() / item_size(*k.dtype));
  Tensor whole = make_tensor({0}, {}, *k.dtype);
  whole->set_storage(storage.impl());
  return make_alias(whole, {count}, {1}, 0);
}
TENON_BODY Tensor legacy_alias(const Tensor& other, bool same_dtype, const TensorKeywords& k) {
  TENON_CHECK(!same_dtype || other.dtype() == *k.dtype, TypeError, "expected a tensor of dtype ", *k.dtype,
              " (got one of dtype ", other.dtype(), ")");
  return ops::alias(ops::detach(other));
}
TENON_BODY Tensor legacy_data(const TensorData& data, const TensorKeywords& k) {
  TENON_CHECK(!data.sizes().empty(), TypeError, "new(): data must be a sequence (got ",
              is_integral_type(data.dtype(), true) ? "int" : "float", ")");
  return tensor_from(data, k);
}

}  // namespace tenon::detail
