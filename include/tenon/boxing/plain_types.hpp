// C++ types without symbolic integers and with them, and values between the two.
#pragma once
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/base/array_ref.hpp>
#include <tenon/base/sym_int.hpp>

namespace tenon::detail {

/// Lower a type to its form without symbolic integers.
template <class T>
struct plain {
  using type = T;
};
template <>
struct plain<SymInt> {
  using type = std::int64_t;
};
template <>
struct plain<ArrayRef<SymInt>> {
  using type = IntArrayRef;
};
template <>
struct plain<std::optional<SymInt>> {
  using type = std::optional<std::int64_t>;
};
template <>
struct plain<std::optional<ArrayRef<SymInt>>> {
  using type = std::optional<IntArrayRef>;
};
template <class T>
using plain_t = typename plain<T>::type;
template <class T>
inline constexpr bool is_symbolic_type_v = !std::is_same_v<plain_t<T>, T>;

// Only if all_plain.
inline std::int64_t to_plain(const SymInt& s) { return s.as_int_unchecked(); }
inline IntArrayRef to_plain(ArrayRef<SymInt> s) { return {reinterpret_cast<const std::int64_t*>(s.data()), s.size()}; }
inline std::optional<std::int64_t> to_plain(const std::optional<SymInt>& s) {
#if defined(__GLIBCXX__) && defined(__x86_64__) && !defined(__clang__)
  // In one store, as GCC reads it to pass it on: the processor waits for what is read whole after it was written in
  // parts. The value comes first in libstdc++, then whether there is one.
  using Words [[gnu::vector_size(16)]] = long long;
  Words both = {s ? s->as_int_unchecked() : 0, s.has_value()};
  return std::bit_cast<std::optional<std::int64_t>>(both);
#else
  return s ? std::optional(s->as_int_unchecked()) : std::nullopt;
#endif
}
inline std::optional<IntArrayRef> to_plain(const std::optional<ArrayRef<SymInt>>& s) {
  return s ? std::optional(to_plain(*s)) : std::nullopt;
}

/// A result type with symbolic integers for plain ones: what an operator returns to who asks for plain integers.
template <class T>
struct symbolic_result {
  using type = T;
};
template <>
struct symbolic_result<std::int64_t> {
  using type = SymInt;
};
template <class T>
struct symbolic_result<std::vector<T>> {
  using type = std::vector<typename symbolic_result<T>::type>;
};
template <class T>
struct symbolic_result<std::optional<T>> {
  using type = std::optional<typename symbolic_result<T>::type>;
};
template <class... T>
struct symbolic_result<std::tuple<T...>> {
  using type = std::tuple<typename symbolic_result<T>::type...>;
};
template <class R>
using symbolic_result_t = typename symbolic_result<R>::type;
/// The result as plain integers again. Throws TypeError that names `op` where one is symbolic.
template <class R, class S>
R plain_result(S&& s, std::string_view op) {
  if constexpr (std::is_same_v<R, std::remove_cvref_t<S>>)
    return std::forward<S>(s);
  else if constexpr (std::is_same_v<R, std::int64_t>)
    return s.expect_int(op);
  else if constexpr (requires { s.has_value(); })
    return s ? R(plain_result<typename R::value_type>(*s, op)) : R();
  else if constexpr (requires { s.size(); }) {
    R list;
    for (auto& item : s) list.push_back(plain_result<typename R::value_type>(item, op));
    return list;
  } else {
    return [&]<class... T>(std::type_identity<std::tuple<T...>>) {
      return std::apply([&](auto&... item) { return R{plain_result<T>(item, op)...}; }, s);
    }(std::type_identity<R>{});
  }
}

inline bool all_plain(const SymInt& s) { return !s.is_symbolic(); }
inline bool all_plain(ArrayRef<SymInt> s) {
  for (const SymInt& x : s)
    if (x.is_symbolic()) return false;
  return true;
}
inline bool all_plain(const std::optional<SymInt>& s) { return !s || !s->is_symbolic(); }
inline bool all_plain(const std::optional<ArrayRef<SymInt>>& s) { return !s || all_plain(*s); }

}  // namespace tenon::detail
