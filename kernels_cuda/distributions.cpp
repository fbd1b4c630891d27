// Registers draws of places by weights on CUDA.
#include <cmath>
#include <limits>

#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/sort.hpp>
#include <tenon/ops/view.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// Without replacement the places of the largest weights over exponential numbers, which are PyTorch's; with it those
/// where the running weights pass uniform numbers.
Tensor multinomial(const Tensor& self, std::int64_t samples, bool replacement,
                   const std::optional<Generator>& generator) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  Tensor shaped = ops::multinomial(without_data(self), samples, replacement);
  if (!is_floating_type(self.dtype()) || !has_arithmetic(self.dtype()))
    not_implemented_for("multinomial", self.dtype());
  if (self.numel() == 0) return like_on(self.device(), shaped);
  if (!runtime::is_capturing()) {
    double least = ops::min(self).item().to_double(), most = ops::max(self).item().to_double();
    TENON_CHECK(least >= 0 && most < std::numeric_limits<double>::infinity(), ValueError,
                "probability tensor contains either `inf`, `nan` or element < 0");
    TENON_CHECK(ops::min(ops::sum(self, {-1}, false, "dtype"_a = kDouble)).item().to_double() > 0, ValueError,
                "invalid multinomial distribution (sum of probabilities <= 0)");
  }
  if (!replacement || samples == 1) {
    Tensor q = make_tensor(self.sizes(), {}, self.dtype(), self.device());
    ops::exponential_(q, 1.0, generator);
    q = ops::div(self, q);
    if (samples == 1) return ops::argmax(q, -1, true);
    return std::get<1>(ops::topk(q, samples));
  }
  Tensor running = ops::cumsum(self, -1, "dtype"_a = self.dtype() == kDouble ? kDouble : kFloat);
  running = ops::div(running, ops::slice(running, -1, self.sizes().back() - 1));
  Tensor at = make_tensor(shaped.sizes(), {}, running.dtype(), self.device());
  ops::uniform_(at, 0.0, 1.0, generator);
  return ops::sum(ops::le(ops::unsqueeze(running, -2), ops::unsqueeze(at, -1)), {-1});
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) { m.impl<tenon::ops::multinomial_base, &tenon::cuda::multinomial>(); }
