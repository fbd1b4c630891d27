// Keyword arguments: `add(a, b, "alpha"_a = 2)`.
#pragma once
#include <initializer_list>
#include <type_traits>

#include <tenon/base/array_ref.hpp>
#include <tenon/base/fixed_string.hpp>

namespace tenon {

/// A value for the parameter that is called `Name`.
template <fixed_string Name, class T>
struct keyword_value {
  T value;
  static constexpr std::string_view name() { return Name.view(); }
};

template <fixed_string Name>
struct keyword {
  static constexpr std::string_view name() { return Name.view(); }
  template <class T>
  constexpr keyword_value<Name, T&&> operator=(T&& value) const {
    return {static_cast<T&&>(value)};
  }
  /// `"dims"_a = {0, 1}`; the numbers live as long as the call.
  constexpr keyword_value<Name, IntArrayRef> operator=(std::initializer_list<std::int64_t> list) const {
    return {IntArrayRef(list.begin(), list.size())};
  }
};

namespace literals {
template <fixed_string Name>
constexpr keyword<Name> operator""_a() {
  return {};
}
}  // namespace literals
using namespace literals;

template <class T>
inline constexpr bool is_keyword_v = false;
template <fixed_string Name, class T>
inline constexpr bool is_keyword_v<keyword_value<Name, T>> = true;

}  // namespace tenon
