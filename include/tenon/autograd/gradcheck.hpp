// Derivatives against finite differences.
#pragma once
#include <cstdlib>

#include <tenon/autograd/engine.hpp>
#include <tenon/autograd/mode.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::autograd {

struct GradcheckOptions {
  double eps = 1e-6;  ///< step of the central difference
  double atol = 1e-5;
  double rtol = 1e-3;
};

/// Compares the gradients of `f(inputs) -> Tensor` with central differences, for every input that requires grad.
/// Dtypes: float64 inputs. Errors: AutogradError that names input, element, expected and got.
/// Cost: two calls of `f` per input element, one backward pass per output element.
template <class F>
void gradcheck(F&& f, const std::vector<Tensor>& inputs, GradcheckOptions options = {}) {
  Tensor out = f(inputs);
  std::int64_t n_out = out.numel();
  auto value = [&](std::int64_t k) {
    NoGradGuard guard;
    return ops::reshape(ops::contiguous(f(inputs)), IntArrayRef(n_out)).template data_ptr<double>()[k];
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& x = inputs[i];
    if (!x.requires_grad()) continue;
    TENON_CHECK(x.dtype() == kDouble && x.is_contiguous(), TypeError, "gradcheck(): input ", i,
                ": expected contiguous float64, got ", x.dtype());
    std::int64_t n_in = x.numel();
    double* data = x.data_ptr<double>();
    for (std::int64_t k = 0; k < n_out; ++k) {
      Tensor y = f(inputs);
      Tensor cotangent = ops::zeros_like(y, "memory_format"_a = MemoryFormat::Contiguous);
      cotangent.data_ptr<double>()[k] = 1;
      Tensor g = grad(TensorList(y), TensorList(x), TensorList(cotangent), std::nullopt, false, true)[0];
      Tensor flat = g.defined() ? ops::reshape(ops::contiguous(g), IntArrayRef(n_in))
                                : ops::zeros(IntArrayRef(n_in), "dtype"_a = kDouble);
      for (std::int64_t j = 0; j < n_in; ++j) {
        double at = data[j];
        data[j] = at + options.eps;
        double above = value(k);
        data[j] = at - options.eps;
        double below = value(k);
        data[j] = at;
        double expected = (above - below) / (2 * options.eps), got = flat.data_ptr<double>()[j];
        if (!(std::abs(expected - got) <= options.atol + options.rtol * std::abs(expected)))
          fail<AutogradError>("gradcheck(): input ", i, " element ", j, " output element ", k, ": expected ", expected,
                              " by differences, got ", got);
      }
    }
  }
}

/// The same of the gradients of `f`: compares its second derivatives, mixed ones too, with central differences.
/// Elements of a gradient count by different weights, so that errors do not cancel.
template <class F>
void gradgradcheck(F&& f, const std::vector<Tensor>& inputs, GradcheckOptions options = {}) {
  auto gradients = [&](const std::vector<Tensor>& in) {
    EnableGradGuard guard;
    std::vector<Tensor> wanted;
    for (const Tensor& t : in)
      if (t.requires_grad()) wanted.push_back(t);
    Tensor y = f(in), total = ops::zeros({}, "dtype"_a = kDouble);
    std::vector<Tensor> g = grad(TensorList(y), wanted, TensorList(ops::ones_like(y)), std::nullopt, true, true);
    for (const Tensor& t : g) {
      if (!t.defined()) continue;
      Tensor weights = ops::add(ops::reshape(ops::arange(t.numel(), "dtype"_a = kDouble), t.sizes()), 0.5);
      total = ops::add(total, ops::sum(ops::mul(t, weights)));
    }
    return total;
  };
  gradcheck(gradients, inputs, options);
}

}  // namespace tenon::autograd
