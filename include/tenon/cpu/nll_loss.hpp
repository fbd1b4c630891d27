// Negative log likelihood on the CPU.
#pragma once
#include <tenon/composite/nll_loss.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

/// The classes of a batch as int64, each in range or the ignored one.
inline Tensor target_classes(const Tensor& target, std::int64_t classes, std::int64_t ignore_index) {
  composite::check_target_dtype(target);
  Tensor list = row_major(target, kLong);
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  for (std::int64_t i = 0, n = list.numel(); i < n; ++i)
    TENON_CHECK(p[i] == ignore_index || (p[i] >= 0 && p[i] < classes), IndexError, "Target ", p[i],
                " is out of bounds.");
  return list;
}
/// The weights in a row; an undefined tensor if there are none.
inline Tensor class_weights(const std::optional<Tensor>& weight, ScalarType dtype) {
  if (!weight || !weight->defined()) return {};
  composite::check_class_weight_dtype(*weight, dtype);
  return row_major(*weight, dtype);
}
/// A sum of T's, each addition rounded, in PyTorch's order: 16 elements to a level, 8 levels. `carry(i)` follows the
/// addition of element i and is left out where nothing was added.
template <class T>
class CascadeSum {
 public:
  using C = compute_t<T>;
  void add(C x) { level_[0] = rounded(level_[0] + x); }
  void carry(std::int64_t i) {
    for (int k = 0; k + 1 < kLevels && (i >> (4 * k) & 15) == 0; ++k) {
      level_[k + 1] = rounded(level_[k + 1] + level_[k]);
      level_[k] = 0;
    }
  }
  T total() const {
    C sum = 0;
    for (C x : level_) sum = rounded(sum + x);
    return static_cast<T>(sum);
  }

 private:
  static constexpr int kLevels = 8;
  static C rounded(C x) { return static_cast<C>(static_cast<T>(x)); }
  C level_[kLevels] = {};
};
inline void nll_loss_forward_cpu(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                                 std::int64_t reduction, std::int64_t ignore_index, const Tensor& output,
                                 const Tensor& total_weight) {
  std::int64_t classes = self.sizes().back(), row = self.dim() == 2 ? self.strides()[0] : 0,
               column = self.strides().back();
  Tensor list = target_classes(target, classes, ignore_index), weights = class_weights(weight, self.dtype());
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  std::int64_t n = list.numel();
  visit_floating(self.dtype(), "nll_loss_out_frame", [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    auto x = static_cast<const T*>(self.data_ptr());
    auto w = weights.defined() ? static_cast<const T*>(weights.data_ptr()) : nullptr;
    auto y = static_cast<T*>(output.data_ptr());
    auto loss = [&](std::int64_t i) {
      return -static_cast<C>(x[i * row + p[i] * column]) * (w ? static_cast<C>(w[p[i]]) : C(1));
    };
    if (reduction == composite::kNoReduction && self.dim() == 2) {
      std::int64_t step = output.strides()[0];
      for (std::int64_t i = 0; i < n; ++i) y[i * step] = static_cast<T>(p[i] == ignore_index ? C(0) : loss(i));
      *static_cast<T*>(total_weight.data_ptr()) = T(0);
      return;
    }
    CascadeSum<T> sum, weight_sum;
    std::int64_t used = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      if (p[i] == ignore_index) continue;
      ++used;
      sum.add(static_cast<C>(static_cast<T>(loss(i))));
      if (w) weight_sum.add(static_cast<C>(w[p[i]]));
      sum.carry(i);
      weight_sum.carry(i);
    }
    T total = w ? weight_sum.total() : static_cast<T>(static_cast<C>(used));
    *y = reduction == composite::kMeanReduction ? static_cast<T>(static_cast<C>(sum.total()) / static_cast<C>(total))
                                                : sum.total();
    *static_cast<T*>(total_weight.data_ptr()) = total;
  });
}
inline void nll_loss_backward_cpu(const Tensor& grad, const Tensor& self, const Tensor& target,
                                  const std::optional<Tensor>& weight, std::int64_t reduction,
                                  std::int64_t ignore_index, const Tensor& total_weight, const Tensor& out) {
  for (const Tensor* t : {&grad, &total_weight})
    TENON_CHECK(t->dtype() == self.dtype(), TypeError, "expected scalar type ", enumerator_name(self.dtype()),
                " but found ", enumerator_name(t->dtype()));
  fill_elements(out, Scalar(0));
  std::int64_t row = self.dim() == 2 ? out.strides()[0] : 0, column = out.strides().back();
  Tensor list = target_classes(target, self.sizes().back(), ignore_index),
         weights = class_weights(weight, self.dtype());
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  std::int64_t n = list.numel();
  visit_floating(self.dtype(), "nll_loss_backward_out_frame", [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    auto w = weights.defined() ? static_cast<const T*>(weights.data_ptr()) : nullptr;
    auto g = static_cast<const T*>(grad.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    bool each = reduction == composite::kNoReduction && self.dim() == 2;
    std::int64_t step = each ? grad.strides()[0] : 0;
    C divisor =
        reduction == composite::kMeanReduction ? static_cast<C>(*static_cast<const T*>(total_weight.data_ptr())) : C(1);
    for (std::int64_t i = 0; i < n; ++i) {
      if (p[i] == ignore_index) continue;
      y[i * row + p[i] * column] =
          static_cast<T>(-(w ? static_cast<C>(w[p[i]]) : C(1)) * (static_cast<C>(g[i * step]) / divisor));
    }
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) { install_kernels<&KernelTables::copy>(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(nll_loss_forward_base, CPU, cpu::detail::nll_loss_forward_cpu);
TENON_STRUCTURED_KERNEL(nll_loss_backward_base, CPU, cpu::detail::nll_loss_backward_cpu);

}  // namespace tenon::ops
