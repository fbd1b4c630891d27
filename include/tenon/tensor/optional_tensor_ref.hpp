// A tensor that may be absent, referred to without counting the reference.
#pragma once
#include <optional>

#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// What `const std::optional<Tensor>&` would be without making an optional: a function that takes it can be given a
/// tensor that the caller has. The tensor must outlive it; an undefined one counts as absent.
class OptionalTensorRef {
 public:
  OptionalTensorRef() = default;
  OptionalTensorRef(const Tensor& t) : tensor_(t.defined() ? &t : nullptr) {}
  OptionalTensorRef(const Tensor&&) = delete;
  OptionalTensorRef(const std::optional<Tensor>& t) : tensor_(t && t->defined() ? &*t : nullptr) {}
  OptionalTensorRef(const std::optional<Tensor>&&) = delete;

  bool has_value() const { return tensor_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const Tensor& operator*() const { return *tensor_; }
  const Tensor* operator->() const { return tensor_; }
  /// The tensor, or an undefined one.
  const Tensor& or_undefined() const {
    static const Tensor none;
    return tensor_ ? *tensor_ : none;
  }

 private:
  const Tensor* tensor_ = nullptr;
};

}  // namespace tenon
