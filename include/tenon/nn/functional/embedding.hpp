// Rows of a table, one by one or in bags.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::functional {

struct EmbeddingOptions {
  std::optional<std::int64_t> padding_idx = {};
  std::optional<double> max_norm = {};
  double norm_type = 2;
  bool scale_grad_by_freq = false;
};
/// The rows of `weight` (rows, width) that indices (..) name: (.., width). Rows are first brought down to `max_norm`,
/// in place. Errors: ValueError for a padding_idx that names no row.
Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingOptions& o = {});

struct EmbeddingBagOptions {
  Tensor offsets = {};
  std::optional<double> max_norm = {};
  double norm_type = 2;
  bool scale_grad_by_freq = false;
  std::string_view mode = "mean";
  Tensor per_sample_weights = {};
  bool include_last_offset = false;
  std::optional<std::int64_t> padding_idx = {};
};
/// The "sum", "mean" or "max" of the rows in each bag. Shapes: input (bags, n), a bag in each line, or (n) and
/// `offsets` (bags) of their first indices, behind them the end of the last with `include_last_offset`; the result
/// (bags, width). Errors: ValueError for other shapes and modes; NotImplementedError for weights of another mode than
/// "sum".
Tensor embedding_bag(const Tensor& input, const Tensor& weight, const EmbeddingBagOptions& o = {});

}  // namespace tenon::nn::functional
