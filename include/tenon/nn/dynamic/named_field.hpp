// A layer's tensor by the name of its field.
#pragma once
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/nn/fields.hpp>
#include <tenon/nn/module.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::detail {

[[noreturn]] void no_tensor_called(std::string_view name, const std::string& known);
/// A leaf with these elements that shares no memory, trained if `old` is.
Parameter leaf_like(const Tensor& old, const Tensor& elements);

/// A layer whose tensors are a list by name of its own: a recurrent one.
template <class M>
concept names_its_tensors =
    item_list<M> && map_by_name<std::remove_cvref_t<decltype(std::declval<M&>().tenon_items())>>;
/// A layer around another one, whose tensors it has: a parametrized one.
template <class M>
concept has_inner_layer = requires(M& m) {
  m.tenon_inner();
};

/// Errors: ValueError unless the layer has a tensor of that name.
template <class M>
auto& tensor_called(M& layer, std::string_view name) {
  if constexpr (has_inner_layer<M>) {
    return tensor_called(layer.tenon_inner(), name);
  } else {
    using T = std::conditional_t<std::is_const_v<M>, const Tensor, Tensor>;
    T* found = nullptr;
    std::string known;
    auto look = [&]<class Field>(const std::string& field, Field& t) {
      if constexpr (std::is_base_of_v<Tensor, Field>) {
        if (field == name && (t.defined() || !std::is_const_v<M>)) found = &t;
        if (t.defined()) known += (known.empty() ? "'" : ", '") + field + "'";
      }
    };
    if constexpr (names_its_tensors<M>)
      for (auto& [field, t] : layer.tenon_items()) look(field, t);
    else
      for_each_field(layer, look);
    if (!found) no_tensor_called(name, known);
    return *found;
  }
}

}  // namespace tenon::nn::detail
