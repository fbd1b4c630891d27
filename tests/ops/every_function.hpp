// Any operator as a function of its floating-point or complex tensors, for tests of derivatives.
#pragma once
#include <string_view>
#include <vector>

#include <tenon/autograd/engine.hpp>
#include <tenon/boxing/each_tensor.hpp>

#include "every.hpp"

namespace test::every {

/// Whether derivatives by such elements are looked at.
inline bool counts(ScalarType dtype) { return is_floating_type(dtype) || is_complex_type(dtype); }
/// Numbers as scattered() gives them, for both parts of complex ones.
inline Tensor scattered_parts(const DimVector& sizes, ScalarType dtype, double low, double high, std::int64_t seed) {
  if (!is_complex_type(dtype)) return scattered(sizes, dtype, low, high, seed);
  Tensor re = scattered(sizes, to_real_type(dtype), low, high, seed);
  return ops::complex(re, scattered(sizes, re.dtype(), low, high, seed + 300));
}

/// One operator on one set of arguments, as a function of its floating-point and complex tensors. Another seed gives
/// other numbers in tensors of the same shapes.
class Function {
 public:
  Function(const OperatorHandle& op, const Shapes& shapes, double low, double high, bool defaults,
           std::int64_t seed = 0)
      : op_(op), written_(writes_of(op.schema()) == Writes::Self) {
    const std::int64_t shift = seed;  // of places
    auto make = [&](std::string_view name, const SymDimVector& sizes, ScalarType dtype) {
      bool floating = counts(dtype);
      Tensor t = dtype == kLong && shapes.dtype != kLong
                     ? ops::remainder(places(plain(sizes), 3) + shift, 3)
                     : scattered_parts(plain(sizes), dtype, floating ? low : 0, floating ? high : 3, seed++);
      if (name != "total_weight" && floating) inputs.push_back(t);
      tensors.push_back(t);
      return t;
    };
    arguments_ = arguments_for(op, Source{shapes, make, kCPU, defaults});
    for (Tensor& t : inputs) t.requires_grad_();
  }
  std::vector<Tensor> inputs;   ///< each requires grad
  std::vector<Tensor> tensors;  ///< those and all others

  /// All results with other tensors in the places of some.
  std::vector<Tensor> results(const std::vector<Tensor>& before, const std::vector<Tensor>& now) const {
    manual_seed(7);
    Stack stack;
    for (const Value& v : arguments_) {
      stack.push_back(v.is_list() ? Value::list(v.to_list(), v.element_kind()) : v);
      tenon::detail::each_tensor(stack.back(), [&](Tensor& t) {
        for (std::size_t k = 0; k < before.size(); ++k)
          if (t.is_same(before[k])) return void(t = now[k]);
      });
    }
    if (written_) stack[0] = stack[0].to_tensor() * 1;  // a leaf is not written
    op_.call_boxed(stack);
    return tensors_of(stack);
  }
  /// Those that a gradient may reach.
  std::vector<Tensor> of(const std::vector<Tensor>& now) const {
    std::vector<Tensor> out;
    for (Tensor& t : results(inputs, now))
      if (t.defined() && counts(t.dtype())) out.push_back(t);
    return out;
  }
  std::vector<Tensor> operator()() const { return of(inputs); }
  bool writes() const { return written_; }
  static Tensor weight(const Tensor& t, std::int64_t seed) {
    return scattered_parts(DimVector(t.sizes()), t.is_complex() ? kComplexDouble : kDouble, -1, 1, 100 + seed);
  }
  /// The sum of products, of both parts of complex numbers.
  static Tensor inner(const Tensor& t, const Tensor& w) {
    return w.is_complex() ? (ops::view_as_real(t.to(kComplexDouble).resolve_conj()) * ops::view_as_real(w)).sum()
                          : (t.to(kDouble) * w).sum();
  }
  /// The sum of the results by fixed weights.
  double value() const {
    NoGradGuard no_grad;
    double sum = 0;
    std::int64_t k = 0;
    for (const Tensor& t : (*this)()) sum += inner(t, weight(t, k++)).item<double>();
    return sum;
  }
  /// Its gradient by the inputs; undefined ones are zero. Empty if nothing is recorded.
  std::vector<Tensor> gradient() const {
    std::vector<Tensor> out, weights;
    for (const Tensor& t : (*this)())
      if (t.requires_grad()) {
        weights.push_back(weight(t, static_cast<std::int64_t>(weights.size())).to(t.dtype()));
        out.push_back(t);
      } else if (t.numel() > 0) {
        weights_differ_ = true;  // weights count all results
      }
    if (out.empty()) return {};
    return autograd::grad(out, inputs, weights, true, true, true);
  }
  /// The sum of the gradients by fixed weights, and its gradient by the inputs if asked for.
  double gradient_value(std::vector<Tensor>* second = nullptr) const {
    std::vector<Tensor> terms, kept;
    double sum = 0;
    std::int64_t k = 50;
    for (const Tensor& g : gradient()) {
      ++k;
      if (!g.defined()) continue;
      Tensor w = weight(g, k);
      sum += inner(g.detach(), w).item<double>();
      if (g.requires_grad()) terms.push_back(inner(g, w));
    }
    if (second && !terms.empty()) {
      Tensor total = terms[0];
      for (std::size_t i = 1; i < terms.size(); ++i) total = total + terms[i];
      *second = autograd::grad(TensorList(total), inputs, {}, true, false, true);
    }
    return sum;
  }
  /// What a small step along a fixed direction adds to `f`, by its length.
  template <class F>
  double along(F f) const {
    constexpr double eps = 1e-6;
    auto step = [&](double by) {
      NoGradGuard no_grad;
      std::int64_t k = 20;
      for (const Tensor& x : inputs) Tensor(x.detach()).add_(weight(x, k++) * by);
    };
    step(eps);
    double above = f();
    step(-2 * eps);
    double below = f();
    step(eps);
    return (above - below) / (2 * eps);
  }
  double product(const std::vector<Tensor>& gradients) const {
    double sum = 0;
    std::int64_t k = 20;
    for (std::size_t i = 0; i < inputs.size(); ++i, ++k)
      if (i < gradients.size() && gradients[i].defined())
        sum += inner(gradients[i].detach(), weight(inputs[i], k)).item<double>();
    return sum;
  }
  bool weights_differ() const { return weights_differ_; }

 private:
  OperatorHandle op_;
  bool written_;
  Stack arguments_;
  mutable bool weights_differ_ = false;
};

}  // namespace test::every
