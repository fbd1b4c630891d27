// Layers that look rows up in a table.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <tenon/nn/fields.hpp>
#include <tenon/nn/parameter.hpp>

namespace tenon::nn {

struct Embedding;
namespace detail {
Tensor new_parameters(Embedding& layer);
}  // namespace detail

/// The rows of `weight` that indices name. Shapes: indices (..), the result (.., embedding_dim).
/// `padding_idx`: a row that starts as zeros and has no gradient. `max_norm`: rows that are looked up are brought down
/// to that norm, in place. Errors: ValueError for a padding_idx that names no row; IndexError for such indices.
struct Embedding {
  Count num_embeddings, embedding_dim;
  std::optional<std::int64_t> padding_idx = std::nullopt;
  std::optional<double> max_norm = std::nullopt;
  double norm_type = 2;
  bool scale_grad_by_freq = false;
  ScalarType dtype = kFloat;
  Parameter weight = detail::new_parameters(*this);

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

}  // namespace tenon::nn
