// The optimisers' update rules on numbers and on vectors of them, each with the numbers of one step.
#pragma once
#include <tenon/base/host_device.hpp>

namespace tenon::math::steps {

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
struct AdadeltaStep {
  double lr, rho, eps, weight_decay;
  bool maximize;
};
struct AdamaxStep {
  double step_size, beta1, beta2, eps, weight_decay;
  bool maximize;
};
struct NadamStep {
  double of_grad, of_average;            // what the gradient and its mean are multiplied with
  double beta1, beta2, eps, correction;  // correction: 1 - beta2^step
  double weight_decay, shrink;
  bool maximize;
};
struct RadamStep {
  double lr, beta1, beta2, eps;
  double correction1, correction2;  // 1 - beta1^step, sqrt(1 - beta2^step)
  double rectification;             // 0 where the variance is not yet known: the step is that of momentum alone
  double weight_decay, shrink;
  bool maximize;
};
struct AsgdStep {
  double eta, mu, shrink, weight_decay;
  bool maximize;
};
struct RpropStep {
  double eta_minus, eta_plus, least, most;
  bool maximize;
};

// The rules round after the same operations as PyTorch's optimisers without `foreach` or `fused`, whose sums with a
// product are fused. Centred RMSprop needs it: it takes the root of a difference that rounding alone makes negative.

/// lerp_(a, b, w): the form that is exact at the nearer end.
template <class V>
struct Lerp {
  V factor;
  bool from_end;
  explicit Lerp(double w) : factor(w < 0.5 ? V(w) : V(w) - V(1.0)), from_end(w >= 0.5) {}
  TENON_HOST_DEVICE V operator()(V a, V b) const { return fma(factor, b - a, from_end ? b : a); }
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
  TENON_HOST_DEVICE void operator()(V& p, V g, V& buffer) const {
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
  TENON_HOST_DEVICE void operator()(V& p, V g, V& sum) const {
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
  TENON_HOST_DEVICE void operator()(V& p, V g, V& square_avg, V& grad_avg, V& buffer) const {
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
  TENON_HOST_DEVICE void operator()(V& p, V g, V& exp_avg, V& exp_avg_sq, V& max_exp_avg_sq) const {
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

template <class V>
struct AdadeltaRule {
  V minus_lr, rho, rest, eps, weight_decay;
  bool decays, maximize;
  explicit AdadeltaRule(const AdadeltaStep& s)
      : minus_lr(-s.lr),
        rho(s.rho),
        rest(1 - s.rho),
        eps(s.eps),
        weight_decay(s.weight_decay),
        decays(s.weight_decay != 0),
        maximize(s.maximize) {}
  TENON_HOST_DEVICE void operator()(V& p, V g, V& square_avg, V& acc_delta) const {
    if (maximize) g = -g;
    if (decays) g = fma(weight_decay, p, g);
    square_avg = fma(rest * g, g, square_avg * rho);
    V delta = sqrt(acc_delta + eps) / sqrt(square_avg + eps) * g;
    acc_delta = fma(rest * delta, delta, acc_delta * rho);
    p = fma(minus_lr, delta, p);
  }
};

template <class V>
struct AdamaxRule {
  V minus_step, beta2, eps, weight_decay;
  Lerp<V> average;
  bool decays, maximize;
  explicit AdamaxRule(const AdamaxStep& s)
      : minus_step(-s.step_size),
        beta2(s.beta2),
        eps(s.eps),
        weight_decay(s.weight_decay),
        average(1 - s.beta1),
        decays(s.weight_decay != 0),
        maximize(s.maximize) {}
  TENON_HOST_DEVICE void operator()(V& p, V g, V& exp_avg, V& exp_inf) const {
    if (maximize) g = -g;
    if (decays) g = fma(weight_decay, p, g);
    exp_avg = average(exp_avg, g);
    exp_inf = maximum(exp_inf * beta2, abs(g) + eps);
    p = p + minus_step * exp_avg / exp_inf;
  }
};

template <class V>
struct NadamRule {
  V of_grad, of_average, beta2, rest2, eps, correction, weight_decay, shrink;
  Lerp<V> average;
  bool decays, shrinks, maximize;
  explicit NadamRule(const NadamStep& s)
      : of_grad(s.of_grad),
        of_average(s.of_average),
        beta2(s.beta2),
        rest2(1 - s.beta2),
        eps(s.eps),
        correction(s.correction),
        weight_decay(s.weight_decay),
        shrink(s.shrink),
        average(1 - s.beta1),
        decays(s.weight_decay != 0),
        shrinks(s.shrink != 1),
        maximize(s.maximize) {}
  TENON_HOST_DEVICE void operator()(V& p, V g, V& exp_avg, V& exp_avg_sq) const {
    if (maximize) g = -g;
    if (shrinks) p = p * shrink;
    if (decays) g = fma(weight_decay, p, g);
    exp_avg = average(exp_avg, g);
    exp_avg_sq = fma(rest2 * g, g, exp_avg_sq * beta2);
    V denominator = sqrt(exp_avg_sq / correction) + eps;
    p = p + of_grad * g / denominator;
    p = p + of_average * exp_avg / denominator;
  }
};

template <class V>
struct RadamRule {
  V lr, beta2, rest2, eps, correction1, correction2, rectification, weight_decay, shrink;
  Lerp<V> average;
  bool decays, shrinks, rectified, maximize;
  explicit RadamRule(const RadamStep& s)
      : lr(s.lr),
        beta2(s.beta2),
        rest2(1 - s.beta2),
        eps(s.eps),
        correction1(s.correction1),
        correction2(s.correction2),
        rectification(s.rectification),
        weight_decay(s.weight_decay),
        shrink(s.shrink),
        average(1 - s.beta1),
        decays(s.weight_decay != 0),
        shrinks(s.shrink != 1),
        rectified(s.rectification != 0),
        maximize(s.maximize) {}
  TENON_HOST_DEVICE void operator()(V& p, V g, V& exp_avg, V& exp_avg_sq) const {
    if (maximize) g = -g;
    if (shrinks) p = p * shrink;
    if (decays) g = fma(weight_decay, p, g);
    exp_avg = average(exp_avg, g);
    exp_avg_sq = fma(rest2 * g, g, exp_avg_sq * beta2);
    V change = exp_avg / correction1 * lr;
    if (rectified) change = change * (V(1.0) / (sqrt(exp_avg_sq) + eps) * correction2) * rectification;
    p = p - change;
  }
};

template <class V>
struct AsgdRule {
  V minus_eta, mu, shrink, weight_decay;
  bool decays, averages, maximize;
  explicit AsgdRule(const AsgdStep& s)
      : minus_eta(-s.eta),
        mu(s.mu),
        shrink(s.shrink),
        weight_decay(s.weight_decay),
        decays(s.weight_decay != 0),
        averages(s.mu != 1),
        maximize(s.maximize) {}
  TENON_HOST_DEVICE void operator()(V& p, V g, V& ax) const {
    if (maximize) g = -g;
    if (decays) g = fma(weight_decay, p, g);
    p = fma(minus_eta, g, p * shrink);
    ax = averages ? ax + (p - ax) * mu : p;
  }
};

template <class V>
struct RpropRule {
  V eta_minus, eta_plus, least, most;
  bool maximize;
  explicit RpropRule(const RpropStep& s)
      : eta_minus(s.eta_minus), eta_plus(s.eta_plus), least(s.least), most(s.most), maximize(s.maximize) {}
  TENON_HOST_DEVICE void operator()(V& p, V g, V& previous, V& step_size) const {
    const V zero(0.0), one(1.0);
    if (maximize) g = -g;
    V turn = g * previous;  // what is no number stays so in the step
    V factor = select(turn > zero, eta_plus, select(turn < zero, eta_minus, select(turn == zero, one, turn)));
    step_size = minimum(maximum(step_size * factor, least), most);
    g = select(factor == eta_minus, zero, g);
    V sign = select(g > zero, one, select(g < zero, -one, g));
    p = p - sign * step_size;
    previous = g;
  }
};

}  // namespace tenon::math::steps
