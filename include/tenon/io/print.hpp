// Tensors as text, as PyTorch prints them.
#pragma once
#include <concepts>
#include <cstddef>
#include <string>

#include <tenon/io/print_options.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// The text that PyTorch prints for the tensor, without its prefix to dtypes: `tensor([1., 2.], dtype=float64)`.
/// Options that are not given are this thread's. Tensors whose elements are not in CPU memory show `...` and their
/// size; an undefined one is `tensor()`. Cost: reads what is shown only, at most 2 * edgeitems elements a dimension of
/// a tensor above the threshold. Source: torch/_tensor_str.py of PyTorch 2.15.
std::string to_string(const Tensor& tensor, const PrintOptions& options = get_printoptions());

/// What options say, as keywords: `dtype=float64, device=cpu`; nothing of what they leave to the factory.
std::string to_string(const TensorOptions& options);

/// Sizes and strides as Python prints them: `torch.Size([1, 64, 5, 4])`, `(1280, 20, 4, 1)`.
std::string size_text(IntArrayRef sizes);
std::string stride_text(IntArrayRef strides);

namespace detail {
template <class S>
concept text_stream = requires(S& s, const char* text, std::size_t n) {
  s.write(text, n).flush();
};
template <class T, class... Any>
concept one_of = (std::same_as<T, Any> || ...);
/// What a tensor tells about itself, as error messages say it.
template <class T>
concept tensor_property = one_of<T, ScalarType, Device, DeviceType, Layout, MemoryFormat, Scalar, SymInt, IntArrayRef,
                                 SymIntArrayRef, DispatchKey, KeySet>;
template <class S>
S& write_text(S& stream, const std::string& text) {
  stream.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
  return stream;
}
}  // namespace detail

/// Writes `to_string(tensor)` into a stream of any kind.
template <detail::text_stream Stream>
Stream& operator<<(Stream& stream, const Tensor& tensor) {
  return detail::write_text(stream, to_string(tensor));
}
/// The same for options.
template <detail::text_stream Stream>
Stream& operator<<(Stream& stream, const TensorOptions& options) {
  return detail::write_text(stream, to_string(options));
}
/// Writes sizes and strides as `[2, 3]`, dtypes as `float32`, devices as `cpu`, numbers and keys by their names.
template <detail::text_stream Stream, detail::tensor_property T>
Stream& operator<<(Stream& stream, const T& property) {
  return detail::write_text(stream, concat(property));
}

}  // namespace tenon
