// Registers tensors of counted numbers on CUDA.
#include <tenon/composite/new_tensor.hpp>
#include <tenon/composite/repeat_checks.hpp>
#include <tenon/composite/spaced_shapes.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/math/elementary.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/repeat.hpp>
#include <tenon/ops/search.hpp>
#include <tenon/ops/sort.hpp>

#include "spaced.hpp"

namespace tenon::cuda {
namespace {

void count_into(const Tensor& out, const Scalar& start, const Scalar& step) {
  if (out.numel() == 0) return;
  Result to(out, out.dtype());
  CountedCall c{};
  c.dtype = out.dtype(), c.count = out.numel(), c.out = static_cast<char*>(to.data());
  if (is_integral_type(c.dtype, true))
    c.whole_first = static_cast<std::uint64_t>(start.to_int()),
    c.whole_step = static_cast<std::uint64_t>(step.to_int());
  else
    c.first = start.to_double(), c.step = step.to_double();
  count_up(c, runtime::current_stream());
  runtime::check_launch("arange");
  to.done();
}
template <auto Resize>
Tensor& steps_out(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  Resize(start, end, step, out);
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(out.device());
  count_into(out, start, step);
  return out;
}
Tensor& linspace_out(const Scalar& start, const Scalar& end, std::int64_t steps, Tensor& out) {
  composite::resize_for_steps("linspace_cuda", steps, out);
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(out.device());
  space_into(out, start, end, std::nullopt);
  return out;
}
/// The power of a single place is a double's.
Tensor& logspace_out(const Scalar& start, const Scalar& end, std::int64_t steps, double base, Tensor& out) {
  composite::resize_for_steps("logspace_cuda", steps, out);
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(out.device());
  if (steps == 1) {
    Scalar power = is_complex_type(out.dtype()) ? Scalar(math::pow(Complex<double>(base), start.to<Complex<double>>()))
                                                : Scalar(math::pow(base, start.to_double()));
    ops::fill_(out, power);
  } else {
    space_into(out, start, end, base);
  }
  return out;
}

/// Place i as often as the tensor says: of each place of the result, how many running sums it is not below.
Tensor repeat_interleave(const Tensor& repeats, std::optional<std::int64_t> output_size) {
  composite::check_repeats("repeat_interleave_cuda", repeats);
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(repeats.device());
  std::int64_t n = repeats.numel(), total = output_size.value_or(0);
  Tensor running;
  if (n > 0) {
    running = ops::cumsum(repeats, 0, "dtype"_a = kLong);
    if (!runtime::is_capturing() || !output_size) {
      TENON_CHECK(ops::min(repeats).item().to_int() >= 0, ValueError, "repeats can not be negative");
      runtime::copy_to_host(&total, static_cast<const std::int64_t*>(running.data_ptr()) + (n - 1), sizeof total);
    }
  }
  TENON_CHECK(!output_size || *output_size == total, ValueError, "allocated size does not match required size");
  Tensor out = make_tensor({&total, 1}, {}, repeats.dtype(), repeats.device());
  if (total == 0) return out;
  Tensor places = make_tensor({&total, 1}, {}, kLong, repeats.device());
  count_into(places, 0, 1);
  copy_elements(out, ops::searchsorted(running, places, "right"_a = true));
  return out;
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  using namespace tenon;
  m.impl<ops::arange_start_step_out, &cuda::steps_out<&composite::resize_for_arange>>()
      .impl<ops::range_step_out, &cuda::steps_out<&composite::resize_for_range>>()
      .impl<ops::linspace_base_out, &cuda::linspace_out>()
      .impl<ops::logspace_base_out, &cuda::logspace_out>()
      .impl<ops::repeat_interleave_Tensor, &cuda::repeat_interleave>();
}
