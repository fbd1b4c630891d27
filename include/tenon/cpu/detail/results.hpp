// A result that a kernel writes in an order and dtype of its own.
#pragma once
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

/// A result that a kernel writes in row-major order and in a dtype of its own; `done` brings it home.
class Result {
 public:
  Result(const Tensor& out, ScalarType dtype)
      : out_(out), held_(out.dtype() == dtype && out.is_contiguous() ? out : make_tensor(out.sizes(), {}, dtype)) {}
  template <class T>
  T* data() const {
    return static_cast<T*>(held_.data_ptr());
  }
  void done() const {
    if (!held_.is_same(out_)) copy_elements(out_, held_);
  }

 private:
  Tensor out_, held_;
};

}  // namespace tenon::cpu::detail
