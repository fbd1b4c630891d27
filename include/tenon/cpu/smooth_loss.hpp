// Losses that are linear far from their target, and the cross entropy of two probabilities, on the CPU.
#pragma once
#include <algorithm>
#include <atomic>
#include <cmath>

#include <tenon/composite/smooth_loss.hpp>
#include <tenon/cpu/element_loss.hpp>

namespace tenon::cpu::detail {

struct smooth_l1_rule {
  double beta;
  template <class T, class C>
  C value(C x, C y) const {
    C size = std::abs(x - y), bound = static_cast<C>(beta);
    return size < bound ? C(0.5) * size * size / bound : size - C(0.5) * bound;
  }
  template <class T, class C>
  C slope(C x, C y, C norm) const {
    C d = x - y, bound = static_cast<C>(beta);
    return d <= -bound ? -norm : d >= bound ? norm : norm * d / bound;
  }
};
struct huber_rule {
  double delta;
  template <class T, class C>
  C value(C x, C y) const {
    C size = std::abs(x - y), bound = static_cast<C>(delta);
    return size <= bound ? C(0.5) * size * size : bound * (size - C(0.5) * bound);
  }
  template <class T, class C>
  C slope(C x, C y, C norm) const {
    C d = x - y, bound = static_cast<C>(delta);
    return d <= -bound ? -norm * bound : d >= bound ? norm * bound : norm * d;
  }
};
struct soft_margin_rule {
  template <class T, class C>
  C value(C x, C y) const {
    // An exponential that T does not hold is infinite, as in PyTorch.
    return std::log1p(static_cast<C>(static_cast<T>(std::exp(static_cast<C>(static_cast<T>(-x * y))))));
  }
  template <class T, class C>
  C slope(C x, C y, C norm) const {
    C z = std::exp(-x * y);
    return std::isinf(z) ? -norm * y : -norm * y * z / (1 + z);
  }
};
struct binary_cross_entropy_rule {
  std::atomic<bool>*input_outside, *target_outside;
  /// Logarithms stop at -100.
  template <class T, class C>
  C value(C x, C y) const {
    if (!(x >= 0 && x <= 1)) input_outside->store(true, std::memory_order_relaxed);
    if (!(y >= 0 && y <= 1)) target_outside->store(true, std::memory_order_relaxed);
    return (y - 1) * std::max(std::log1p(-x), C(-100)) - y * std::max(std::log(x), C(-100));
  }
  template <class T, class C>
  C slope(C x, C y, C norm) const {
    return norm * (x - y) / std::max((1 - x) * x, C(1e-12));
  }
};

inline void smooth_l1_loss_cpu(const Tensor& self, const Tensor& target, std::int64_t reduction, double beta,
                               const Tensor& out) {
  element_loss("smooth_l1_cpu", smooth_l1_rule{beta}, self, target, {}, reduction, out);
}
inline void smooth_l1_loss_backward_cpu(const Tensor& grad, const Tensor& self, const Tensor& target,
                                        std::int64_t reduction, double beta, const Tensor& out) {
  element_loss_backward("smooth_l1_backward_cpu_out", smooth_l1_rule{beta}, grad, self, target, {}, reduction, out);
}
inline void huber_loss_cpu(const Tensor& self, const Tensor& target, std::int64_t reduction, double delta,
                           const Tensor& out) {
  element_loss("huber_cpu", huber_rule{delta}, self, target, {}, reduction, out);
}
inline void huber_loss_backward_cpu(const Tensor& grad, const Tensor& self, const Tensor& target,
                                    std::int64_t reduction, double delta, const Tensor& out) {
  element_loss_backward("huber_backward_cpu_out", huber_rule{delta}, grad, self, target, {}, reduction, out);
}
inline void soft_margin_loss_cpu(const Tensor& self, const Tensor& target, std::int64_t reduction, const Tensor& out) {
  element_loss("soft_margin_cpu", soft_margin_rule{}, self, target, {}, reduction, out);
}
inline void soft_margin_loss_backward_cpu(const Tensor& grad, const Tensor& self, const Tensor& target,
                                          std::int64_t reduction, const Tensor& out) {
  element_loss_backward("soft_margin_backward_cpu", soft_margin_rule{}, grad, self, target, {}, reduction, out);
}
inline void binary_cross_entropy_cpu(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                                     std::int64_t reduction, const Tensor& out) {
  std::atomic<bool> input_outside{false}, target_outside{false};
  element_loss("binary_cross_entropy", binary_cross_entropy_rule{&input_outside, &target_outside}, self, target,
               weight.value_or(Tensor()), reduction, out);
  TENON_CHECK(!input_outside, ValueError, "all elements of input should be between 0 and 1");
  TENON_CHECK(!target_outside, ValueError, "all elements of target should be between 0 and 1");
}
inline void binary_cross_entropy_backward_cpu(const Tensor& grad, const Tensor& self, const Tensor& target,
                                              const std::optional<Tensor>& weight, std::int64_t reduction,
                                              const Tensor& out) {
  element_loss_backward("binary_cross_entropy_backward", binary_cross_entropy_rule{nullptr, nullptr}, grad, self,
                        target, weight.value_or(Tensor()), reduction, out);
}

}  // namespace tenon::cpu::detail

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(smooth_l1_loss_base, CPU, cpu::detail::smooth_l1_loss_cpu);
TENON_STRUCTURED_KERNEL(smooth_l1_loss_backward_base, CPU, cpu::detail::smooth_l1_loss_backward_cpu);
TENON_STRUCTURED_KERNEL(huber_loss_base, CPU, cpu::detail::huber_loss_cpu);
TENON_STRUCTURED_KERNEL(huber_loss_backward_base, CPU, cpu::detail::huber_loss_backward_cpu);
TENON_STRUCTURED_KERNEL(soft_margin_loss_base, CPU, cpu::detail::soft_margin_loss_cpu);
TENON_STRUCTURED_KERNEL(soft_margin_loss_backward_base, CPU, cpu::detail::soft_margin_loss_backward_cpu);
TENON_STRUCTURED_KERNEL(binary_cross_entropy_base, CPU, cpu::detail::binary_cross_entropy_cpu);
TENON_STRUCTURED_KERNEL(binary_cross_entropy_backward_base, CPU, cpu::detail::binary_cross_entropy_backward_cpu);

}  // namespace tenon::ops
