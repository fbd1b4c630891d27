// Activations by operators.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/nn/functional/activation.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/dropout.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::functional {

namespace detail {
/// The dimension that PyTorch takes where none is given.
inline std::int64_t softmax_dim(const char* name, const std::optional<std::int64_t>& dim, const Tensor& input) {
  if (dim) return *dim;
  std::int64_t rank = input.dim();
  warn("Implicit dimension choice for ", name,
       " has been deprecated. Change the call to include dim=X as an argument.");
  return rank == 0 || rank == 1 || rank == 3 ? 0 : 1;
}
}  // namespace detail

#define TENON_INTERNAL_ACTIVATION(NAME)                       \
  TENON_BODY Tensor NAME(const Tensor& input, bool inplace) { \
    if (!inplace) return ops::NAME(input);                    \
    Tensor written = input;                                   \
    return ops::NAME##_(written);                             \
  }
TENON_INTERNAL_ACTIVATION(relu)
TENON_INTERNAL_ACTIVATION(relu6)
TENON_INTERNAL_ACTIVATION(selu)
TENON_INTERNAL_ACTIVATION(silu)
TENON_INTERNAL_ACTIVATION(mish)
TENON_INTERNAL_ACTIVATION(hardswish)
TENON_INTERNAL_ACTIVATION(hardsigmoid)
#undef TENON_INTERNAL_ACTIVATION

TENON_BODY Tensor elu(const Tensor& input, double alpha, bool inplace) {
  if (!inplace) return ops::elu(input, alpha);
  Tensor written = input;
  return ops::elu_(written, alpha);
}
TENON_BODY Tensor celu(const Tensor& input, double alpha, bool inplace) {
  if (!inplace) return ops::celu(input, alpha);
  Tensor written = input;
  return ops::celu_(written, alpha);
}
TENON_BODY Tensor hardtanh(const Tensor& input, double min_val, double max_val, bool inplace) {
  TENON_CHECK(min_val <= max_val, ValueError, "min_val cannot be greater than max_val");
  if (!inplace) return ops::hardtanh(input, min_val, max_val);
  Tensor written = input;
  return ops::hardtanh_(written, min_val, max_val);
}
TENON_BODY Tensor gelu(const Tensor& input, std::string_view approximate) {
  return ops::gelu(input, "approximate"_a = approximate);
}
TENON_BODY Tensor hardshrink(const Tensor& input, double lambd) { return ops::hardshrink(input, lambd); }
TENON_BODY Tensor softshrink(const Tensor& input, double lambd) {
  TENON_CHECK(lambd >= 0, ValueError, "lambda must be greater or equal to 0, but found to be ", lambd, ".");
  return ops::softshrink(input, lambd);
}
TENON_BODY Tensor softplus(const Tensor& input, double beta, double threshold) {
  return ops::softplus(input, beta, threshold);
}
TENON_BODY Tensor softsign(const Tensor& input) { return ops::div(input, ops::add(ops::abs(input), 1)); }
TENON_BODY Tensor sigmoid(const Tensor& input) { return ops::sigmoid(input); }
TENON_BODY Tensor logsigmoid(const Tensor& input) { return ops::log_sigmoid(input); }
TENON_BODY Tensor tanh(const Tensor& input) { return ops::tanh(input); }
TENON_BODY Tensor tanhshrink(const Tensor& input) { return ops::sub(input, ops::tanh(input)); }
TENON_BODY Tensor leaky_relu(const Tensor& input, double negative_slope, bool inplace) {
  if (!inplace) return ops::leaky_relu(input, negative_slope);
  Tensor written = input;
  return ops::leaky_relu_(written, negative_slope);
}
TENON_BODY Tensor threshold(const Tensor& input, double threshold, double value, bool inplace) {
  if (!inplace) return ops::threshold(input, threshold, value);
  Tensor written = input;
  return ops::threshold_(written, threshold, value);
}
TENON_BODY Tensor prelu(const Tensor& input, const Tensor& weight) { return ops::prelu(input, weight); }
TENON_BODY Tensor glu(const Tensor& input, std::int64_t dim) { return ops::glu(input, dim); }
TENON_BODY Tensor rrelu(const Tensor& input, double lower, double upper, bool training, bool inplace) {
  TENON_CHECK(lower <= upper, ValueError, "lower bound should be less than or equal to upper bound, got ", lower,
              " and ", upper);
  if (!inplace) return ops::rrelu(input, lower, upper, training);
  Tensor written = input;
  return ops::rrelu_(written, lower, upper, training);
}

TENON_BODY Tensor softmax(const Tensor& input, const std::optional<std::int64_t>& dim,
                          const std::optional<ScalarType>& dtype) {
  return ops::softmax(input, detail::softmax_dim("softmax", dim, input), dtype);
}
TENON_BODY Tensor log_softmax(const Tensor& input, const std::optional<std::int64_t>& dim,
                              const std::optional<ScalarType>& dtype) {
  return ops::log_softmax(input, detail::softmax_dim("log_softmax", dim, input), dtype);
}
TENON_BODY Tensor softmin(const Tensor& input, const std::optional<std::int64_t>& dim,
                          const std::optional<ScalarType>& dtype) {
  return ops::softmax(ops::neg(input), detail::softmax_dim("softmin", dim, input), dtype);
}
TENON_BODY Tensor gumbel_softmax(const Tensor& logits, double tau, bool hard, double eps, std::int64_t dim) {
  if (eps != 1e-10) warn("gumbel_softmax: `eps` parameter is deprecated and has no effect.");
  Tensor noise = ops::empty_like(logits, "memory_format"_a = MemoryFormat::Contiguous);
  ops::exponential_(noise);
  Tensor soft = ops::softmax(ops::div(ops::sub(logits, ops::log(noise)), tau), dim);
  if (!hard) return soft;
  Tensor most = ops::argmax(soft, dim, true);
  Tensor chosen = ops::zeros_like(logits, "memory_format"_a = MemoryFormat::Contiguous);
  ops::scatter_(chosen, dim, most, 1);
  return ops::add(ops::sub(chosen, ops::detach(soft)), soft);
}
TENON_BODY Tensor softmax2d(const Tensor& input) {
  TENON_CHECK(input.dim() == 3 || input.dim() == 4, ValueError, "Softmax2d: expected input to be 3D or 4D, got ",
              input.dim(), "D instead");
  return ops::softmax(input, -3);
}

}  // namespace tenon::nn::functional
