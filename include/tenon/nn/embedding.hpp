// Layers that look rows up in a table.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <tenon/nn/calling.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::nn {

struct Embedding;
struct EmbeddingBag;
namespace detail {
Tensor new_parameters(Embedding& layer);
Tensor new_parameters(EmbeddingBag& layer);
}  // namespace detail

/// What Embedding::from_pretrained() takes beside the table.
struct EmbeddingFromPretrainedOptions {
  bool freeze = true;
  std::optional<std::int64_t> padding_idx = std::nullopt;
  std::optional<double> max_norm = std::nullopt;
  double norm_type = 2;
  bool scale_grad_by_freq = false;
};
/// What EmbeddingBag::from_pretrained() takes beside the table.
struct EmbeddingBagFromPretrainedOptions {
  bool freeze = true;
  std::optional<double> max_norm = std::nullopt;
  double norm_type = 2;
  bool scale_grad_by_freq = false;
  std::string mode = "mean";
  bool include_last_offset = false;
  std::optional<std::int64_t> padding_idx = std::nullopt;
};

/// The rows of `weight` that indices name. Shapes: indices (..), the result (.., embedding_dim).
/// `padding_idx`: a row that starts as zeros and has no gradient. `max_norm`: rows that are looked up are brought down
/// to that norm, in place. Errors: ValueError for a padding_idx that names no row; IndexError for such indices.
struct Embedding {
  Count num_embeddings, embedding_dim;
  std::optional<std::int64_t> padding_idx = std::nullopt;
  std::optional<double> max_norm = std::nullopt;
  double norm_type = 2;
  bool scale_grad_by_freq = false;
  ScalarType dtype = get_default_dtype();
  Parameter weight = detail::new_parameters(*this);

  /// A layer whose weight has the memory of `embeddings` (rows, width), also the row of a padding_idx; nothing is
  /// drawn. `Embedding::from_pretrained(table, {.freeze = false})`: a weight that is trained. Errors: ValueError unless
  /// the table has two dimensions. Source: torch.nn.Embedding.from_pretrained of PyTorch 2.15.
  static Embedding from_pretrained(const Tensor& embeddings, const EmbeddingFromPretrainedOptions& o = {});
  Tensor operator()(const Tensor& indices) const;
  std::string extra_repr() const {
    Description d;
    d.value(num_embeddings).value(embedding_dim);
    if (padding_idx) d.add("padding_idx", *padding_idx);
    if (max_norm) d.add("max_norm", *max_norm);
    if (norm_type != 2) d.add("norm_type", norm_type);
    if (scale_grad_by_freq) d.add("scale_grad_by_freq", true);
    return d.text;
  }
  TENON_FIELDS(weight)
};

/// The sum, mean or maximum of the rows in each bag: `mode` "sum", "mean" or "max". Shapes: indices (bags, n), or (n)
/// and the first index of each bag as `offsets` (bags), with `include_last_offset` and the end of the last; the result
/// (bags, embedding_dim). Errors: as functional::embedding_bag().
struct EmbeddingBag {
  Count num_embeddings, embedding_dim;
  std::optional<double> max_norm = std::nullopt;
  double norm_type = 2;
  bool scale_grad_by_freq = false;
  std::string mode = "mean";
  bool include_last_offset = false;
  std::optional<std::int64_t> padding_idx = std::nullopt;
  ScalarType dtype = get_default_dtype();
  Parameter weight = detail::new_parameters(*this);

  /// As Embedding::from_pretrained().
  static EmbeddingBag from_pretrained(const Tensor& embeddings, const EmbeddingBagFromPretrainedOptions& o = {});
  Tensor operator()(const Tensor& indices, const Tensor& offsets = {}, const Tensor& per_sample_weights = {}) const;
  std::string extra_repr() const {
    Description d;
    d.value(num_embeddings).value(embedding_dim);
    if (max_norm) d.add("max_norm", *max_norm);
    if (norm_type != 2) d.add("norm_type", norm_type);
    if (scale_grad_by_freq) d.add("scale_grad_by_freq", true);
    d.add("mode", "'" + mode + "'");
    if (padding_idx) d.add("padding_idx", *padding_idx);
    return d.text;
  }
  TENON_FIELDS(weight)
};

}  // namespace tenon::nn
