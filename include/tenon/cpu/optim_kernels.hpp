// The optimisers' update rules: one pass over a parameter, its gradient and its state.
#pragma once
#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/cpu/simd.hpp>

namespace tenon::cpu {

// The numbers of one step. What depends on the step's count is computed in double before, as PyTorch does.
struct SgdStep {
  double lr, momentum, dampening, weight_decay;
  bool nesterov, maximize, first;
};
struct AdagradStep {
  double lr;  // decayed
  double weight_decay, eps;
  bool maximize;
};
struct RmspropStep {
  double lr, alpha, eps, weight_decay, momentum;
  bool centered, maximize;
};
struct AdamStep {
  double step_size, beta1, beta2, eps, correction;  // correction: sqrt(1 - beta2^step)
  double weight_decay, shrink;                      // shrink: what AdamW multiplies the parameter with; 1 in Adam
  bool amsgrad, maximize;
};

/// Each kernel updates `n` elements of float (or double) in place; state that the step does not use is null.
struct OptimKernels {
  void (*sgd)(bool is_double, const SgdStep&, void* p, const void* g, void* buffer, std::int64_t n);
  void (*adagrad)(bool is_double, const AdagradStep&, void* p, const void* g, void* sum, std::int64_t n);
  void (*rmsprop)(bool is_double, const RmspropStep&, void* p, const void* g, void* square_avg, void* grad_avg,
                  void* buffer, std::int64_t n);
  void (*adam)(bool is_double, const AdamStep&, void* p, const void* g, void* exp_avg, void* exp_avg_sq,
               void* max_exp_avg_sq, std::int64_t n);
};

namespace detail {

// The rules round after the same operations as PyTorch's optimisers without `foreach` or `fused`, whose sums with a
// product are fused. Centred RMSprop needs it: it takes the root of a difference that rounding alone makes negative.

/// lerp_(a, b, w): the form that is exact at the nearer end.
template <class V>
struct Lerp {
  V factor;
  bool from_end;
  explicit Lerp(double w) : factor(w < 0.5 ? V(w) : V(w) - V(1.0)), from_end(w >= 0.5) {}
  V operator()(V a, V b) const { return fma(factor, b - a, from_end ? b : a); }
};

template <class V>
struct SgdRule {
  V minus_lr, momentum, keep, weight_decay;
  bool decays, has_momentum, nesterov, maximize, first;
  explicit SgdRule(const SgdStep& s)
      : minus_lr(-s.lr),
        momentum(s.momentum),
        keep(1 - s.dampening),
        weight_decay(s.weight_decay),
        decays(s.weight_decay != 0),
        has_momentum(s.momentum != 0),
        nesterov(s.nesterov),
        maximize(s.maximize),
        first(s.first) {}
  void operator()(V& p, V g, V& buffer) const {
    if (maximize) g = -g;
    if (decays) g = fma(weight_decay, p, g);
    if (has_momentum) {
      buffer = first ? g : fma(keep, g, buffer * momentum);
      g = nesterov ? fma(momentum, buffer, g) : buffer;
    }
    p = fma(minus_lr, g, p);
  }
};

template <class V>
struct AdagradRule {
  V minus_lr, weight_decay, eps;
  bool decays, maximize;
  explicit AdagradRule(const AdagradStep& s)
      : minus_lr(-s.lr), weight_decay(s.weight_decay), eps(s.eps), decays(s.weight_decay != 0), maximize(s.maximize) {}
  void operator()(V& p, V g, V& sum) const {
    if (maximize) g = -g;
    if (decays) g = fma(weight_decay, p, g);
    sum = fma(g, g, sum);
    p = p + minus_lr * g / (sqrt(sum) + eps);
  }
};

template <class V>
struct RmspropRule {
  V minus_lr, alpha, rest, eps, weight_decay, momentum;
  Lerp<V> average;
  bool decays, has_momentum, centered, maximize;
  explicit RmspropRule(const RmspropStep& s)
      : minus_lr(-s.lr),
        alpha(s.alpha),
        rest(1 - s.alpha),
        eps(s.eps),
        weight_decay(s.weight_decay),
        momentum(s.momentum),
        average(1 - s.alpha),
        decays(s.weight_decay != 0),
        has_momentum(s.momentum > 0),
        centered(s.centered),
        maximize(s.maximize) {}
  void operator()(V& p, V g, V& square_avg, V& grad_avg, V& buffer) const {
    if (maximize) g = -g;
    if (decays) g = fma(weight_decay, p, g);
    square_avg = fma(rest * g, g, square_avg * alpha);
    V spread = square_avg;
    if (centered) {
      grad_avg = average(grad_avg, g);
      spread = fma(-grad_avg, grad_avg, spread);
    }
    spread = sqrt(spread) + eps;
    if (has_momentum) {
      buffer = buffer * momentum + g / spread;
      p = fma(minus_lr, buffer, p);
    } else {
      p = p + minus_lr * g / spread;
    }
  }
};

template <class V>
struct AdamRule {
  V minus_step, beta2, rest2, eps, correction, weight_decay, shrink;
  Lerp<V> average;
  bool decays, shrinks, amsgrad, maximize;
  explicit AdamRule(const AdamStep& s)
      : minus_step(-s.step_size),
        beta2(s.beta2),
        rest2(1 - s.beta2),
        eps(s.eps),
        correction(s.correction),
        weight_decay(s.weight_decay),
        shrink(s.shrink),
        average(1 - s.beta1),
        decays(s.weight_decay != 0),
        shrinks(s.shrink != 1),
        amsgrad(s.amsgrad),
        maximize(s.maximize) {}
  void operator()(V& p, V g, V& exp_avg, V& exp_avg_sq, V& max_exp_avg_sq) const {
    if (maximize) g = -g;
    if (shrinks) p = p * shrink;
    if (decays) g = fma(weight_decay, p, g);
    exp_avg = average(exp_avg, g);
    exp_avg_sq = fma(rest2 * g, g, exp_avg_sq * beta2);
    V square = exp_avg_sq;
    if (amsgrad) square = max_exp_avg_sq = maximum(max_exp_avg_sq, exp_avg_sq);
    p = p + minus_step * exp_avg / (sqrt(square) / correction + eps);
  }
};

// The rule is a local copy: stores through the pointers cannot change it, so that it stays in registers.
template <template <class> class Rule, class T, class Arch, class Step, class... S>
void optim_loop(const Step& step, T* p, const T* g, std::int64_t n, S*... state) {
  using V = math::vec<T, Arch>;
  const Rule<V> rule(step);
  std::int64_t i = 0;
  for (; i + V::size <= n; i += V::size) {
    V x = V::load(p + i);
    [&](auto... s) {
      rule(x, V::load(g + i), s...);
      ((state ? s.store(state + i) : void()), ...);
    }((state ? V::load(state + i) : V(T(0)))...);
    x.store(p + i);
  }
  if (int rest = static_cast<int>(n - i)) {
    V x = V::load_partial(p + i, rest);
    [&](auto... s) {
      rule(x, V::load_partial(g + i, rest), s...);
      ((state ? s.store_partial(state + i, rest) : void()), ...);
    }((state ? V::load_partial(state + i, rest) : V(T(0)))...);
    x.store_partial(p + i, rest);
  }
}
template <template <class> class Rule, class Arch, class Step>
struct optim_kernel {
  static void one(bool is_double, const Step& step, void* p, const void* g, void* a, std::int64_t n) {
    if (is_double)
      run<double>(step, p, g, n, a);
    else
      run<float>(step, p, g, n, a);
  }
  static void three(bool is_double, const Step& step, void* p, const void* g, void* a, void* b, void* c,
                    std::int64_t n) {
    if (is_double)
      run<double>(step, p, g, n, a, b, c);
    else
      run<float>(step, p, g, n, a, b, c);
  }

 private:
  template <class T, class... S>
  static void run(const Step& step, void* p, const void* g, std::int64_t n, S*... state) {
    optim_loop<Rule, T, Arch>(step, static_cast<T*>(p), static_cast<const T*>(g), n, static_cast<T*>(state)...);
  }
};

}  // namespace detail

template <class Arch>
struct kernel_group<OptimKernels, Arch> {
  static constexpr OptimKernels value{&detail::optim_kernel<detail::SgdRule, Arch, SgdStep>::one,
                                      &detail::optim_kernel<detail::AdagradRule, Arch, AdagradStep>::one,
                                      &detail::optim_kernel<detail::RmspropRule, Arch, RmspropStep>::three,
                                      &detail::optim_kernel<detail::AdamRule, Arch, AdamStep>::three};
};

}  // namespace tenon::cpu
