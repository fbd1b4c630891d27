// Derivatives against finite differences in forward mode too, and against themselves within vmap.
#pragma once
#include <tenon/autograd/gradcheck.hpp>

namespace tenon::func {

/// What is checked besides; the other fields are those of autograd::gradcheck().
struct GradcheckOptions : autograd::GradcheckOptions {
  bool check_backward_ad = true;
  bool check_forward_ad = false;             ///< jvp against central differences, for every direction
  bool check_batched_grad = false;           ///< vmap of backward passes against one after the other
  bool check_batched_forward_grad = false;   ///< vmap of jvp against one after the other
  bool check_fwd_over_rev = false;           ///< of gradgradcheck(): forward mode through the backward pass
  bool check_rev_over_rev = true;            ///< of gradgradcheck(): reverse mode through it
  bool gen_non_contig_grad_outputs = false;  ///< of gradgradcheck(): random `grad_outputs` are not contiguous
};

namespace detail {
using autograd::detail::CheckedFunction;
bool gradcheck(CheckedFunction f, const std::vector<Tensor>& inputs, const GradcheckOptions& options);
bool gradgradcheck(CheckedFunction f, const std::vector<Tensor>& inputs, const std::vector<Tensor>& grad_outputs,
                   const GradcheckOptions& options);
}  // namespace detail

/// As autograd::gradcheck(), for derivatives of every kind that the options name.
/// Dtypes: float64 and complex128 inputs that require grad.
/// Errors: AutogradError that names what was computed how, output, input, and by how much they differ at most.
/// Source: torch.autograd.gradcheck of PyTorch 2.15.
template <class F>
bool gradcheck(F&& f, const std::vector<Tensor>& inputs, const GradcheckOptions& options = {}) {
  auto call = [&f](const std::vector<Tensor>& in) -> decltype(auto) { return f(in); };
  return detail::gradcheck(autograd::detail::checked_function(call), inputs, options);
}

/// The same for the gradients of `f`, with respect to its inputs and to the gradients of its outputs: `grad_outputs`,
/// random ones if empty.
template <class F>
bool gradgradcheck(F&& f, const std::vector<Tensor>& inputs, const std::vector<Tensor>& grad_outputs = {},
                   const GradcheckOptions& options = {}) {
  auto call = [&f](const std::vector<Tensor>& in) -> decltype(auto) { return f(in); };
  return detail::gradgradcheck(autograd::detail::checked_function(call), inputs, grad_outputs, options);
}

}  // namespace tenon::func
