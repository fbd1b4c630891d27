// Tensors carried over with another size, dtype or device.
#pragma once
#include <optional>
#include <vector>

#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/carried.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/matching.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/scan.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

/// Nothing to lift where no transform is at work: the tensor itself.
inline Tensor lift(const Tensor& self) { return self; }
/// Copied at once: memory here is never shared until it is written.
inline Tensor lazy_clone(const Tensor& self) { return ops::clone(self); }
inline Tensor resized(const Tensor& self, SymIntArrayRef size, std::optional<MemoryFormat> format) {
  Tensor copy = ops::clone(self);
  return ops::resize_(copy, size, "memory_format"_a = format);
}
inline Tensor resized_as(const Tensor& self, const Tensor& like, std::optional<MemoryFormat> format) {
  Tensor copy = ops::clone(self);
  return ops::resize_as_(copy, like, "memory_format"_a = format);
}
/// No dtype here is quantised, so elements keep their values.
inline Tensor dequantize(const Tensor& self) { return ops::to(self, kFloat); }
inline std::vector<Tensor> to_cpu(TensorList tensors) {
  std::vector<Tensor> results;
  for (const Tensor& t : tensors) results.push_back(ops::to(t, kCPU));
  return results;
}
inline bool autocast_applies(const Tensor& self, bool cuda_enabled, bool cpu_enabled) {
  return (self.device().type == DeviceType::CUDA && cuda_enabled) ||
         (self.device().type == DeviceType::CPU && cpu_enabled);
}
inline Tensor autocast_to_full_precision(const Tensor& self, bool cuda_enabled, bool cpu_enabled) {
  const bool applies = autocast_applies(self, cuda_enabled, cpu_enabled);
  return applies && is_reduced_floating_type(self.dtype()) ? ops::to(self, kFloat) : self;
}
inline Tensor autocast_to_reduced_precision(const Tensor& self, bool cuda_enabled, bool cpu_enabled,
                                            ScalarType cuda_dtype, ScalarType cpu_dtype) {
  if (self.dtype() != kFloat || !autocast_applies(self, cuda_enabled, cpu_enabled)) return self;
  return ops::to(self, self.device().type == DeviceType::CUDA ? cuda_dtype : cpu_dtype);
}
inline bool is_vulkan_available() { return false; }
inline bool is_nnpack_available() { return false; }

inline Tensor to_dense(const Tensor& self, std::optional<ScalarType> dtype, std::optional<bool>) {
  return dtype ? Tensor(ops::to(self, *dtype)) : self;
}
inline Tensor to_dense_backward(const Tensor& grad, const Tensor& input, std::optional<bool>) {
  return ops::to(grad, input.dtype());
}
inline std::int64_t dense_dim(const Tensor& self) { return self.dim(); }
inline std::int64_t sparse_dim(const Tensor&) { return 0; }

/// The rows that a mask keeps, and for each row its new place; -1 for one that is left out.
inline std::tuple<Tensor, Tensor> rowwise_prune(const Tensor& weight, const Tensor& mask, ScalarType index_type) {
  TENON_CHECK(weight.dim() == 2, ValueError, "'weights' should have 2 dimensions.");
  TENON_CHECK(weight.sym_size(0) == mask.sym_numel(), ValueError,
              "Number of elements in 'mask' should be equivalent to the number of rows in 'weights'.");
  TENON_CHECK(index_type == kInt || index_type == kLong, TypeError,
              "compressed_indices_dtype should be either int(int32) or long(int64).");
  TENON_CHECK(mask.dtype() == kBool, TypeError, "expected scalar type Bool but found ", enumerator_name(mask.dtype()));
  Tensor kept = ops::reshape(mask, {-1}), places = ops::sub(ops::cumsum(kept, 0, "dtype"_a = index_type), 1);
  return {ops::index_select(ops::detach(weight), 0, ops::reshape(ops::nonzero(kept), {-1})),
          ops::masked_fill(places, ops::logical_not(kept), -1)};
}
/// Zeros with the geometry of `other` behind the first dimensions of `self`; room for all of its memory in each.
inline Tensor zeros_with_geometry(const Tensor& self, const Tensor& other, std::int64_t batch_dims) {
  TENON_CHECK(batch_dims >= 0 && batch_dims <= self.dim(), ValueError,
              "_new_zeros_with_same_feature_meta(): expected at most ", self.dim(), " dimensions of a batch, got ",
              batch_dims);
  SymDimVector sizes, strides;
  SymInt each = batch_dims == 0 || other.is_symbolic()
                    ? other.sym_numel()
                    : SymInt(static_cast<std::int64_t>(other.storage().nbytes() / other.element_size()));
  for (std::int64_t d = 0; d < batch_dims; ++d) {
    sizes.push_back(self.sym_size(d));
    SymInt step = each;
    for (std::int64_t inner = d + 1; inner < batch_dims; ++inner) step = step * self.sym_size(inner);
    strides.push_back(step);
  }
  for (const SymInt& n : other.sym_sizes()) sizes.push_back(n);
  for (const SymInt& n : other.sym_strides()) strides.push_back(n);
  AutoDispatchBelowADInplaceOrView guard;
  Tensor zeros = composite::empty_strided(sizes, strides, TensorOptions{}.or_like(other));
  return ops::zero_(zeros);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  define_with_copied_out(m, ops::lift_base);
  define_with_copied_out(m, ops::resize_base);
  define_with_copied_out(m, ops::resize_as_base);
  define_with_copied_out(m, ops::dequantize_self);
  m.impl<ops::resize_base, &resized>(all).impl<ops::resize_as_base, &resized_as>(all);
  m.impl<ops::dequantize_self, &dequantize>(all);
  // Made of what has gradients.
  m.impl<ops::lift_base, &lift>();
  m.def<ops::_lazy_clone_base>().impl<ops::_lazy_clone_base, &lazy_clone>();
  m.def<ops::_to_cpu_base>().impl<ops::_to_cpu_base, &to_cpu>();
  m.def<ops::_autocast_to_full_precision_base>().def<ops::_autocast_to_reduced_precision_base>();
  m.impl<ops::_autocast_to_full_precision_base, &autocast_to_full_precision>();
  m.impl<ops::_autocast_to_reduced_precision_base, &autocast_to_reduced_precision>();
  m.def<ops::is_vulkan_available_base>().impl<ops::is_vulkan_available_base, &is_vulkan_available>();
  m.def<ops::_nnpack_available_base>().impl<ops::_nnpack_available_base, &is_nnpack_available>();
  m.def<ops::to_dense_base>().impl<ops::to_dense_base, &to_dense>();
  m.def<ops::to_dense_backward_base>().impl<ops::to_dense_backward_base, &to_dense_backward>();
  m.def<ops::dense_dim_base>().impl<ops::dense_dim_base, &dense_dim>();
  m.def<ops::sparse_dim_base>().impl<ops::sparse_dim_base, &sparse_dim>();
  m.def<ops::_rowwise_prune_base>().impl<ops::_rowwise_prune_base, &rowwise_prune>();
  define_with_copied_out(m, ops::_new_zeros_with_same_feature_meta_base);
  m.impl<ops::_new_zeros_with_same_feature_meta_base, &zeros_with_geometry>(all);
}

}  // namespace tenon::composite
