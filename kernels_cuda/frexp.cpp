// Registers mantissas and exponents of floating-point numbers on CUDA.
#include <tuple>

#include <tenon/cuda/frexp.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/math.hpp>

#include "out_form.hpp"
#include "support.hpp"

namespace tenon::cuda {
namespace {

std::tuple<Tensor, Tensor> frexp(const Tensor& self) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  auto [m, e] = ops::frexp(without_data(self));  // refuses what has no exponent
  Tensor mantissa = like_on(self.device(), m), exponent = like_on(self.device(), e);
  if (self.numel() == 0) return {mantissa, exponent};
  DimVector first = steps_of(mantissa, self.sizes()), second = steps_of(exponent, self.sizes()),
            from = steps_of(self, self.sizes());
  FrexpCall c{walk_over(self.sizes(), {&first, &second, &from}, true), self.dtype(),
              static_cast<char*>(mantissa.data_ptr()), static_cast<char*>(exponent.data_ptr()),
              static_cast<const char*>(self.data_ptr())};
  take_apart(c, runtime::current_stream());
  runtime::check_launch("frexp");
  return {mantissa, exponent};
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl<tenon::ops::frexp_Tensor, &tenon::cuda::frexp>();
  tenon::cuda::implement_out_by_copy<tenon::ops::frexp_Tensor>(m, tenon::CallSite::now());
}
