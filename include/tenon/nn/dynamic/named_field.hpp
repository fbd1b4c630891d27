// A layer's tensor by the name of its field.
#pragma once
#include <string>
#include <string_view>
#include <type_traits>

#include <tenon/nn/fields.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::detail {

[[noreturn]] void no_tensor_called(std::string_view name, const std::string& known);
/// A leaf with these elements that shares no memory, trained if `old` is.
Parameter leaf_like(const Tensor& old, const Tensor& elements);

/// Errors: ValueError unless the layer has a tensor of that name.
template <class M>
auto& tensor_called(M& layer, std::string_view name) {
  using T = std::conditional_t<std::is_const_v<M>, const Tensor, Tensor>;
  T* found = nullptr;
  std::string known;
  for_each_field(layer, [&]<class Field>(const std::string& field, Field& t) {
    if constexpr (std::is_base_of_v<Tensor, Field>) {
      if (field == name && (t.defined() || !std::is_const_v<M>)) found = &t;
      known += (known.empty() ? "'" : ", '") + field + "'";
    }
  });
  if (!found) no_tensor_called(name, known);
  return *found;
}

}  // namespace tenon::nn::detail
