// The optimisers' steps on CPU tensors.
#pragma once
#include <cmath>

#include <tenon/cpu/optim_kernels.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::cpu {

namespace detail {

inline constexpr std::size_t kMaxState = 3;
inline constexpr std::int64_t kOptimGrain = 1 << 15;  // elements

/// One parameter with its gradient and state; state that is not in use is undefined.
struct OptimItem {
  const char* op;
  Tensor param, grad, state[kMaxState];
};

inline bool same_layout(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.sizes() == b.sizes() && a.strides() == b.strides();
}

/// Calls `step(is_double, param, grad, state, n)` on memory of one layout, through copies where the tensors have
/// several or where their 16-bit type is computed in float.
template <class Step>
void on_flat_memory(const OptimItem& t, Step step) {
  TENON_CHECK(t.param.sizes() == t.grad.sizes(), ValueError, t.op, "(): expected a gradient of shape ", t.param.sizes(),
              ", got ", t.grad.sizes());
  TENON_CHECK(t.param.is_floating_point() || t.param.is_complex(), TypeError, t.op,
              "(): expected parameters of a floating or complex dtype, got ", t.param.dtype());
  ScalarType type = t.param.dtype(), compute = is_reduced_floating_type(type) ? kFloat
                                               : type == kComplexHalf         ? kComplexFloat
                                                                              : type;
  bool flat = compute == type && t.param.is_non_overlapping_and_dense() && same_layout(t.param, t.grad);
  for (const Tensor& s : t.state) {
    if (!s.defined()) continue;
    TENON_CHECK(t.param.sizes() == s.sizes(), ValueError, t.op, "(): expected state of shape ", t.param.sizes(),
                ", got ", s.sizes());
    flat = flat && same_layout(t.param, s);
  }
  auto run = [&](const Tensor& p, const Tensor& g, const Tensor* states) {
    // Complex numbers are pairs of real ones to every rule.
    bool is_double = compute == kDouble || compute == kComplexDouble;
    std::int64_t n = p.numel() * (p.is_complex() ? 2 : 1), size = is_double ? 8 : 4;
    auto at = [&](const Tensor& x, std::int64_t i) -> void* {
      return x.defined() ? static_cast<char*>(x.data_ptr()) + i * size : nullptr;
    };
    parallel_for(0, n, kOptimGrain, [&](std::int64_t first, std::int64_t last) {
      void* state[kMaxState];
      for (std::size_t k = 0; k < kMaxState; ++k) state[k] = at(states[k], first);
      step(is_double, at(p, first), at(g, first), state, last - first);
    });
  };
  if (flat) return run(t.param, t.grad, t.state);
  AutoDispatchBelowADInplaceOrView guard;
  auto copy = [&](const Tensor& x) {
    if (!x.defined()) return x;
    Tensor c = make_tensor(x.sizes(), {}, compute);
    ops::copy_(c, x);
    return c;
  };
  Tensor p = copy(t.param), states[kMaxState];
  for (std::size_t k = 0; k < kMaxState; ++k) states[k] = copy(t.state[k]);
  run(p, copy(t.grad), states);
  auto back = [](Tensor to, const Tensor& from) {
    if (to.defined()) ops::copy_(to, from);
  };
  back(t.param, p);
  for (std::size_t k = 0; k < kMaxState; ++k) back(t.state[k], states[k]);
}

/// The gradients without a scaler's factor; false if the step is to be left out.
inline bool unscale(TensorList grads, const std::optional<Tensor>& grad_scale, const std::optional<Tensor>& found_inf) {
  if (found_inf && found_inf->defined() && found_inf->item<double>() == 1) return false;
  if (grad_scale && grad_scale->defined())
    for (Tensor g : grads) ops::div_(g, *grad_scale);
  return true;
}

inline void check_lists(const char* op, TensorList self, TensorList list, const char* name, bool optional) {
  TENON_CHECK(list.size() == self.size() || (optional && list.empty()), ValueError, op, "(): argument '", name,
              "': expected ", self.size(), " tensors, got ", list.size());
}
inline Tensor item_of(TensorList list, std::size_t i) { return i < list.size() ? list[i] : Tensor(); }

inline void fused_sgd_(TensorList self, TensorList grads, TensorList buffers, double weight_decay, double momentum,
                       double lr, double dampening, bool nesterov, bool maximize, bool is_first_step,
                       const std::optional<Tensor>& grad_scale, const std::optional<Tensor>& found_inf) {
  const char* op = "_fused_sgd_";
  check_lists(op, self, grads, "grads", false);
  check_lists(op, self, buffers, "momentum_buffer_list", momentum == 0);
  if (!unscale(grads, grad_scale, found_inf)) return;
  SgdStep step{lr, momentum, dampening, weight_decay, nesterov, maximize, is_first_step};
  for (std::size_t i = 0; i < self.size(); ++i)
    on_flat_memory({op, self[i], grads[i], {item_of(buffers, i)}},
                   [&](bool is_double, void* p, const void* g, void** s, std::int64_t n) {
                     active_tables().optim->sgd(is_double, step, p, g, s[0], n);
                   });
}

inline void fused_adagrad_(TensorList self, TensorList grads, TensorList sums, TensorList steps, double lr,
                           double lr_decay, double weight_decay, double eps, bool maximize,
                           const std::optional<Tensor>& grad_scale, const std::optional<Tensor>& found_inf) {
  const char* op = "_fused_adagrad_";
  check_lists(op, self, grads, "grads", false);
  check_lists(op, self, sums, "state_sums", false);
  check_lists(op, self, steps, "state_steps", false);
  if (!unscale(grads, grad_scale, found_inf)) return;
  for (std::size_t i = 0; i < self.size(); ++i) {
    AdagradStep step{lr / (1 + (steps[i].item<double>() - 1) * lr_decay), weight_decay, eps, maximize};
    on_flat_memory({op, self[i], grads[i], {sums[i]}},
                   [&](bool is_double, void* p, const void* g, void** s, std::int64_t n) {
                     active_tables().optim->adagrad(is_double, step, p, g, s[0], n);
                   });
  }
}

inline void fused_rmsprop_(TensorList self, TensorList grads, TensorList square_avgs, TensorList grad_avgs,
                           TensorList buffers, double lr, double alpha, double eps, double weight_decay,
                           double momentum, bool centered, bool maximize) {
  const char* op = "_fused_rmsprop_";
  check_lists(op, self, grads, "grads", false);
  check_lists(op, self, square_avgs, "square_avgs", false);
  check_lists(op, self, grad_avgs, "grad_avgs", !centered);
  check_lists(op, self, buffers, "momentum_buffer_list", momentum <= 0);
  RmspropStep step{lr, alpha, eps, weight_decay, momentum, centered, maximize};
  for (std::size_t i = 0; i < self.size(); ++i)
    on_flat_memory({op, self[i], grads[i], {square_avgs[i], item_of(grad_avgs, i), item_of(buffers, i)}},
                   [&](bool is_double, void* p, const void* g, void** s, std::int64_t n) {
                     active_tables().optim->rmsprop(is_double, step, p, g, s[0], s[1], s[2], n);
                   });
}

template <bool Decoupled>
void fused_adam_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                 TensorList max_exp_avg_sqs, TensorList steps, double lr, double beta1, double beta2,
                 double weight_decay, double eps, bool amsgrad, bool maximize, const std::optional<Tensor>& grad_scale,
                 const std::optional<Tensor>& found_inf) {
  const char* op = Decoupled ? "_fused_adamw_" : "_fused_adam_";
  check_lists(op, self, grads, "grads", false);
  check_lists(op, self, exp_avgs, "exp_avgs", false);
  check_lists(op, self, exp_avg_sqs, "exp_avg_sqs", false);
  check_lists(op, self, max_exp_avg_sqs, "max_exp_avg_sqs", !amsgrad);
  check_lists(op, self, steps, "state_steps", false);
  if (!unscale(grads, grad_scale, found_inf)) return;
  for (std::size_t i = 0; i < self.size(); ++i) {
    double count = steps[i].item<double>();
    AdamStep step{lr / (1 - std::pow(beta1, count)),
                  beta1,
                  beta2,
                  eps,
                  std::sqrt(1 - std::pow(beta2, count)),
                  Decoupled ? 0 : weight_decay,
                  Decoupled ? 1 - lr * weight_decay : 1,
                  amsgrad,
                  maximize};
    on_flat_memory({op, self[i], grads[i], {exp_avgs[i], exp_avg_sqs[i], item_of(max_exp_avg_sqs, i)}},
                   [&](bool is_double, void* p, const void* g, void** s, std::int64_t n) {
                     active_tables().optim->adam(is_double, step, p, g, s[0], s[1], s[2], n);
                   });
  }
}

}  // namespace detail

}  // namespace tenon::cpu

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<tenon::ops::_fused_sgd_base_>();
  m.def<tenon::ops::_fused_adagrad_base_>();
  m.def<tenon::ops::_fused_adam_base_>();
  m.def<tenon::ops::_fused_adamw_base_>();
}
TENON_LIBRARY_FRAGMENT(tenon, m) { m.def<tenon::ops::_fused_rmsprop_base_>(); }
TENON_LIBRARY_IMPL(aten, CPU, m) {
  tenon::cpu::install_kernels<&tenon::cpu::KernelTables::optim>();
  m.impl<tenon::ops::_fused_sgd_base_, &tenon::cpu::detail::fused_sgd_>();
  m.impl<tenon::ops::_fused_adagrad_base_, &tenon::cpu::detail::fused_adagrad_>();
  m.impl<tenon::ops::_fused_adam_base_, &tenon::cpu::detail::fused_adam_<false>>();
  m.impl<tenon::ops::_fused_adamw_base_, &tenon::cpu::detail::fused_adam_<true>>();
}
TENON_LIBRARY_IMPL(tenon, CPU, m) { m.impl<tenon::ops::_fused_rmsprop_base_, &tenon::cpu::detail::fused_rmsprop_>(); }
