// Numbers as elements of a dtype, refused where the dtype cannot hold them.
#pragma once
#include <limits>

#include <tenon/base/scalar.hpp>

namespace tenon {

namespace detail {
// By value: a reference to a constant of a built-in type would, with g++, keep a plugin from unloading.
[[noreturn, gnu::cold, gnu::noinline]] inline void does_not_fit(ScalarType type) {
  fail<ValueError>("value cannot be converted to type ", type, " without overflow");
}
/// The dtype of a C++ type; of an integer type that is none by name, `long long` say, the one of its size.
template <class T>
constexpr ScalarType dtype_of_size() {
  if constexpr (!std::is_integral_v<T> || std::is_same_v<T, bool>)
    return scalar_type_v<T>;
  else if constexpr (sizeof(T) == 1)
    return std::is_signed_v<T> ? kChar : kByte;
  else if constexpr (sizeof(T) == 2)
    return std::is_signed_v<T> ? kShort : kUInt16;
  else if constexpr (sizeof(T) == 4)
    return std::is_signed_v<T> ? kInt : kUInt32;
  else
    return std::is_signed_v<T> ? kLong : kUInt64;
}
}  // namespace detail

/// The number as an element of type T. Floating numbers truncate to integers, and a small negative number becomes a
/// large unsigned one. Throws ValueError in PyTorch's words where T cannot hold the number.
template <class T>
T checked_element(const Scalar& value) {
  auto overflow = [] { detail::does_not_fit(detail::dtype_of_size<T>()); };
  if constexpr (std::is_same_v<T, bool>) {
    return value.to<bool>();
  } else if constexpr (is_complex_v<T>) {
    auto z = value.to<Complex<double>>();
    return T(checked_element<typename T::value_type>(z.re), checked_element<typename T::value_type>(z.im));
  } else {
    if (value.is_complex() && value.to<Complex<double>>().im != 0) overflow();
    if constexpr (std::is_integral_v<T>) {
      using Limits = std::numeric_limits<T>;
      if (value.is_floating_point() || value.is_complex()) {
        double x = value.to_double();
        // The largest 64-bit integer is no double: its neighbour above is the bound.
        constexpr T half = (Limits::max)() / 2 + 1;
        if (!(x >= static_cast<double>((Limits::lowest)()) && x < static_cast<double>(half) * 2.0)) overflow();
      } else if (value.kind() == Scalar::Kind::UInt) {
        if (value.to<std::uint64_t>() > static_cast<std::uint64_t>((Limits::max)())) overflow();
      } else {
        std::int64_t x = value.to_int();
        if (x > 0 && static_cast<std::uint64_t>(x) > static_cast<std::uint64_t>((Limits::max)())) overflow();
        if (std::is_signed_v<T>
                ? x < static_cast<std::int64_t>((Limits::lowest)())
                : x < 0 && 0 - static_cast<std::uint64_t>(x) > static_cast<std::uint64_t>((Limits::max)()))
          overflow();
      }
    } else {
      double x = value.to_double(), most;
      if constexpr (small_float<T>)
        most = static_cast<double>(T::largest);
      else
        most = static_cast<double>((std::numeric_limits<T>::max)());
      if (x - x == 0 && (x > most || x < -most)) overflow();
    }
    return value.to<T>();
  }
}

}  // namespace tenon
