// The tensors in a value of any type that a schema has.
#pragma once
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/tensor/tensor.hpp>

namespace tenon::detail {

template <class T>
concept tuple_like = requires {
  std::tuple_size<T>::value;
};
template <class T>
concept list_of_values = requires(const T& t) {
  typename T::value_type;
  t.begin();
  t.end();
};

/// Whether values of a type may hold tensors that `each_tensor` finds.
template <class T>
constexpr bool holds_tensors() {
  if constexpr (std::is_same_v<T, Tensor>)
    return true;
  else if constexpr (tuple_like<T>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (holds_tensors<std::remove_cvref_t<std::tuple_element_t<I, T>>>() || ...);
    }
  (std::make_index_sequence<std::tuple_size_v<T>>{});
  else if constexpr (list_of_values<T> || requires(const T& t) {
                       t.has_value();
                     }) return holds_tensors<std::remove_cvref_t<typename T::value_type>>();
  else return false;
}

/// Calls f with every tensor in an argument or result: alone, optional, in lists, tuples and arrays.
template <class T, class F>
void each_tensor(const T& x, F& f) {
  if constexpr (std::is_same_v<T, Tensor>)
    f(x);
  else if constexpr (!holds_tensors<T>())
    return;
  else if constexpr (tuple_like<T>)
    std::apply([&](const auto&... item) { (each_tensor(item, f), ...); }, x);
  else if constexpr (list_of_values<T>)
    for (const auto& item : x) each_tensor(item, f);
  else if (x)
    each_tensor(*x, f);
}

}  // namespace tenon::detail
