// Between a kernel's own argument types and the canonical ones, and the containers that only boxed values can hold.
#pragma once
#include <tenon/boxing/box.hpp>

namespace tenon::detail {

// By their members: the headers of std::map and std::array would cost every program time.
template <class T>
inline constexpr bool is_map_v = requires {
  typename T::key_type;
  typename T::mapped_type;
};
template <class T>
inline constexpr bool is_object_v = false;
template <class T>
inline constexpr bool is_object_v<intrusive_ptr<T>> = true;
template <class T>
inline constexpr bool is_std_array_v = requires {
  typename T::value_type;
  std::tuple_size<T>::value;
};

// Named by type, for most units do without the classes.
SymFloat read_symbolic(const Value& v, std::type_identity<SymFloat>);
SymBool read_symbolic(const Value& v, std::type_identity<SymBool>);
template <class T>
inline constexpr bool is_symbolic_number_v = std::is_same_v<T, SymFloat> || std::is_same_v<T, SymBool>;

/// A class that says itself how it is boxed: `static std::string schema_words()`, `static T from_value(const Value&)`
/// and a conversion to Value. `Future<T>` is one.
template <class T>
concept boxes_itself = requires(const Value& v) {
  T::schema_words();
  T::from_value(v);
};
/// The class of an object that has a schema type of its own.
template <class T>
concept named_object = is_object_v<T> && requires {
  T::element_type::schema_words();
};

/// The schema words of a C++ type: `Dict(str, Tensor[])`.
template <class T>
struct words_of {
  static std::string text() {
    using Bare = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<Bare, std::string>)
      return "str";
    else if constexpr (kind_of_word<Bare> != Kind::None_)
      return std::string(schema::kind_word(kind_of_word<Bare>));
    else if constexpr (boxes_itself<Bare>)
      return Bare::schema_words();
    else if constexpr (named_object<Bare>)
      return Bare::element_type::schema_words();
    else if constexpr (std::is_same_v<Bare, SymFloat>)
      return "SymFloat";
    else if constexpr (std::is_same_v<Bare, SymBool>)
      return "SymBool";
    else if constexpr (is_map_v<Bare>)
      return "Dict(" + words_of<typename Bare::key_type>::text() + ", " + words_of<typename Bare::mapped_type>::text() +
             ")";
    else if constexpr (is_tuple_v<Bare>) {
      return []<class... U>(std::type_identity<std::tuple<U...>>) {
        std::string out;
        ((out += (out.empty() ? "(" : ", ") + words_of<U>::text()), ...);
        return (out.empty() ? "(" : out) + ")";
      }(std::type_identity<Bare>{});
    } else if constexpr (requires { typename Bare::value_type; }) {
      using E = typename Bare::value_type;
      return words_of<E>::text() + (std::is_same_v<Bare, std::optional<E>> ? "?" : "[]");
    } else
      return "Any";
  }
};

/// A boxed value as a C++ value that owns what it holds. Throws TypeError for another kind.
template <class T>
T from_value(Value& v) {
  if constexpr (std::is_same_v<T, Value>)
    return v;
  else if constexpr (boxes_itself<T>)
    return T::from_value(v);
  else if constexpr (is_symbolic_number_v<T>)
    return read_symbolic(v, std::type_identity<T>{});
  else if constexpr (is_object_v<T>)
    return v.to_object<typename T::element_type>();
  else if constexpr (is_map_v<T>) {
    T map;
    for (auto& [key, value] : v.to_dict())
      map.emplace(from_value<typename T::key_type>(key), from_value<typename T::mapped_type>(value));
    return map;
  } else if constexpr (is_tuple_v<T>) {
    return [&]<class... U>(std::type_identity<std::tuple<U...>>) {
      auto& items = v.to_tuple();
      TENON_CHECK(items.size() == sizeof...(U), ValueError, "expected a tuple of ", sizeof...(U), " elements, got ",
                  items.size());
      return [&]<std::size_t... At>(std::index_sequence<At...>) {
        return std::tuple<U...>{from_value<U>(items[At])...};
      }
      (std::index_sequence_for<U...>{});
    }(std::type_identity<T>{});
  } else if constexpr (is_std_array_v<T>) {
    T list;
    auto& items = v.to_list();
    TENON_CHECK(items.size() == list.size(), ValueError, "expected a list of ", list.size(), " elements, got ",
                items.size());
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = from_value<typename T::value_type>(items[i]);
    return list;
  } else if constexpr (std::is_same_v<T, std::string>)
    return std::string(v.to_string_view());
  else if constexpr (std::is_same_v<T, Tensor>)
    return v.is_none() ? Tensor() : v.to_tensor();
  else if constexpr (requires { typename T::value_type; } && !is_complex_v<T>) {
    using E = typename T::value_type;
    if constexpr (std::is_same_v<T, std::optional<E>>)
      return v.is_none() ? T() : T(from_value<E>(v));
    else {
      T list;
      for (Value& item : v.to_list()) list.push_back(from_value<E>(item));
      return list;
    }
  } else {
    auto held = unboxer<T>::hold(v);
    return T(unboxer<T>::get(held));
  }
}

