// The one visitor of an argument's tensors: in a value of any type that a schema has, boxed or not.
#pragma once
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/boxing/value.hpp>

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
  if constexpr (std::is_same_v<T, Tensor> || std::is_same_v<T, Value>)
    return true;
  else if constexpr (tuple_like<T>)
    return []<std::size_t... At>(std::index_sequence<At...>) {
      return (holds_tensors<std::remove_cvref_t<std::tuple_element_t<At, T>>>() || ...);
    }
  (std::make_index_sequence<std::tuple_size_v<T>>{});
  else if constexpr (list_of_values<T> || requires(const T& t) {
                       t.has_value();
                     }) return holds_tensors<std::remove_cvref_t<typename T::value_type>>();
  else return false;
}

/// Calls f with every defined tensor in an argument or a result: alone, optional, in lists, tuples, arrays and
/// dictionaries at any depth. Where `x` is not const, f may assign the tensor.
template <class T, class F>
void each_tensor(T& x, F&& f) {
  using Own = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Own, Tensor>) {
    if (x.defined()) f(x);
  } else if constexpr (std::is_same_v<Own, Value>) {
    // Lists are shared: their elements are no more const than the caller says.
    auto each = [&](Value& item) { each_tensor(static_cast<T&>(item), f); };
    switch (x.kind()) {
      case ValueKind::Tensor: return each_tensor(x.to_tensor(), f);
      case ValueKind::List:
        for (Value& item : x.to_list()) each(item);
        return;
      case ValueKind::Tuple:
        for (Value& item : x.to_tuple()) each(item);
        return;
      case ValueKind::Dict:
        for (auto& [key, item] : x.to_dict()) each(key), each(item);
        return;
      default: return;
    }
  } else if constexpr (!holds_tensors<Own>())
    return;
  else if constexpr (tuple_like<Own>)
    std::apply([&](auto&... item) { (each_tensor(item, f), ...); }, x);
  else if constexpr (list_of_values<Own>)
    for (auto&& item : x) each_tensor(item, f);
  else if (x)
    each_tensor(*x, f);
}

}  // namespace tenon::detail
