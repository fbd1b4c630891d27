// What arrives along an edge: made to fit its result, and added to what is there.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <tenon/autograd/node.hpp>
#include <tenon/autograd/transformed.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::autograd::detail {

[[noreturn, gnu::cold]] inline void report_gradient_shape(const Node* from, const Tensor& grad,
                                                          const ResultInfo& info) {
  fail<AutogradError>("Function ", from ? from->name() : std::string("backward()"),
                      " returned an invalid gradient: got ", grad.sizes(), " but expected shape compatible with ",
                      IntArrayRef(info.sizes));
}

/// Makes a gradient fit the result it belongs to: real for real, cast, summed where the forward pass broadcast.
/// Throws AutogradError if the shapes have nothing to do with each other. `from` gave it.
inline void fit_gradient(Tensor& grad, const ResultInfo& info, const Node* from) {
  if (grad.sizes() != IntArrayRef(info.sizes)) {
    std::size_t extra = static_cast<std::size_t>(grad.dim()) - info.sizes.size();
    bool fits = static_cast<std::size_t>(grad.dim()) >= info.sizes.size();
    DimVector dims;
    for (std::size_t d = 0; fits && d < static_cast<std::size_t>(grad.dim()); ++d) {
      if (d < extra)
        dims.push_back(static_cast<std::int64_t>(d));
      else if (info.sizes[d - extra] == 1 && grad.sizes()[d] != 1)
        dims.push_back(static_cast<std::int64_t>(d));
      else
        fits = info.sizes[d - extra] == grad.sizes()[d];
    }
    if (!fits) report_gradient_shape(from, grad, info);
    // What nothing records may be written in place: it is no view of the sum.
    std::optional<AutoDispatchBelowADInplaceOrView> below;
    if (!is_grad_enabled()) below.emplace();
    if (!dims.empty()) grad = ops::sum(grad, IntArrayRef(dims), true);
    grad = ops::reshape(grad, IntArrayRef(info.sizes));
  }
  if (grad.dtype() != info.dtype) grad = ops::to(grad, info.dtype);
}

inline void add_into(Tensor& slot, Tensor&& grad) {
  if (!slot.defined()) slot = std::move(grad);
  // Nobody else sees a tensor that this run made and alone holds.
  else if (!is_grad_enabled() && slot.use_count() == 1 && slot.storage().use_count() == 1 &&
           slot.is_non_overlapping_and_dense() && slot.sizes() == grad.sizes() && slot.dtype() == grad.dtype() &&
           !is_transformed(slot) && !is_transformed(grad))  // of which one may differ from example to example
    ops::add_(slot, grad);
  else
    slot = ops::add(slot, grad);
}

}  // namespace tenon::autograd::detail
