// The steps of L-BFGS.
#pragma once
#include <algorithm>
#include <cmath>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/optim/lbfgs.hpp>

namespace tenon::optim {

namespace detail {

inline double dot_of(const Tensor& a, const Tensor& b) { return ops::dot(a, b).item<double>(); }
inline double largest(const Tensor& t) { return t.numel() == 0 ? 0 : ops::amax(ops::abs(t)).item<double>(); }

/// A place on the line of a search: its distance, the loss, the gradient and the slope along the line.
struct LinePoint {
  double t, loss;
  Tensor grad;
  double slope;
};

/// Where the cubic through two points with their slopes is least, kept in [low, high]; the middle if it has no minimum.
inline double cubic_minimum(const LinePoint& a, const LinePoint& b, double low, double high) {
  double d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t), square = d1 * d1 - a.slope * b.slope;
  if (!(square >= 0)) return (low + high) / 2;
  double d2 = std::sqrt(square);
  const LinePoint &left = a.t <= b.t ? a : b, &right = a.t <= b.t ? b : a;
  double at = right.t - (right.t - left.t) * ((right.slope + d2 - d1) / (right.slope - left.slope + 2 * d2));
  return std::min(std::max(at, low), high);
}

}  // namespace detail

TENON_BODY LBFGS::LBFGS(std::vector<Tensor> parameters, LBFGSOptions options) : options_(std::move(options)) {
  check();
  add_parameters("LBFGS", parameters);
  for (const Tensor& p : parameters_)
    TENON_CHECK(p.is_floating_point() && p.dtype() == parameters_.front().dtype(), TypeError,
                "LBFGS: expected parameters of one floating dtype, got ", p.dtype());
}
TENON_BODY std::vector<OptionRef> LBFGS::option_refs(std::size_t) { return detail::option_refs_of(options_); }
TENON_BODY void LBFGS::check() const {
  detail::check_not_negative("LBFGS", "lr", options_.lr);
  TENON_CHECK(options_.history_size > 0, ValueError, "LBFGS: option 'history_size': expected a positive number, got ",
              options_.history_size);
  TENON_CHECK(options_.line_search_fn.empty() || options_.line_search_fn == "strong_wolfe", ValueError,
              "LBFGS: option 'line_search_fn': only 'strong_wolfe' is supported, got '", options_.line_search_fn, "'");
}
TENON_BODY void LBFGS::step() {
  throw ValueError("LBFGS: step() needs a closure that computes the loss: step([&] { .. })");
}

TENON_BODY Tensor LBFGS::flat_gradient() const {
  std::vector<Tensor> parts;
  for (const Tensor& p : parameters_) {
    Tensor grad = detail::gradient_of(p);
    parts.push_back(grad.defined() ? ops::reshape(grad, {-1})
                                   : ops::zeros({p.numel()}, "dtype"_a = p.dtype(), "device"_a = p.device()));
  }
  Tensor flat = parts.size() == 1 ? ops::clone(parts.front()) : ops::cat(parts);
  if (options_.maximize) ops::neg_(flat);
  return flat;
}
TENON_BODY void LBFGS::move(const Tensor& direction, double length) const {
  std::int64_t at = 0;
  for (Tensor p : parameters_) {
    ops::add_(p, ops::view_as(ops::narrow(direction, 0, at, p.numel()), p), "alpha"_a = Scalar(length));
    at += p.numel();
  }
}
TENON_BODY void LBFGS::restore(const std::vector<Tensor>& values) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Tensor p = parameters_[i];
    ops::copy_(p, values[i]);
  }
}

TENON_BODY void LBFGS::update_direction(const Tensor& grad) {
  detail::LBFGSState& s = state_;
  if (s.n_iter == 1) {
    s.d = ops::neg(grad);
    s.old_dirs.clear();
    s.old_stps.clear();
    s.ro.clear();
    s.h_diag = 1;
    return;
  }
  Tensor y = ops::sub(grad, s.prev_flat_grad), step = ops::mul(s.d, Scalar(s.t));
  double ys = detail::dot_of(y, step);
  if (ys > 1e-10) {  // else the curvature is lost in rounding
    if (s.old_dirs.size() >= static_cast<std::size_t>(options_.history_size)) {
      s.old_dirs.erase(s.old_dirs.begin());
      s.old_stps.erase(s.old_stps.begin());
      s.ro.erase(s.ro.begin());
    }
    s.h_diag = ys / detail::dot_of(y, y);
    s.old_dirs.push_back(y);
    s.old_stps.push_back(step);
    s.ro.push_back(1 / ys);
  }
  // The two loops of algorithm 7.4: the inverse Hessian's approximation times the negative gradient.
  const std::size_t count = s.old_dirs.size();
  std::vector<double> al(count);
  Tensor r = ops::neg(grad);
  for (std::size_t i = count; i-- > 0;) {
    al[i] = detail::dot_of(s.old_stps[i], r) * s.ro[i];
    ops::add_(r, s.old_dirs[i], "alpha"_a = Scalar(-al[i]));
  }
  ops::mul_(r, Scalar(s.h_diag));
  for (std::size_t i = 0; i < count; ++i) {
    double be = detail::dot_of(s.old_dirs[i], r) * s.ro[i];
    ops::add_(r, s.old_stps[i], "alpha"_a = Scalar(al[i] - be));
  }
  s.d = r;
}

