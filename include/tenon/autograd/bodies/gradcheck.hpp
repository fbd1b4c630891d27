// Derivatives against finite differences. Tensors are lists of real numbers here: complex ones have two per element.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <tenon/autograd/gradcheck.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::autograd::detail {

inline std::size_t real_count(const Tensor& t) {
  return static_cast<std::size_t>(t.numel()) * (t.is_complex() ? 2 : 1);
}
/// The address of the k-th real number.
inline double* real_at(const Tensor& t, std::size_t k) {
  auto element = static_cast<std::int64_t>(t.is_complex() ? k / 2 : k);
  std::int64_t offset = 0;
  for (std::size_t d = t.sizes().size(); d-- > 0;) {
    offset += element % t.sizes()[d] * t.strides()[d];
    element /= t.sizes()[d];
  }
  auto* base = static_cast<double*>(t.data_ptr());
  return t.is_complex() ? base + 2 * offset + k % 2 : base + offset;
}
inline std::vector<double> reals_of(const Tensor& t) {
  std::vector<double> list(real_count(t));
  Tensor plain = make_alias(t);
  for (std::size_t k = 0; k < list.size(); ++k) list[k] = *real_at(plain, k);
  return list;
}
inline bool agree(double a, double n, const GradcheckOptions& o) {
  return a == n || std::abs(a - n) <= o.atol + o.rtol * std::abs(n);
}

/// Stands before an output and gives it no gradient.
class NoGradient final : public VectorNode {
 public:
  explicit NoGradient(Edge edge) {
    std::vector<Edge> edges;
    edges.push_back(std::move(edge));
    set_edges(std::move(edges));
  }
  std::string name() const override { return "UndefinedGrad"; }
  void apply(Tensor*, Tensor*) override {}
};

