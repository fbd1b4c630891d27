// The whole numbers that random_ draws from, by dtype and arguments.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include <tenon/base/checked_element.hpp>
#include <tenon/base/error.hpp>
#include <tenon/base/scalar_type.hpp>

namespace tenon::composite {

/// Calls `f(type_tag<T>)` for a dtype that whole random numbers can have.
template <class F>
void visit_random(ScalarType type, F&& f) {
  if (is_complex_type(type)) fail<NotImplementedError>("random_(): dtype ", type, " is not implemented");
  visit_scalar_type(type, [&]<class T>(type_tag<T> tag) {
    if constexpr (!is_complex_v<T>) f(tag);
  });
}
/// The whole numbers from 0 to this one are exact in T.
template <class T>
constexpr std::uint64_t largest_whole() {
  if constexpr (std::is_same_v<T, bool>)
    return 1;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  else if constexpr (std::is_same_v<T, Half>)
    return std::uint64_t{1} << 11;
  else if constexpr (std::is_same_v<T, BFloat16>)
    return std::uint64_t{1} << 8;
  else
    return std::uint64_t{1} << std::numeric_limits<T>::digits;
}
/// A whole number after a way through T; INT64_MIN if it is none of 64 bits then.
template <class T>
std::int64_t through(std::int64_t value) {
  double there;
  if constexpr (std::is_floating_point_v<T>)
    there = static_cast<double>(static_cast<T>(value));
  else
    there = static_cast<double>(static_cast<float>(T(static_cast<float>(value))));
  return std::abs(there) < 0x1p63 ? static_cast<std::int64_t>(there) : INT64_MIN;
}
/// Two neighbours of T around a whole number that is none of T's lie so far apart.
template <class T>
std::int64_t spacing(std::int64_t value) {
  auto magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
  return static_cast<std::int64_t>(std::bit_floor(magnitude) / largest_whole<T>() * 2);
}
/// Bounds of a floating dtype as PyTorch moves them: only if the first or the last number inside would be rounded to
/// one outside, and then a neighbour further than need be.
template <class T>
std::int64_t lower_bound(std::int64_t from) {
  if constexpr (std::is_integral_v<T>) {
    return from;
  } else {
    std::int64_t first = through<T>(from + 1);
    return first < from ? first + spacing<T>(from + 1) : from;
  }
}
template <class T>
std::int64_t upper_bound(std::int64_t to) {
  std::int64_t last = through<T>(to - 1);
  return last >= to ? last - spacing<T>(to - 1) : to;
}

/// `range` numbers from `base` on; a range of 0 stands for all 64-bit numbers.
struct RandomBounds {
  std::int64_t base;
  std::uint64_t range;
};
inline RandomBounds random_bounds(ScalarType type, std::int64_t from, std::optional<std::int64_t> to_given) {
  std::uint64_t range = 0;
  visit_random(type, [&]<class T>(type_tag<T>) {
    constexpr std::int64_t most = largest_whole<T>() > static_cast<std::uint64_t>(INT64_MAX)
                                      ? INT64_MAX
                                      : static_cast<std::int64_t>(largest_whole<T>());
    constexpr bool is_signed = !std::is_same_v<T, bool> && !std::is_unsigned_v<T>;
    auto check = [&](std::int64_t value, const char* name) {
      bool fits;
      if constexpr (std::is_integral_v<T>) {
        fits = value <= most && value >= (is_signed ? -most - 1 : 0);
      } else {
        double limit = std::is_same_v<T, Half> ? 65504.0 : 1e300;
        fits = static_cast<double>(value) <= limit && static_cast<double>(value) >= -limit;
      }
      TENON_CHECK(fits, ValueError, name, " is out of bounds for ", type);
    };
    if (to_given) {
      std::int64_t to = *to_given;
      TENON_CHECK(from < to, ValueError, "random_ expects 'from' to be less than 'to', but got from=", from,
                  " >= to=", to);
      if constexpr (!std::is_integral_v<T>) {
        from = lower_bound<T>(from);
        to = upper_bound<T>(to);
        TENON_CHECK(from < to, ValueError,
                    "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got from=", from,
                    " >= to=", to);
      }
      check(from, "from");
      check(to - 1, "to - 1");
      range = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
    } else if (from != INT64_MIN) {
      from = lower_bound<T>(from);
      check(from, "from");
      TENON_CHECK(
          std::is_integral_v<T> || from < most, ValueError,
          "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to dtype, but got from=",
          from, " > to_inc=", most);
      range = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(from) + 1;
    } else {
      TENON_CHECK(type == kLong || type == kDouble || type == kFloat || type == kBFloat16, ValueError,
                  "random_(): the full 64-bit range is only for int64, float64, float32 and bfloat16, got dtype ",
                  type);
    }
  });
  return {from, range};
}

}  // namespace tenon::composite