/// A place that fulfils the strong Wolfe conditions: first an interval that holds one is found, then it is narrowed.
TENON_BODY LBFGS::Point LBFGS::search_line(Closure closure, const Point& from, double slope, double& length,
                                           std::int64_t most_evaluations, std::int64_t& evaluations) const {
  constexpr double kDecrease = 1e-4, kCurvature = 0.9;
  const Tensor& d = state_.d;
  const double reach = detail::largest(d);
  std::vector<Tensor> start;
  for (const Tensor& p : parameters_) start.push_back(ops::clone(p));
  auto evaluate = [&](double t) {
    move(d, t);
    double loss = sign() * closure().template item<double>();
    Tensor grad = flat_gradient();
    restore(start);
    ++evaluations;
    return detail::LinePoint{t, loss, grad, detail::dot_of(grad, d)};
  };
  auto too_high = [&](const detail::LinePoint& p) { return p.loss > from.loss + kDecrease * p.t * slope; };
  auto flat = [&](const detail::LinePoint& p) { return std::abs(p.slope) <= -kCurvature * slope; };

  const detail::LinePoint origin{0, from.loss, from.grad, slope};
  detail::LinePoint previous = origin, now = evaluate(length), bracket[2];
  bool done = false, found = false;
  std::int64_t i = 0;
  for (; i < most_evaluations && !found; ++i) {
    if (too_high(now) || (i > 1 && now.loss >= previous.loss) || (!flat(now) && now.slope >= 0)) {
      bracket[0] = previous;
      bracket[1] = now;
      found = true;
    } else if (flat(now)) {
      bracket[0] = bracket[1] = now;
      found = done = true;
    } else {
      double next = detail::cubic_minimum(previous, now, now.t + 0.01 * (now.t - previous.t), now.t * 10);
      previous = now;
      now = evaluate(next);
    }
    if (found) break;
  }
  if (!found) {
    bracket[0] = origin;
    bracket[1] = now;
  }
  bool stuck = false;
  int low = bracket[0].loss <= bracket[1].loss ? 0 : 1;
  while (!done && i < most_evaluations) {
    double least = std::min(bracket[0].t, bracket[1].t), most = std::max(bracket[0].t, bracket[1].t);
    if ((most - least) * reach < options_.tolerance_change) break;
    double t = detail::cubic_minimum(bracket[0], bracket[1], least, most), margin = 0.1 * (most - least);
    if (std::min(most - t, t - least) < margin) {
      // Close to an end twice, or at it: take a place a tenth inside.
      if (stuck || t >= most || t <= least) {
        t = std::abs(t - most) < std::abs(t - least) ? most - margin : least + margin;
        stuck = false;
      } else {
        stuck = true;
      }
    } else {
      stuck = false;
    }
    now = evaluate(t);
    ++i;
    int high = 1 - low;
    if (too_high(now) || now.loss >= bracket[low].loss) {
      bracket[high] = now;
      low = bracket[0].loss <= bracket[1].loss ? 0 : 1;
    } else {
      if (flat(now))
        done = true;
      else if (now.slope * (bracket[high].t - bracket[low].t) >= 0)
        bracket[high] = bracket[low];
      bracket[low] = now;
    }
  }
  length = bracket[low].t;
  return {bracket[low].loss, bracket[low].grad};
}

