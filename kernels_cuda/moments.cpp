// Registers variances and logarithms of sums on CUDA, made of other operators there.
#include <limits>

#include <tenon/composite/moment_shapes.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

using Dims = std::optional<IntArrayRef>;

/// The sum of squares around the mean, in two passes; the mean into `means` where it is given.
void find_moments(bool root, const Tensor& self, Dims dims, const std::optional<Scalar>& correction, bool keepdim,
                  const Tensor& out, const Tensor* means) {
  if (out.numel() == 0) return;
  if (!has_arithmetic(self.dtype())) not_implemented_for("std_cuda", self.dtype());
  AutoDispatchBelowADInplaceOrView below;
  Tensor x = row_major(self, compute_type_of(self.dtype())), mean = ops::mean(x, dims, true);
  if (means) copy_elements(*means, keepdim ? mean : Tensor(ops::mean(x, dims, false)));
  Tensor d = ops::sub(x, mean);
  if (d.is_complex()) d = ops::abs(d);
  std::int64_t count = self.numel() / out.numel();
  double rest = static_cast<double>(count) - (correction ? correction->to_double() : 1.0);
  Tensor sum = ops::sum(ops::mul(d, d), dims, keepdim);
  // Fewer elements than were corrected for give no number, or infinity, as a division by zero does.
  sum = ops::div(sum, Scalar(rest < 0 ? 0.0 : rest));
  copy_elements(out, root ? Tensor(ops::sqrt(sum)) : sum);
}
template <bool Root>
void variance(const Tensor& self, Dims dims, const std::optional<Scalar>& correction, bool keepdim, const Tensor& out) {
  find_moments(Root, self, dims, correction, keepdim, out, nullptr);
}
template <bool Root>
void variance_mean(const Tensor& self, Dims dims, const std::optional<Scalar>& correction, bool keepdim,
                   const Tensor& out, const Tensor& mean) {
  find_moments(Root, self, dims, correction, keepdim, out, &mean);
}
void logsumexp(const Tensor& self, IntArrayRef dims, bool keepdim, const Tensor& out) {
  if (out.numel() == 0) return;
  AutoDispatchBelowADInplaceOrView below;
  Tensor x = row_major(self, is_integral_type(self.dtype(), true) ? kFloat : compute_type_of(self.dtype()));
  Tensor real = x.is_complex() ? row_major(ops::select(ops::view_as_real(x), -1, 0)) : x;
  // Without elements there is no largest one.
  Tensor top =
      self.numel()
          ? Tensor(ops::amax(real, dims, true))
          : Tensor(ops::zeros(reduction::reduced_sizes(self.sizes(), reduction::dim_mask(dims, self.dim()), true),
                              "dtype"_a = real.dtype(), "device"_a = self.device()));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  top = ops::masked_fill(top, ops::eq(ops::abs(top), Scalar(infinity)), Scalar(0));
  Tensor total = ops::add(ops::log(ops::sum(ops::exp(ops::sub(x, top)), dims, true)), top);
  copy_elements(out, keepdim ? total : Tensor(ops::reshape(total, out.sizes())));
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(var_correction, CUDA, cuda::variance<false>);
TENON_STRUCTURED_KERNEL(std_correction, CUDA, cuda::variance<true>);
TENON_STRUCTURED_KERNEL(var_mean_correction, CUDA, cuda::variance_mean<false>);
TENON_STRUCTURED_KERNEL(std_mean_correction, CUDA, cuda::variance_mean<true>);
TENON_STRUCTURED_KERNEL(logsumexp_base, CUDA, cuda::logsumexp);

}  // namespace tenon::ops
