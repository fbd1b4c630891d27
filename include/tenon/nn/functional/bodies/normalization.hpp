// Normalising functions by operators.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/functional/normalization.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/normalization.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::functional {

namespace detail {
/// One number has no variance.
inline void check_several(const Tensor& x, std::int64_t others, const char* what) {
  std::int64_t each = others;
  for (std::int64_t d = 2; d < x.dim(); ++d) each *= x.size(d);
  TENON_CHECK(each != 1, ValueError, "Expected more than 1 ", what, " when training, got input size ", x.sizes());
}
/// The sum of the channels from `before` ahead of each to `behind` after it.
inline Tensor sum_around(const Tensor& x, std::int64_t before, std::int64_t behind) {
  Tensor padded = ops::constant_pad_nd(ops::movedim(x, 1, -1), {before, behind});
  return ops::movedim(ops::sum(ops::unfold(padded, -1, before + behind + 1, 1), {-1}), -1, 1);
}
inline Tensor squares_around(const Tensor& x, std::int64_t before, std::int64_t behind) {
  return sum_around(ops::mul(x, x), before, behind);
}
inline Tensor over_squares(const Tensor& x, const Tensor& sum, double alpha, double beta, double k) {
  return ops::div(x, ops::pow(ops::add(ops::mul(sum, alpha), k), beta));
}
}  // namespace detail

TENON_BODY Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var,
                             const Tensor& weight, const Tensor& bias, bool training, double momentum, double eps) {
  if (training && input.dim() >= 2) detail::check_several(input, input.size(0), "value per channel");
  TENON_CHECK(!training || eps > 0, ValueError, "batch_norm eps must be positive during training, but got ", eps);
  TENON_CHECK(eps >= 0, ValueError, "batch_norm eps must be non-negative, but got ", eps);
  using nn::detail::if_defined;
  return ops::batch_norm(input, if_defined(weight), if_defined(bias), if_defined(running_mean), if_defined(running_var),
                         training, momentum, eps, false);
}
TENON_BODY Tensor instance_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var,
                                const Tensor& weight, const Tensor& bias, bool use_input_stats, double momentum,
                                double eps) {
  if (use_input_stats && input.dim() >= 2) detail::check_several(input, 1, "spatial element");
  using nn::detail::if_defined;
  return ops::instance_norm(input, if_defined(weight), if_defined(bias), if_defined(running_mean),
                            if_defined(running_var), use_input_stats, momentum, eps, false);
}
TENON_BODY Tensor local_response_norm(const Tensor& input, std::int64_t size, double alpha, double beta, double k) {
  TENON_CHECK(input.dim() >= 3, ValueError, "Expected 3D or higher dimensionality input (got ", input.dim(),
              " dimensions)");
  if (input.numel() == 0) return input;
  return detail::over_squares(input, detail::squares_around(input, size / 2, (size - 1) / 2),
                              alpha / static_cast<double>(size), beta, k);
}

}  // namespace tenon::nn::functional
