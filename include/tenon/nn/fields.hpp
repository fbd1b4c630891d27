// The fields of a plain struct, found without registration.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// Names the fields of a module, inside the struct: `TENON_FIELDS(weight, bias)`.
/// An aggregate needs it only for names: without it the fields are found all the same and called 0, 1, .. in their
/// order, since the older of the supported compilers cannot tell a field's name. A class with constructors or private
/// fields needs it to be seen into. Fields that are not named are not part of the module's state.
#define TENON_FIELDS(...) TENON_FIELDS_AS(#__VA_ARGS__, __VA_ARGS__)
/// The same under other names: `TENON_FIELDS_AS("weight, dropout", weight, dropout_layer)`.
// A visitor is taken in: a std::tuple of each module's fields would be a fifth of what the main header costs.
#define TENON_FIELDS_AS(NAMES, ...)                                                        \
  static constexpr ::std::string_view tenon_field_names() { return NAMES; }                \
  auto tenon_fields() const {                                                              \
    return [&](auto&& tenon_visit) -> decltype(auto) { return tenon_visit(__VA_ARGS__); }; \
  }                                                                                        \
  auto tenon_fields() {                                                                    \
    return [&](auto&& tenon_visit) -> decltype(auto) { return tenon_visit(__VA_ARGS__); }; \
  }

namespace tenon::nn {

namespace detail {

// Stands for an initialiser of any one field.
struct any_field {
  template <class T>
  operator T() const;
};

template <class T, std::size_t... At>
constexpr bool takes_fields(std::index_sequence<At...>) {
  return requires { T{(static_cast<void>(At), any_field{})...}; };
}

inline constexpr std::size_t kMaxFields = 24;

template <class T, std::size_t Rank = kMaxFields + 1>
constexpr std::size_t count_fields() {
  if constexpr (takes_fields<T>(std::make_index_sequence<Rank>()))
    return Rank;
  else if constexpr (Rank == 0)
    return 0;
  else
    return count_fields<T, Rank - 1>();
}

#define TENON_INTERNAL_BIND(N, ...) \
  else if constexpr (count == N) {  \
    auto& [__VA_ARGS__] = object;   \
    return std::tie(__VA_ARGS__);   \
  }

/// References to the fields of an aggregate without bases.
template <class T>
auto bound_fields(T& object) {
  constexpr std::size_t count = count_fields<std::remove_const_t<T>>();
  static_assert(count <= kMaxFields,
                "tenon: a module has more than 24 fields; name those that hold tensors with TENON_FIELDS");
  if constexpr (count == 0 || count > kMaxFields) return std::tuple<>();
  TENON_INTERNAL_BIND(1, a)
  TENON_INTERNAL_BIND(2, a, b)
  TENON_INTERNAL_BIND(3, a, b, c)
  TENON_INTERNAL_BIND(4, a, b, c, d)
  TENON_INTERNAL_BIND(5, a, b, c, d, e)
  TENON_INTERNAL_BIND(6, a, b, c, d, e, f)
  TENON_INTERNAL_BIND(7, a, b, c, d, e, f, g)
  TENON_INTERNAL_BIND(8, a, b, c, d, e, f, g, h)
  TENON_INTERNAL_BIND(9, a, b, c, d, e, f, g, h, i)
  TENON_INTERNAL_BIND(10, a, b, c, d, e, f, g, h, i, j)
  TENON_INTERNAL_BIND(11, a, b, c, d, e, f, g, h, i, j, k)
  TENON_INTERNAL_BIND(12, a, b, c, d, e, f, g, h, i, j, k, l)
  TENON_INTERNAL_BIND(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  TENON_INTERNAL_BIND(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
  TENON_INTERNAL_BIND(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
  TENON_INTERNAL_BIND(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
  TENON_INTERNAL_BIND(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
  TENON_INTERNAL_BIND(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
  TENON_INTERNAL_BIND(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
  TENON_INTERNAL_BIND(20, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
  TENON_INTERNAL_BIND(21, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u)
  TENON_INTERNAL_BIND(22, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
  TENON_INTERNAL_BIND(23, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w)
  TENON_INTERNAL_BIND(24, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x)
}
#undef TENON_INTERNAL_BIND

/// The index-th of the names in "weight, bias"; its number where no names are given.
std::string nth_name(std::string_view names, std::size_t index);

}  // namespace detail

/// Whether TENON_FIELDS names the fields of T.
template <class T>
concept named_fields = requires {
  std::remove_cvref_t<T>::tenon_field_names();
};

/// Calls `visit(name, field)` for each field of a struct: of those that TENON_FIELDS names, or of an aggregate's.
template <class T, class F>
void for_each_field(T& object, F&& visit) {
  std::string_view names;
  auto each = [&](auto&... fields) {
    [[maybe_unused]] std::size_t at = 0;
    (visit(detail::nth_name(names, at++), fields), ...);
  };
  if constexpr (named_fields<T>) {
    names = std::remove_const_t<T>::tenon_field_names();
    object.tenon_fields()(each);
  } else {
    std::apply(each, detail::bound_fields(object));
  }
}

}  // namespace tenon::nn
