// What a tensor is made like: dtype, layout, device, and whether it is a leaf that collects its gradient.
#pragma once
#include <optional>

#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// Options of factories in one value, `ops::zeros({2, 3}, x.options().dtype(kLong))`; the keywords `"dtype"_a` and so
/// on say the same. What is not said is as the factory has it.
class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(ScalarType dtype) : dtype_(dtype) {}
  TensorOptions(Device device) : device_(device) {}

  // Copies that differ in one thing.
  TensorOptions dtype(std::optional<ScalarType> dtype) const { return with(&TensorOptions::dtype_, dtype); }
  TensorOptions layout(std::optional<Layout> layout) const { return with(&TensorOptions::layout_, layout); }
  TensorOptions device(std::optional<Device> device) const { return with(&TensorOptions::device_, device); }
  TensorOptions pinned_memory(std::optional<bool> on) const { return with(&TensorOptions::pinned_memory_, on); }
  TensorOptions requires_grad(bool on) const { return with(&TensorOptions::requires_grad_, on); }
  TensorOptions memory_format(std::optional<MemoryFormat> format) const {
    return with(&TensorOptions::memory_format_, format);
  }

  std::optional<ScalarType> dtype() const { return dtype_; }
  std::optional<Layout> layout() const { return layout_; }
  std::optional<Device> device() const { return device_; }
  std::optional<bool> pinned_memory() const { return pinned_memory_; }
  bool requires_grad() const { return requires_grad_; }
  std::optional<MemoryFormat> memory_format() const { return memory_format_; }

 private:
  template <class T>
  TensorOptions with(T TensorOptions::*member, T value) const {
    TensorOptions out = *this;
    out.*member = value;
    return out;
  }
  std::optional<ScalarType> dtype_;
  std::optional<Layout> layout_;
  std::optional<Device> device_;
  std::optional<bool> pinned_memory_;
  std::optional<MemoryFormat> memory_format_;
  bool requires_grad_ = false;
};

/// What makes tensors of a back end's key: `options_of(DispatchKey::SparseCUDA)` is layout sparse and device cuda. Its
/// opposite is what BackendSelect computes. Throws ValueError for a key that is no back end's.
TensorOptions options_of(DispatchKey key);

inline TensorOptions Tensor::options() const { return TensorOptions(dtype()).layout(layout()).device(device()); }

}  // namespace tenon
