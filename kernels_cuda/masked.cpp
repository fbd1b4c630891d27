// Registers what goes to the elements that a mask chooses, and its gradient, on CUDA.
#include <tenon/composite/masked_shapes.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/view.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// Each chosen element takes the next one of the source: the running sum of the mask says which.
void masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source, const Tensor& out) {
  if (out.numel() == 0) return;
  AutoDispatchBelowADInplaceOrView below;
  Tensor chosen = row_major(Tensor(ops::expand(mask, out.sizes()))), from = ops::reshape(source, {-1});
  Tensor running = ops::reshape(ops::cumsum(ops::reshape(chosen, {-1}), 0), out.sizes());
  std::int64_t n = from.numel();
  if (!runtime::is_capturing())
    TENON_CHECK(ops::max(running).item().to_int() <= n, ValueError,
                "Number of elements of source < number of ones in mask");
  if (n == 0) return copy_elements(out, self);
  copy_elements(out, ops::where(chosen, ops::take(from, ops::clamp(ops::sub(running, 1), 0, n - 1)), self));
}
/// The chosen elements in order, then zeros.
Tensor masked_scatter_backward(const Tensor& grad, const Tensor& mask, IntArrayRef sizes) {
  composite::check_selects(grad, mask);
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(grad.device());
  Tensor out = make_tensor(sizes, {}, grad.dtype(), grad.device()), chosen = ops::masked_select(grad, mask);
  std::int64_t n = out.numel(), count = chosen.numel(), one = 1;
  TENON_CHECK(count <= n, ValueError, "shape '", sizes, "' is invalid for more than ", n, " selected elements");
  fill_elements(out, operand_of(Scalar(0), out.dtype()));
  copy_elements(make_alias(out, {&count, 1}, {&one, 1}, 0), chosen);
  return out;
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(masked_scatter_base, CUDA, cuda::masked_scatter);

}  // namespace tenon::ops

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl<tenon::ops::masked_scatter_backward_base, &tenon::cuda::masked_scatter_backward>();
}