TENON_BODY Tensor LBFGS::step(Closure closure) {
  Tensor loss;
  with_hooks([&] { loss = minimize(closure); });
  return loss;
}
TENON_BODY Tensor LBFGS::minimize(Closure closure) {
  check();
  const Tensor first = closure();
  NoGradGuard no_grad;
  detail::LBFGSState& s = state_;
  const std::int64_t max_eval = options_.max_eval.value_or(options_.max_iter * 5 / 4);
  std::int64_t evaluations = 1;
  ++s.func_evals;
  Point now{sign() * first.item<double>(), flat_gradient()};
  bool flat = detail::largest(now.grad) <= options_.tolerance_grad;
  for (std::int64_t i = 1; !flat && i <= options_.max_iter; ++i) {
    ++s.n_iter;
    update_direction(now.grad);
    s.prev_flat_grad = now.grad;
    s.prev_loss = now.loss;
    double length = options_.lr;
    if (s.n_iter == 1) length *= std::min(1.0, 1 / ops::sum(ops::abs(now.grad)).item<double>());
    s.t = length;
    double slope = detail::dot_of(now.grad, s.d);
    if (slope > -options_.tolerance_change) break;
    std::int64_t more = 0;
    if (!options_.line_search_fn.empty()) {
      now = search_line(closure, now, slope, s.t, max_eval - evaluations, more);
      move(s.d, s.t);
      flat = detail::largest(now.grad) <= options_.tolerance_grad;
    } else {
      move(s.d, s.t);
      if (i != options_.max_iter) {
        double loss = sign() * closure().item<double>();
        now = {loss, flat_gradient()};
        flat = detail::largest(now.grad) <= options_.tolerance_grad;
        more = 1;
      }
    }
    evaluations += more;
    s.func_evals += more;
    if (evaluations >= max_eval || detail::largest(s.d) * std::abs(s.t) <= options_.tolerance_change ||
        std::abs(now.loss - s.prev_loss) < options_.tolerance_change)
      break;
  }
  return first;
}

TENON_BODY nn::NamedTensors LBFGS::rule_state() const {
  const detail::LBFGSState& s = state_;
  if (s.func_evals == 0) return {};
  nn::NamedTensors found = {{"0.func_evals", detail::as_tensor(s.func_evals)},
                            {"0.n_iter", detail::as_tensor(s.n_iter)},
                            {"0.t", detail::as_tensor(s.t)},
                            {"0.H_diag", detail::as_tensor(s.h_diag)},
                            {"0.prev_loss", detail::as_tensor(s.prev_loss)},
                            {"0.ro", detail::as_tensor(s.ro)}};
  if (s.d.defined()) found.emplace_back("0.d", s.d);
  if (s.prev_flat_grad.defined()) found.emplace_back("0.prev_flat_grad", s.prev_flat_grad);
  for (std::size_t i = 0; i < s.old_dirs.size(); ++i) {
    found.emplace_back("0.old_dirs." + std::to_string(i), s.old_dirs[i]);
    found.emplace_back("0.old_stps." + std::to_string(i), s.old_stps[i]);
  }
  return found;
}
TENON_BODY void LBFGS::load_rule_state(nn::NamedTensors& tensors) {
  detail::LBFGSState s;
  auto take = [&](const std::string& name) { return detail::take_tensor(tensors, "0." + name); };
  auto number = [&](const char* name, auto& to) {
    if (Tensor t = take(name); t.defined()) detail::from_tensor(t, to);
  };
  std::int64_t elements = 0;
  for (const Tensor& p : parameters_) elements += p.numel();
  auto vector = [&](const std::string& name) {
    Tensor t = take(name);
    if (!t.defined()) return t;
    TENON_CHECK(t.dim() == 1 && t.numel() == elements, ValueError, "load_state(): tensor '0.", name,
                "': expected shape [", elements, "], got ", t.sizes());
    const Tensor& like = parameters_.front();
    Tensor to = ops::empty({elements}, "dtype"_a = like.dtype(), "device"_a = like.device());
    ops::copy_(to, t);
    return to;
  };
  number("func_evals", s.func_evals);
  number("n_iter", s.n_iter);
  number("t", s.t);
  number("H_diag", s.h_diag);
  number("prev_loss", s.prev_loss);
  if (Tensor t = take("ro"); t.defined()) s.ro = detail::numbers_of(t, 0, static_cast<std::size_t>(t.numel()));
  s.d = vector("d");
  s.prev_flat_grad = vector("prev_flat_grad");
  for (std::size_t i = 0; i < s.ro.size(); ++i) {
    s.old_dirs.push_back(vector("old_dirs." + std::to_string(i)));
    s.old_stps.push_back(vector("old_stps." + std::to_string(i)));
    TENON_CHECK(s.old_dirs.back().defined() && s.old_stps.back().defined(), ValueError, "load_state(): expected ",
                s.ro.size(), " tensors '0.old_dirs.N' and '0.old_stps.N', got ", i);
  }
  detail::check_all_loaded(tensors, parameters_.size());
  state_ = std::move(s);
}

}  // namespace tenon::optim
