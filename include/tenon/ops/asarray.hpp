// Tensors from what is a tensor already, from memory and from numbers: asarray.
#pragma once
#include <concepts>
#include <optional>
#include <type_traits>

#include <tenon/library/keyword.hpp>
#include <tenon/ops/tensor_of.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon {

namespace detail {

struct ArrayKeywords : TensorKeywords {
  std::optional<bool> copy, requires_grad;
};
template <fixed_string Name, class T>
void take_array_keyword(ArrayKeywords& k, const keyword_value<Name, T>& given) {
  if constexpr (Name.view() == "copy")
    k.copy = given.value;
  else if constexpr (Name.view() == "requires_grad")
    k.requires_grad = given.value;
  else
    take_tensor_keyword(k, given);
}
/// Elements that belong to somebody else and may be written: a span, and no vector.
template <class T>
concept shared_memory = !std::is_const_v<typename T::element_type> && requires(const T& memory) {
  scalar_type_v<typename T::element_type>;
  { memory.data() } -> std::same_as<typename T::element_type*>;
  memory.size();
};
template <class... Keywords>
ArrayKeywords array_keywords(const Keywords&... keywords) {
  static_assert((is_keyword_v<Keywords> && ...),
                "tenon: asarray() takes the data, then keywords such as \"dtype\"_a = kFloat or \"copy\"_a = true");
  ArrayKeywords k;
  (take_array_keyword(k, keywords), ...);
  return k;
}
Tensor array_of(const Tensor& tensor, const ArrayKeywords& k);
Tensor array_of(const TensorData& data, const ArrayKeywords& k);

}  // namespace detail

/// The tensor itself where dtype and device are those asked for, else a copy that is; `"copy"_a = true` always copies,
/// `"copy"_a = false` never.
/// Keywords: "dtype"_a, "device"_a, "copy"_a, "requires_grad"_a (that of the tensor; said, it is set on the tensor
/// itself, or on a detached one if that is no leaf).
/// Errors: ValueError if a copy is needed and refused.
template <std::same_as<Tensor> T, class... Keywords>
Tensor asarray(const T& tensor, const Keywords&... keywords) {
  return detail::array_of(tensor, detail::array_keywords(keywords...));
}
/// A vector over the memory of a `std::span`, which must live as long as the result does, or a copy under the same
/// rules.
template <detail::shared_memory Span, class... Keywords>
Tensor asarray(const Span& memory, const Keywords&... keywords) {
  return detail::array_of(
      from_blob(memory.data(), {static_cast<std::int64_t>(memory.size())}, scalar_type_v<typename Span::element_type>),
      detail::array_keywords(keywords...));
}
/// A new tensor of numbers, as `tensor()` makes it. Throws ValueError with `"copy"_a = false`.
template <class... Keywords>
Tensor asarray(const TensorData& data, const Keywords&... keywords) {
  return detail::array_of(data, detail::array_keywords(keywords...));
}

}  // namespace tenon