/// A C++ value of any kind that a schema can name as a boxed one.
template <class T>
Value to_value(const T& x) {
  if constexpr (boxes_itself<T>)
    return Value(x);
  else if constexpr (requires { typename T::unnamed; })
    return to_value<typename T::unnamed>(x);
  else if constexpr (is_map_v<T>) {
    std::vector<std::pair<Value, Value>> items;
    for (const auto& [key, value] : x) items.emplace_back(to_value(key), to_value(value));
    return Value::dict(std::move(items));
  } else if constexpr (is_tuple_v<T>) {
    std::vector<Value> items;
    std::apply([&](const auto&... item) { (items.push_back(to_value(item)), ...); }, x);
    return Value::tuple(std::move(items));
  } else if constexpr (is_object_v<T>)
    return Value(x);
  else if constexpr (requires { x.has_value(); })
    return x ? to_value(*x) : Value();
  else if constexpr (requires {
                       typename T::value_type;
                       x.size();
                     } &&
                     !std::is_constructible_v<Value, const T&>) {
    std::vector<Value> items;
    for (const auto& item : x) items.push_back(to_value(item));
    return Value::list(std::move(items));
  } else
    return box(x);
}

/// Argument `x` of canonical type `A` as the kernel's parameter `B`.
template <class B, class A>
[[gnu::always_inline]] inline decltype(auto) give(std::remove_reference_t<A>& x) {
  using T = std::remove_cvref_t<B>;
  using S = std::remove_cvref_t<A>;
  if constexpr (std::is_same_v<A, B> || std::is_same_v<T, S>) {
    if constexpr (std::is_reference_v<A> || std::is_reference_v<B>)
      return static_cast<std::conditional_t<std::is_reference_v<B>, std::remove_reference_t<A>&, const T&>>(x);
    else
      return T(x);
  } else if constexpr (std::is_same_v<S, Value>) {
    return from_value<T>(const_cast<Value&>(x));
  } else if constexpr (std::is_constructible_v<T, S>) {
    return T(x);
  } else if constexpr (requires {
                         x.has_value();
                         typename T::value_type;
                       } &&
                       std::is_same_v<T, std::optional<typename T::value_type>>) {
    return x ? T(give<typename T::value_type, const typename S::value_type&>(*x)) : T();
  } else if constexpr (is_std_array_v<T>) {
    T list{};
    TENON_CHECK(x.size() == list.size(), ValueError, "expected a list of ", list.size(), " elements, got ", x.size());
    for (std::size_t i = 0; i < list.size(); ++i)
      list[i] = give<typename T::value_type, const typename S::value_type&>(x[i]);
    return list;
  } else {
    T list;
    for (const auto& item : x) list.push_back(give<typename T::value_type, const typename S::value_type&>(item));
    return list;
  }
}

/// The kernel's result as the canonical one.
template <class R, class R2, class F>
[[gnu::always_inline]] inline R give_result(F&& run) {
  if constexpr (std::is_same_v<R, R2> || std::is_void_v<R>)
    return static_cast<R>(run());
  else if constexpr (std::is_same_v<R, Value>)
    return to_value(run());
  else if constexpr (is_tuple_v<R>) {
    return [&]<class... C, class... O>(std::type_identity<std::tuple<C...>>, std::type_identity<std::tuple<O...>>) {
      auto results = run();
      return std::apply(
          [](auto&... r) { return R{give_result<C, O>([&]() -> O { return static_cast<O>(std::move(r)); })...}; },
          results);
    }(std::type_identity<R>{}, std::type_identity<R2>{});
  } else {
    decltype(auto) result = run();
    if constexpr (std::is_constructible_v<R, decltype(result)>)
      return R(static_cast<decltype(result)&&>(result));
    else {
      R list;
      for (const auto& item : result)
        list.push_back(give<typename R::value_type, const typename std::remove_cvref_t<R2>::value_type&>(item));
      return list;
    }
  }
}

}  // namespace tenon::detail
