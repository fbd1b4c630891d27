// Look-ups by the operators embedding and embedding_bag.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/functional/embedding.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/embedding.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/unique.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::functional {

namespace detail {

/// Brings the rows that are looked up down to a norm, in place.
inline void renorm_rows(const Tensor& weight, const Tensor& indices, const std::optional<double>& max_norm,
                        double norm_type) {
  if (!max_norm || indices.numel() == 0) return;
  NoGradGuard no_grad;
  Tensor table = weight;
  ops::embedding_renorm_(table, indices, *max_norm, norm_type);
}
inline std::int64_t bag_mode(const EmbeddingBagOptions& o) {
  if (o.mode == "sum") return 0;
  if (o.mode == "mean") return 1;
  TENON_CHECK(o.mode == "max", ValueError, "mode has to be one of sum, mean or max");
  TENON_CHECK(!o.scale_grad_by_freq, ValueError, "max mode does not support scaling the gradient by the frequency");
  return 2;
}

}  // namespace detail

TENON_BODY Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingOptions& o) {
  std::int64_t padding = -1;
  if (o.padding_idx) {
    std::int64_t rows = weight.size(0);
    TENON_CHECK(*o.padding_idx < rows && *o.padding_idx >= -rows, ValueError,
                "Padding_idx must be within num_embeddings");
    padding = *o.padding_idx < 0 ? *o.padding_idx + rows : *o.padding_idx;
  }
  detail::renorm_rows(weight, input, o.max_norm, o.norm_type);
  return ops::embedding(weight, input, padding, o.scale_grad_by_freq);
}
TENON_BODY Tensor embedding_bag(const Tensor& input, const Tensor& weight, const EmbeddingBagOptions& o) {
  const Tensor& weights = o.per_sample_weights;
  if (weights.defined())
    TENON_CHECK(input.sizes() == weights.sizes(), ValueError, "embedding_bag: If per_sample_weights (", weights.sizes(),
                ") is not None, then it must have the same shape as the input (", input.sizes(), ")");
  TENON_CHECK(weight.dim() == 2, ValueError, "weight has to be a 2D Tensor, but got Tensor of dimension ",
              weight.dim());
  TENON_CHECK(input.dim() == 1 || input.dim() == 2, ValueError,
              "input has to be 1D or 2D Tensor, but got Tensor of dimension ", input.dim());
  Tensor offsets = o.offsets;
  if (input.dim() == 2) {
    TENON_CHECK(!offsets.defined(), ValueError,
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
                "sequences. However, found offsets of shape ",
                offsets.sizes());
    std::int64_t bags = input.size(0), each = input.size(1);
    offsets = ops::mul(ops::arange(bags, "dtype"_a = kLong, "device"_a = input.device()), Scalar(each));
  } else {
    TENON_CHECK(offsets.defined(), ValueError, "offsets has to be a 1D Tensor but got None");
    TENON_CHECK(offsets.dim() == 1, ValueError, "offsets has to be a 1D Tensor");
  }
  std::int64_t mode = detail::bag_mode(o);
  detail::renorm_rows(weight, input, o.max_norm, o.norm_type);
  TENON_CHECK(!weights.defined() || mode == 0, NotImplementedError,
              "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' "
              "(got mode='",
              o.mode, "'). Please open a feature request on GitHub.");
  auto flat = [](const Tensor& t) { return Tensor(ops::reshape(t, {-1})); };
  return std::get<0>(ops::embedding_bag(weight, flat(input), offsets, o.scale_grad_by_freq, mode, false,
                                        weights.defined() ? std::optional<Tensor>(flat(weights)) : std::nullopt,
                                        input.dim() == 1 && o.include_last_offset, o.padding_idx));
}

}  // namespace tenon::nn::functional
