// Registers distributions that take as many random words as they need, and leaky_relu by random slopes, on CUDA.
#include <limits>
#include <tuple>

#include <tenon/composite/distribution_checks.hpp>
#include <tenon/composite/random_slopes.hpp>
#include <tenon/cuda/samplers.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/dropout.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/reduce.hpp>

#include "fault.hpp"
#include "generators.hpp"
#include "support.hpp"

namespace tenon::cuda {
namespace {

void need_floating(const char* name, ScalarType dtype) {
  if (!is_floating_type(dtype) || !has_arithmetic(dtype)) not_implemented_for(name, dtype);
}
/// The least number that a sample is, and what the greatest share lacks to one.
struct Bounds {
  double least, digit;
};
Bounds bounds_of(ScalarType dtype) {
  switch (dtype) {
    case kDouble: return {math::least_positive<double>(), 0x1p-52};
    case kHalf: return {math::least_positive<Half>(), 0x1p-10};
    case kBFloat16: return {math::least_positive<BFloat16>(), 0x1p-7};
    default: return {math::least_positive<float>(), 0x1p-23};
  }
}
Tensor fresh(IntArrayRef sizes, const Tensor& like) { return make_tensor(sizes, {}, like.dtype(), like.device()); }

/// A row-major result for the parameters a, and b where there are two. Each sequence gives way to the next call by so
/// many steps.
Tensor drawn(const char* name, Sampler what, const Tensor& a, const Tensor& b, std::uint64_t steps,
             const MaybeGenerator& generator) {
  Tensor out = fresh(a.sizes(), a), x = row_major(a), y = b.defined() ? row_major(b) : b;
  need_floating(name, a.dtype());
  if (out.numel() == 0) return out;
  Fault fault(a.device());
  SamplerCall c{what,
                a.dtype(),
                out.numel(),
                out.data_ptr(),
                x.data_ptr(),
                y.defined() ? y.data_ptr() : nullptr,
                bounds_of(a.dtype()).least,
                fault.data(),
                take_random(generator, steps)};
  draw_samples(c, runtime::current_stream());
  runtime::check_launch(name);
  if (what == Sampler::Poisson)
    TENON_CHECK(fault.told() == 0, ValueError, "invalid Poisson rate, expected rate to be non-negative");
  return out;
}
Tensor poisson(const Tensor& self, const MaybeGenerator& generator) {
  DeviceGuard guard(self.device());
  return drawn("poisson_cuda", Sampler::Poisson, self, Tensor(), 5, generator);
}
Tensor standard_gamma(const Tensor& self, const MaybeGenerator& generator) {
  DeviceGuard guard(self.device());
  return drawn("gamma_cuda", Sampler::Gamma, self, Tensor(), 3, generator);
}
Tensor binomial(const Tensor& count, const Tensor& prob, const MaybeGenerator& generator) {
  composite::check_binomial(count, prob);
  DeviceGuard guard(count.device());
  DimVector sizes = broadcast_shapes(count.sizes(), prob.sizes());
  Tensor n = fresh(sizes, count), p = fresh(sizes, prob);
  copy_elements(n, count);
  copy_elements(p, prob);
  return drawn("binomial_cuda", Sampler::Binomial, n, p, 11, generator);
}
Tensor standard_gamma_grad(const Tensor& self, const Tensor& output) {
  composite::check_standard_gamma_grad(self, output);
  DeviceGuard guard(self.device());
  Tensor out = fresh(self.sizes(), self), a = row_major(self), x = row_major(output);
  need_floating("_standard_gamma_grad_cuda", self.dtype());
  if (out.numel() == 0) return out;
  SamplerCall c{Sampler::Gamma, self.dtype(), out.numel(), out.data_ptr(), a.data_ptr(), x.data_ptr(), 0, nullptr, {}};
  gamma_slopes(c, runtime::current_stream());
  runtime::check_launch("_standard_gamma_grad");
  return out;
}
Tensor sample_dirichlet(const Tensor& self, const MaybeGenerator& generator) {
  TENON_CHECK(self.dim() > 0, IndexError, "_sample_dirichlet(): expected a tensor of at least one dimension");
  AutoDispatchBelowADInplaceOrView below;
  Tensor gammas = standard_gamma(self, generator);
  Bounds bounds = bounds_of(self.dtype());
  Tensor shares = ops::div(gammas, ops::sum(gammas, {-1}, true));
  return ops::clamp(shares, Scalar(bounds.least), Scalar(1 - bounds.digit));
}

std::tuple<Tensor, Tensor> rrelu(const Tensor& self, const Tensor& noise, const Scalar& lower, const Scalar& upper,
                                 bool training, const MaybeGenerator& generator) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  if (!training) return {composite::rrelu_mean(self, lower, upper), ops::clone(noise)};
  composite::check_rrelu(lower.to_double(), upper.to_double());
  need_floating("rrelu_with_noise_out_cuda", self.dtype());
  Tensor out = fresh(self.sizes(), self), slopes = fresh(self.sizes(), self), x = row_major(self);
  if (out.numel() == 0) return {out, slopes};
  std::int64_t blocks = random_blocks(out.numel());
  // PyTorch counts four numbers to a step, for double too, which draws two.
  SlopesCall c{self.dtype(),      out.numel(),
               x.data_ptr(),      out.data_ptr(),
               slopes.data_ptr(), lower.to_double(),
               upper.to_double(), take_random(generator, random_steps(out.numel(), blocks, 4))};
  random_slopes(c, blocks, runtime::current_stream());
  runtime::check_launch("rrelu_with_noise");
  return {out, slopes};
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  using namespace tenon;
  m.impl<ops::poisson_base, &cuda::poisson>()
      .impl<ops::binomial_base, &cuda::binomial>()
      .impl<ops::_standard_gamma_base, &cuda::standard_gamma>()
      .impl<ops::_standard_gamma_grad_base, &cuda::standard_gamma_grad>()
      .impl<ops::_sample_dirichlet_base, &cuda::sample_dirichlet>()
      .impl<ops::rrelu_with_noise_functional_base, &cuda::rrelu>();
}