class GradientCheck {
 public:
  GradientCheck(CheckedFunction f, const std::vector<Tensor>& inputs, const GradcheckOptions& options)
      : f_(f), inputs_(inputs), options_(options) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Tensor& x = inputs[i];
      if (!x.defined() || !x.requires_grad()) continue;
      TENON_CHECK(x.dtype() == kDouble || x.dtype() == kComplexDouble, TypeError, "gradcheck(): input ", i,
                  ": expected float64 or complex128, got ", x.dtype());
      TENON_CHECK(!may_overlap(x.sizes(), x.strides()), ValueError, "gradcheck(): input ", i,
                  " has elements that share memory; give a contiguous() copy");
      checked_.push_back(i);
    }
    TENON_CHECK(
        !checked_.empty(), ValueError,
        "gradcheck expects at least one input tensor to require gradient, but none of the them have requires_grad=True.");
  }

  void run() {
    for (const Tensor& t : f_(inputs_))
      if (t.defined() && t.requires_grad() && is_differentiable_type(t.dtype()))
        outputs_.push_back(t);
      else
        outputs_.emplace_back();
    if (std::none_of(outputs_.begin(), outputs_.end(), [](const Tensor& y) { return y.defined(); }))
      return check_constant();
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      if (!outputs_[o].defined()) continue;
      TENON_CHECK(outputs_[o].dtype() == kDouble || outputs_[o].dtype() == kComplexDouble, TypeError,
                  "gradcheck(): output ", o, ": expected float64 or complex128, got ", outputs_[o].dtype());
      options_.fast_mode ? compare_combination(o) : compare_all(o);
    }
    if (options_.check_undefined_grad) check_undefined();
  }

 private:
  std::vector<Tensor> gradients(std::size_t o, const std::vector<double>& weights) const {
    const Tensor& y = outputs_[o];
    Tensor cotangent = ops::zeros(y.sizes(), "dtype"_a = y.dtype());
    for (std::size_t k = 0; k < weights.size(); ++k) *real_at(cotangent, k) = weights[k];
    std::vector<Tensor> of, first, second;
    for (std::size_t i : checked_) of.push_back(inputs_[i]);
    first = grad(TensorList(y), of, TensorList(cotangent), true, false, true);
    second = grad(TensorList(y), of, TensorList(cotangent), true, false, true);
    for (std::size_t n = 0; n < of.size(); ++n) {
      const Tensor& g = first[n];
      if (!g.defined()) {
        first[n] = ops::zeros(of[n].sizes(), "dtype"_a = of[n].dtype());
        continue;
      }
      if (options_.check_grad_dtypes && g.dtype() != of[n].dtype())
        fail<AutogradError>("gradcheck(): Gradient of input ", checked_[n], " has dtype ", g.dtype(), ", expected ",
                            of[n].dtype());
      std::vector<double> a = reals_of(g), b = reals_of(second[n]);
      for (std::size_t k = 0; k < a.size(); ++k)
        if (std::abs(a[k] - b[k]) > options_.nondet_tol)
          fail<AutogradError>(
              "gradcheck(): Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different values, although analytical gradient matches numerical gradient. The tolerance for nondeterminism was ",
              options_.nondet_tol, "; input ", checked_[n], " differs by ", std::abs(a[k] - b[k]));
    }
    return first;
  }
  std::vector<double> value(std::size_t o) const {
    NoGradGuard guard;
    return reals_of(f_(inputs_)[o]);
  }

  void compare_all(std::size_t o) {
    std::size_t n_out = real_count(outputs_[o]);
    // analytical[input][output element][input element]
    std::vector<std::vector<std::vector<double>>> analytical(checked_.size());
    for (std::size_t k = 0; k < n_out; ++k) {
      std::vector<double> weights(n_out, 0.0);
      weights[k] = 1;
      auto g = gradients(o, weights);
      for (std::size_t n = 0; n < g.size(); ++n) analytical[n].push_back(reals_of(g[n]));
    }
    for (std::size_t n = 0; n < checked_.size(); ++n) {
      const Tensor& x = inputs_[checked_[n]];
      for (std::size_t j = 0; j < real_count(x); ++j) {
        double* place = real_at(x, j);
        double at = *place;
        *place = at + options_.eps;
        std::vector<double> above = value(o);
        *place = at - options_.eps;
        std::vector<double> below = value(o);
        *place = at;
        for (std::size_t k = 0; k < n_out; ++k) {
          double numerical = (above[k] - below[k]) / (2 * options_.eps), a = analytical[n][k][j];
          if (!agree(a, numerical, options_))
            report(o, n, concat(", at element ", part(outputs_[o], k), " of it and element ", part(x, j), " of that"),
                   numerical, a);
        }
      }
    }
  }
  void compare_combination(std::size_t o) {
    std::vector<double> v = random(real_count(outputs_[o]));
    auto g = gradients(o, v);
    for (std::size_t n = 0; n < checked_.size(); ++n) {
      const Tensor& x = inputs_[checked_[n]];
      std::vector<double> u = random(real_count(x)), slope = reals_of(g[n]), before(u.size());
      double analytical = 0, numerical = 0;
      for (std::size_t j = 0; j < u.size(); ++j) {
        analytical += slope[j] * u[j];
        before[j] = *real_at(x, j);
      }
      auto moved = [&](double step) {
        for (std::size_t j = 0; j < u.size(); ++j) *real_at(x, j) = before[j] + step * u[j];
        std::vector<double> y = value(o);
        for (std::size_t j = 0; j < u.size(); ++j) *real_at(x, j) = before[j];
        return y;
      };
      std::vector<double> above = moved(options_.eps), below = moved(-options_.eps);
      for (std::size_t k = 0; k < v.size(); ++k) numerical += v[k] * (above[k] - below[k]) / (2 * options_.eps);
      if (!agree(analytical, numerical, options_))
        report(o, n, " in a random combination of elements", numerical, analytical);
    }
  }
  /// Without an output that has gradients all of them are zero.
  void check_constant() {
    NoGradGuard no_grad;
    for (std::size_t i : checked_)
      for (std::size_t j = 0; j < real_count(inputs_[i]); ++j) {
        double* place = real_at(inputs_[i], j);
        double at = *place;
        *place = at + options_.eps;
        std::vector<Tensor> above = f_(inputs_);
        for (Tensor& y : above)  // it may be the input
          if (y.defined()) y = ops::clone(y);
        *place = at - options_.eps;
        std::vector<Tensor> below = f_(inputs_);
        bool same = true;
        for (std::size_t o = 0; o < above.size() && same; ++o)
          if (above[o].defined() && (above[o].dtype() == kDouble || above[o].dtype() == kComplexDouble))
            same = reals_of(above[o]) == reals_of(below[o]);
        *place = at;
        if (!same)
          fail<AutogradError>(
              "gradcheck(): Numerical gradient for function expected to be zero: no output requires "
              "grad, and one changes with input ",
              i);
      }
  }
  /// Of all outputs, and where there are several of each alone.
  void check_undefined() {
    std::vector<std::size_t> there;
    for (std::size_t o = 0; o < outputs_.size(); ++o)
      if (outputs_[o].defined()) there.push_back(o);
    check_undefined_of(std::nullopt);
    if (there.size() > 1)
      for (std::size_t o : there) check_undefined_of(o);
  }
  void check_undefined_of(std::optional<std::size_t> alone) {
    std::vector<Tensor> of, roots, weights;
    for (std::size_t i : checked_) of.push_back(inputs_[i]);
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      const Tensor& y = outputs_[o];
      if (!y.defined()) continue;
      roots.push_back(y);
      weights.push_back(ops::zeros(y.sizes(), "dtype"_a = y.dtype()));
      if (alone && *alone != o) continue;
      Tensor root = make_alias(y);
      auto node = make_intrusive<NoGradient>(gradient_edge(y));
      set_gradient_edge(root, node, node->add_result(root));
      roots.back() = root;
    }
    std::vector<Tensor> g;
    try {
      g = grad(roots, of, weights, true, false, true);
    } catch (const Error& e) {
      fail<AutogradError>("gradcheck(): Expected backward function to handle undefined output grads: ", e.what());
    }
    for (std::size_t n = 0; n < g.size(); ++n)
      if (g[n].defined())
        for (double x : reals_of(g[n]))
          if (x != 0)
            fail<AutogradError>(
                "gradcheck(): Expected backward function to handle undefined output grads: they give input ",
                checked_[n], " a gradient that is neither undefined nor zero");
  }

  static std::string part(const Tensor& t, std::size_t k) {
    return t.is_complex() ? concat(k / 2, k % 2 ? " (imaginary)" : " (real)") : concat(k);
  }
  [[noreturn]] void report(std::size_t o, std::size_t n, const std::string& where, double numerical,
                           double analytical) {
    fail<AutogradError>("gradcheck(): Jacobian mismatch for output ", o, " with respect to input ", checked_[n], where,
                        ": numerical ", numerical, ", analytical ", analytical);
  }
  static std::vector<double> random(std::size_t n) {
    return reals_of(ops::rand(IntArrayRef(static_cast<std::int64_t>(n)), "dtype"_a = kDouble));
  }

  CheckedFunction f_;
  const std::vector<Tensor>& inputs_;
  GradcheckOptions options_;
  std::vector<std::size_t> checked_;
  std::vector<Tensor> outputs_;
};

