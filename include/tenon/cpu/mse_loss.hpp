// The mean squared error on the CPU.
#pragma once
#include <tenon/composite/mse_loss.hpp>
#include <tenon/cpu/element_loss.hpp>

namespace tenon::cpu::detail {

/// The difference is an element, rounded as such: so do PyTorch's 16-bit floats.
struct squared_error {
  template <class T, class C>
  static C rounded(C v) {
    return static_cast<C>(static_cast<T>(v));
  }
  template <class T, class C>
  C value(C x, C y) const {
    C d = rounded<T>(x - y);
    return d * d;
  }
  template <class T, class C>
  C slope(C x, C y, C norm) const {
    return rounded<T>(2 * norm * rounded<T>(x - y));
  }
};
inline void mse_loss_cpu(const Tensor& self, const Tensor& target, std::int64_t reduction, const Tensor& out) {
  element_loss("mse_cpu", squared_error{}, self, target, {}, reduction, out);
}
inline void mse_loss_backward_cpu(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                                  const Tensor& out) {
  element_loss_backward("mse_backward_cpu_out", squared_error{}, grad, self, target, {}, reduction, out);
}

}  // namespace tenon::cpu::detail

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(mse_loss_base, CPU, cpu::detail::mse_loss_cpu);
TENON_STRUCTURED_KERNEL(mse_loss_backward_base, CPU, cpu::detail::mse_loss_backward_cpu);

}  // namespace tenon::ops
