// The optimisers' steps over lists of tensors, for any back end.
#pragma once
#include <cmath>

#include <tenon/library/operators.hpp>
#include <tenon/math/optim_rules.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::composite {

/// One parameter with its gradient and state; state that is not in use is undefined.
struct OptimItem {
  const char* op;
  Tensor param, grad, state[3];
};

/// The type that a step is computed in; throws for tensors that none can be made of.
inline ScalarType check_item(const OptimItem& t) {
  TENON_CHECK(t.param.sizes() == t.grad.sizes(), ValueError, t.op, "(): expected a gradient of shape ", t.param.sizes(),
              ", got ", t.grad.sizes());
  TENON_CHECK(t.param.is_floating_point() || t.param.is_complex(), TypeError, t.op,
              "(): expected parameters of a floating or complex dtype, got ", t.param.dtype());
  const Tensor* moved[] = {&t.grad, &t.state[0], &t.state[1], &t.state[2]};
  for (const Tensor* x : moved)
    TENON_CHECK(!x->defined() || x->device() == t.param.device(), ValueError,
                "Expected all tensors to be on the same device, but found at least two devices, ", t.param.device(),
                " and ", x->device(), "!");
  for (const Tensor& s : t.state)
    TENON_CHECK(!s.defined() || t.param.sizes() == s.sizes(), ValueError, t.op, "(): expected state of shape ",
                t.param.sizes(), ", got ", s.sizes());
  ScalarType type = t.param.dtype();
  return is_reduced_floating_type(type) ? kFloat : type == kComplexHalf ? kComplexFloat : type;
}
inline bool same_layout(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.sizes() == b.sizes() && a.strides() == b.strides();
}
/// Calls `step(param, grad, states)` with memory of one layout, through copies where the tensors have several or where
/// their 16-bit type is computed in float.
template <class Step>
void on_flat_tensors(const OptimItem& t, Step step) {
  ScalarType compute = check_item(t);
  bool flat = compute == t.param.dtype() && t.param.is_non_overlapping_and_dense() && same_layout(t.param, t.grad);
  for (const Tensor& s : t.state) flat = flat && (!s.defined() || same_layout(t.param, s));
  if (flat) return step(t.param, t.grad, t.state);
  AutoDispatchBelowADInplaceOrView guard;
  auto copy = [&](const Tensor& x) {
    if (!x.defined()) return x;
    Tensor c = make_tensor(x.sizes(), {}, compute, x.device());
    ops::copy_(c, x);
    return c;
  };
  Tensor p = copy(t.param), states[] = {copy(t.state[0]), copy(t.state[1]), copy(t.state[2])};
  step(p, copy(t.grad), states);
  auto back = [](Tensor to, const Tensor& from) {
    if (to.defined()) ops::copy_(to, from);
  };
  back(t.param, p);
  for (std::size_t k = 0; k < 3; ++k) back(t.state[k], states[k]);
}

// `Device::run(item, step)` takes one step of a parameter.

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

template <class Device>
void fused_sgd_(TensorList self, TensorList grads, TensorList buffers, double weight_decay, double momentum, double lr,
                double dampening, bool nesterov, bool maximize, bool is_first_step,
                const std::optional<Tensor>& grad_scale, const std::optional<Tensor>& found_inf) {
  const char* op = "_fused_sgd_";
  check_lists(op, self, grads, "grads", false);
  check_lists(op, self, buffers, "momentum_buffer_list", momentum == 0);
  if (!unscale(grads, grad_scale, found_inf)) return;
  math::steps::SgdStep step{lr, momentum, dampening, weight_decay, nesterov, maximize, is_first_step};
  for (std::size_t i = 0; i < self.size(); ++i)
    Device::run(OptimItem{op, self[i], grads[i], {item_of(buffers, i)}}, step);
}

template <class Device>
void fused_adagrad_(TensorList self, TensorList grads, TensorList sums, TensorList steps, double lr, double lr_decay,
                    double weight_decay, double eps, bool maximize, const std::optional<Tensor>& grad_scale,
                    const std::optional<Tensor>& found_inf) {
  const char* op = "_fused_adagrad_";
  check_lists(op, self, grads, "grads", false);
  check_lists(op, self, sums, "state_sums", false);
  check_lists(op, self, steps, "state_steps", false);
  if (!unscale(grads, grad_scale, found_inf)) return;
  for (std::size_t i = 0; i < self.size(); ++i) {
    math::steps::AdagradStep step{lr / (1 + (steps[i].item<double>() - 1) * lr_decay), weight_decay, eps, maximize};
    Device::run(OptimItem{op, self[i], grads[i], {sums[i]}}, step);
  }
}

template <class Device>
void fused_rmsprop_(TensorList self, TensorList grads, TensorList square_avgs, TensorList grad_avgs, TensorList buffers,
                    double lr, double alpha, double eps, double weight_decay, double momentum, bool centered,
                    bool maximize) {
  const char* op = "_fused_rmsprop_";
  check_lists(op, self, grads, "grads", false);
  check_lists(op, self, square_avgs, "square_avgs", false);
  check_lists(op, self, grad_avgs, "grad_avgs", !centered);
  check_lists(op, self, buffers, "momentum_buffer_list", momentum <= 0);
  math::steps::RmspropStep step{lr, alpha, eps, weight_decay, momentum, centered, maximize};
  for (std::size_t i = 0; i < self.size(); ++i)
    Device::run(OptimItem{op, self[i], grads[i], {square_avgs[i], item_of(grad_avgs, i), item_of(buffers, i)}}, step);
}

template <class Device, bool Decoupled>
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
    math::steps::AdamStep step{lr / (1 - std::pow(beta1, count)),
                               beta1,
                               beta2,
                               eps,
                               std::sqrt(1 - std::pow(beta2, count)),
                               Decoupled ? 0 : weight_decay,
                               Decoupled ? 1 - lr * weight_decay : 1,
                               amsgrad,
                               maximize};
    Device::run(OptimItem{op, self[i], grads[i], {exp_avgs[i], exp_avg_sqs[i], item_of(max_exp_avg_sqs, i)}}, step);
  }
}

/// The form whose rate is a tensor of one element, `Given`, by that whose rate is a number, `Op`.
template <class Given, auto Op, class Sig = signature_of_t<Given>>
struct with_tensor_rate;
template <class Given, auto Op, class... A>
struct with_tensor_rate<Given, Op, void(A...)> {
  static void call(A... args) { Op(plain(args)...); }

 private:
  static double plain(const Tensor& rate) { return rate.item<double>(); }
  template <class T>
  static const T& plain(const T& other) {
    return other;
  }
};

}  // namespace tenon::composite
