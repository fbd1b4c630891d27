// The steps of the optimisers for which PyTorch has no operator, for any back end.
#pragma once
#include <algorithm>
#include <cmath>

#include <tenon/composite/optim_steps.hpp>

namespace tenon::composite {

/// A number of an optimiser's state, which PyTorch keeps as a float32 tensor: it rounds at every step.
inline double number_of(const Tensor& t) { return t.item<double>(); }
inline void set_number(Tensor t, double value) {
  AutoDispatchBelowADInplaceOrView guard;
  ops::fill_(t, value);
}

template <class Device>
void fused_adadelta_(TensorList self, TensorList grads, TensorList square_avgs, TensorList acc_deltas, double lr,
                     double rho, double eps, double weight_decay, bool maximize) {
  const char* op = "_fused_adadelta_";
  check_lists(op, self, grads, "grads", false);
  check_lists(op, self, square_avgs, "square_avgs", false);
  check_lists(op, self, acc_deltas, "acc_deltas", false);
  math::steps::AdadeltaStep step{lr, rho, eps, weight_decay, maximize};
  for (std::size_t i = 0; i < self.size(); ++i)
    Device::run(OptimItem{op, self[i], grads[i], {square_avgs[i], acc_deltas[i]}}, step);
}

template <class Device>
void fused_adamax_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_infs, TensorList steps,
                   double lr, double beta1, double beta2, double weight_decay, double eps, bool maximize) {
  const char* op = "_fused_adamax_";
  check_lists(op, self, grads, "grads", false);
  check_lists(op, self, exp_avgs, "exp_avgs", false);
  check_lists(op, self, exp_infs, "exp_infs", false);
  check_lists(op, self, steps, "state_steps", false);
  for (std::size_t i = 0; i < self.size(); ++i) {
    math::steps::AdamaxStep step{
        lr / (1 - std::pow(beta1, number_of(steps[i]))), beta1, beta2, eps, weight_decay, maximize};
    Device::run(OptimItem{op, self[i], grads[i], {exp_avgs[i], exp_infs[i]}}, step);
  }
}

template <class Device>
void fused_nadam_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                  TensorList mu_products, TensorList steps, double lr, double beta1, double beta2, double weight_decay,
                  double momentum_decay, double eps, bool decoupled, bool maximize) {
  const char* op = "_fused_nadam_";
  check_lists(op, self, grads, "grads", false);
  check_lists(op, self, exp_avgs, "exp_avgs", false);
  check_lists(op, self, exp_avg_sqs, "exp_avg_sqs", false);
  check_lists(op, self, mu_products, "mu_products", false);
  check_lists(op, self, steps, "state_steps", false);
  auto momentum = [&](double count) { return beta1 * (1 - 0.5 * std::pow(0.96, count * momentum_decay)); };
  for (std::size_t i = 0; i < self.size(); ++i) {
    double count = number_of(steps[i]), mu = momentum(count), next = momentum(count + 1);
    set_number(mu_products[i], static_cast<float>(number_of(mu_products[i])) * static_cast<float>(mu));
    double product = number_of(mu_products[i]);
    math::steps::NadamStep step{-lr * (1 - mu) / (1 - product),
                                -lr * next / (1 - product * next),
                                beta1,
                                beta2,
                                eps,
                                1 - std::pow(beta2, count),
                                decoupled ? 0 : weight_decay,
                                decoupled ? 1 - lr * weight_decay : 1,
                                maximize};
    Device::run(OptimItem{op, self[i], grads[i], {exp_avgs[i], exp_avg_sqs[i]}}, step);
  }
}

template <class Device>
void fused_radam_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs, TensorList steps,
                  double lr, double beta1, double beta2, double weight_decay, double eps, bool decoupled,
                  bool maximize) {
  const char* op = "_fused_radam_";
  check_lists(op, self, grads, "grads", false);
  check_lists(op, self, exp_avgs, "exp_avgs", false);
  check_lists(op, self, exp_avg_sqs, "exp_avg_sqs", false);
  check_lists(op, self, steps, "state_steps", false);
  for (std::size_t i = 0; i < self.size(); ++i) {
    double count = number_of(steps[i]), power = std::pow(beta2, count), rest = 1 - power;
    // The length of the approximated moving average, at its end and now (the paper's rho); above 5 its variance is
    // tractable.
    double end = 2 / (1 - beta2) - 1, now = end - 2 * count * power / rest;
    double rectification = now > 5 ? std::sqrt((now - 4) * (now - 2) * end / ((end - 4) * (end - 2) * now)) : 0;
    math::steps::RadamStep step{lr,
                                beta1,
                                beta2,
                                eps,
                                1 - std::pow(beta1, count),
                                std::sqrt(rest),
                                rectification,
                                decoupled ? 0 : weight_decay,
                                decoupled ? 1 - lr * weight_decay : 1,
                                maximize};
    Device::run(OptimItem{op, self[i], grads[i], {exp_avgs[i], exp_avg_sqs[i]}}, step);
  }
}

template <class Device>
void fused_asgd_(TensorList self, TensorList grads, TensorList axs, TensorList mus, TensorList etas, TensorList steps,
                 double lr, double lambd, double alpha, double t0, double weight_decay, bool maximize) {
  const char* op = "_fused_asgd_";
  check_lists(op, self, grads, "grads", false);
  check_lists(op, self, axs, "axs", false);
  check_lists(op, self, mus, "mus", false);
  check_lists(op, self, etas, "etas", false);
  check_lists(op, self, steps, "state_steps", false);
  for (std::size_t i = 0; i < self.size(); ++i) {
    double count = number_of(steps[i]), eta = number_of(etas[i]);
    math::steps::AsgdStep step{eta, number_of(mus[i]), 1 - lambd * eta, weight_decay, maximize};
    Device::run(OptimItem{op, self[i], grads[i], {axs[i]}}, step);
    set_number(etas[i], lr / std::pow(1 + lambd * lr * count, alpha));
    set_number(mus[i], 1 / std::max(1.0, count - t0));
  }
}

template <class Device>
void fused_rprop_(TensorList self, TensorList grads, TensorList prevs, TensorList step_sizes, double etaminus,
                  double etaplus, double step_size_min, double step_size_max, bool maximize) {
  const char* op = "_fused_rprop_";
  check_lists(op, self, grads, "grads", false);
  check_lists(op, self, prevs, "prevs", false);
  check_lists(op, self, step_sizes, "step_sizes", false);
  math::steps::RpropStep step{etaminus, etaplus, step_size_min, step_size_max, maximize};
  for (std::size_t i = 0; i < self.size(); ++i)
    Device::run(OptimItem{op, self[i], grads[i], {prevs[i], step_sizes[i]}}, step);
}

}  // namespace tenon::composite
