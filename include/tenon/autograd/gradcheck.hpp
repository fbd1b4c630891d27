// Derivatives against finite differences.
#pragma once
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <tenon/autograd/engine.hpp>

namespace tenon::autograd {

struct GradcheckOptions {
  double eps = 1e-6;  ///< step of the central difference
  double atol = 1e-5;
  double rtol = 1e-3;
  bool raise_exception = true;       ///< else a failed check returns false
  double nondet_tol = 0;             ///< by how much two backward passes over one graph may differ
  bool check_undefined_grad = true;  ///< undefined gradients of the outputs must give undefined ones, or zeros
  bool check_grad_dtypes = false;    ///< gradients must have the dtypes of their inputs
  /// One random combination of inputs and outputs instead of every element: two calls and one backward pass per pair of
  /// an input and an output. Tolerances then hold for the combination.
  bool fast_mode = false;
};

namespace detail {

/// A function of tensors without its type.
struct CheckedFunction {
  void* of;
  std::vector<Tensor> (*call)(void* of, const std::vector<Tensor>& inputs);
  std::vector<Tensor> operator()(const std::vector<Tensor>& inputs) const { return call(of, inputs); }
};
template <class F>
CheckedFunction checked_function(F& f) {
  using R = std::invoke_result_t<F&, const std::vector<Tensor>&>;
  return {const_cast<void*>(static_cast<const void*>(&f)), [](void* of, const std::vector<Tensor>& inputs) {
            decltype(auto) result = (*static_cast<F*>(of))(inputs);
            if constexpr (std::is_convertible_v<R, Tensor>)
              return std::vector<Tensor>{Tensor(result)};
            else if constexpr (std::is_convertible_v<R, std::vector<Tensor>>)
              return std::vector<Tensor>(result);
            else
              return std::apply([](const auto&... t) { return std::vector<Tensor>{t...}; }, result);
          }};
}
bool gradcheck(CheckedFunction f, const std::vector<Tensor>& inputs, const GradcheckOptions& options);
bool gradgradcheck(CheckedFunction f, const std::vector<Tensor>& inputs, const std::vector<Tensor>& grad_outputs,
                   const GradcheckOptions& options);

}  // namespace detail

/// Compares the gradients of `f(inputs)`, a tensor or several, with central differences, for every input that requires
/// grad; true if they agree.
/// Dtypes: float64 and complex128 inputs; complex outputs are checked by their real and imaginary parts.
/// Errors: AutogradError that names output, input, elements, the numerical and the analytical derivative, or which
/// other check failed; ValueError if no input requires grad or one has elements that share memory. Cost: two calls of
/// `f` per real number in the inputs, a backward pass per real number in the outputs.
template <class F>
bool gradcheck(F&& f, const std::vector<Tensor>& inputs, const GradcheckOptions& options = {}) {
  auto call = [&f](const std::vector<Tensor>& in) -> decltype(auto) { return f(in); };
  return detail::gradcheck(detail::checked_function(call), inputs, options);
}

/// The same for the gradients of the gradients: of `f` with respect to its inputs and to the gradients of its outputs.
/// `grad_outputs`: random ones if empty.
template <class F>
bool gradgradcheck(F&& f, const std::vector<Tensor>& inputs, const std::vector<Tensor>& grad_outputs = {},
                   const GradcheckOptions& options = {}) {
  auto call = [&f](const std::vector<Tensor>& in) -> decltype(auto) { return f(in); };
  return detail::gradgradcheck(detail::checked_function(call), inputs, grad_outputs, options);
}
template <class F>
bool gradgradcheck(F&& f, const std::vector<Tensor>& inputs, const GradcheckOptions& options) {
  return gradgradcheck(f, inputs, std::vector<Tensor>(), options);
}

}  // namespace tenon::autograd