TENON_COLD_BODY bool gradcheck(CheckedFunction f, const std::vector<Tensor>& inputs, const GradcheckOptions& options) {
  GradientCheck check(f, inputs, options);
  if (options.raise_exception) {
    check.run();
    return true;
  }
  try {
    check.run();
  } catch (const AutogradError&) { return false; }
  return true;
}

struct GradientOf {
  CheckedFunction f;
  std::size_t n_inputs;
  std::vector<Tensor> operator()(const std::vector<Tensor>& all) const {
    std::vector<Tensor> inputs(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n_inputs)), outputs, of;
    EnableGradGuard enable;  // the differences are taken without
    for (const Tensor& y : f(inputs))
      if (y.defined() && y.requires_grad()) outputs.push_back(y);
    for (const Tensor& x : inputs)
      if (x.defined() && x.requires_grad()) of.push_back(x);
    TensorList weights(all.data() + n_inputs, all.size() - n_inputs);
    return grad(outputs, of, weights, std::nullopt, true, true);
  }
};

TENON_COLD_BODY bool gradgradcheck(CheckedFunction f, const std::vector<Tensor>& inputs,
                                   const std::vector<Tensor>& grad_outputs, const GradcheckOptions& options) {
  std::vector<Tensor> all = inputs;
  if (grad_outputs.empty()) {
    for (const Tensor& y : f(inputs))
      if (y.defined() && y.requires_grad()) {
        Tensor weight = ops::zeros(y.sizes(), "dtype"_a = y.dtype());
        Tensor random = ops::rand(IntArrayRef(static_cast<std::int64_t>(real_count(y))), "dtype"_a = kDouble);
        for (std::size_t k = 0; k < real_count(y); ++k) *real_at(weight, k) = *real_at(random, k);
        weight.set_requires_grad(true);
        all.push_back(weight);
      }
  } else {
    all.insert(all.end(), grad_outputs.begin(), grad_outputs.end());
  }
  GradientOf first{f, inputs.size()};
  return gradcheck(checked_function(first), all, options);
}

}  // namespace tenon::autograd::detail
