// Tensors as text, as PyTorch prints them.
#pragma once
#include <cstddef>
#include <string>

#include <tenon/io/print_options.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// The text that PyTorch prints for the tensor, without its prefix to dtypes: `tensor([1., 2.], dtype=float64)`.
/// Tensors whose elements are not in CPU memory show `...` and their size; an undefined one is `tensor()`.
/// Cost: reads what is shown only, at most 2 * edgeitems elements a dimension of a tensor above the threshold.
/// Source: torch/_tensor_str.py of PyTorch 2.15.
std::string to_string(const Tensor& tensor, const PrintOptions& options = {});

/// Writes `to_string(tensor)` into a stream of any kind.
template <class Stream>
  requires requires(Stream& s, const char* text, std::size_t n) { s.write(text, n).flush(); }
Stream& operator<<(Stream& stream, const Tensor& tensor) {
  std::string text = to_string(tensor);
  stream.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
  return stream;
}

}  // namespace tenon
