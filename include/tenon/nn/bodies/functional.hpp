// The functions behind the modules, by operators.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/nn/functional.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/attention.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::nn::functional {

TENON_BODY Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  return ops::linear(input, weight, bias.defined() ? std::optional<Tensor>(bias) : std::nullopt);
}
TENON_BODY Tensor relu(const Tensor& input) { return ops::relu(input); }
TENON_BODY Tensor tanh(const Tensor& input) { return ops::tanh(input); }
TENON_BODY Tensor sigmoid(const Tensor& input) { return ops::sigmoid(input); }

TENON_BODY Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyOptions& o) {
  return ops::cross_entropy_loss(input, target, o.weight, static_cast<std::int64_t>(o.reduction), o.ignore_index,
                                 o.label_smoothing);
}
TENON_BODY Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  SymIntArrayRef from = input.sym_sizes(), to = target.sym_sizes();
  if (from == to) [[likely]]
    return ops::mse_loss(input, target, static_cast<std::int64_t>(reduction));
  warn("Using a target size (", to, ") that is different to the input size (", from,
       "). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.");
  // The operator's own gradient of a mean divides by the operand's count, not by the result's.
  SymDimVector sizes = broadcast_shapes(from, to);
  return ops::mse_loss(ops::expand(input, sizes), ops::expand(target, sizes), static_cast<std::int64_t>(reduction));
}

TENON_BODY Tensor normalize(const Tensor& input, double p, std::int64_t dim, double eps) {
  return ops::div(input,
                  ops::clamp_min(ops::linalg_vector_norm(input, Scalar(p), IntArrayRef(dim), true), Scalar(eps)));
}
TENON_BODY Tensor one_hot(const Tensor& classes, std::int64_t num_classes) {
  return ops::one_hot(classes, num_classes);
}
TENON_BODY Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                               const AttentionOptions& o) {
  return ops::scaled_dot_product_attention(query, key, value, o.attn_mask, o.dropout_p, o.is_causal,
                                           "scale"_a = o.scale, "enable_gqa"_a = o.enable_gqa);
}

}  // namespace tenon::nn::functional
