// What the numbers of a dtype can be: finfo and iinfo.
#pragma once
#include <cstdint>
#include <string>

#include <tenon/base/scalar_type.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon {

/// The limits of a floating dtype; of a complex one, those of its parts. Without a dtype: the default dtype's.
/// Throws TypeError for others.
class finfo {
 public:
  constexpr explicit finfo(ScalarType type) : dtype(to_real_type(type)) {
    TENON_CHECK(is_floating_type(dtype), TypeError,
                "finfo() requires a floating point input type. Use iinfo to handle '", type, "'");
    switch (dtype) {
      case kHalf: set(11, 16, 1e-3); break;
      case kBFloat16: set(8, 128, 1e-2); break;
      case kFloat: set(24, 128, 1e-6); break;
      case kFloat8_e5m2: set(3, 16, 1); break;
      case kFloat8_e4m3fn:
        set(4, 9, 1);
        max = 448, min = -448, tiny = smallest_normal = 0x1p-6;  // all but one code of the highest exponent are numbers
        break;
      default: set(53, 1023, 1e-15); max = 0x1.fffffffffffffp+1023, min = -max, tiny = smallest_normal = 0x1p-1022;
    }
  }
  finfo() : finfo(get_default_dtype()) {}

  ScalarType dtype;
  int bits = 0;
  double eps = 0;              ///< from 1 to the next larger number
  double max = 0, min = 0;     ///< the largest number and the smallest, both finite
  double tiny = 0;             ///< the smallest positive number of full precision, as is smallest_normal
  double smallest_normal = 0;  ///< the same
  double resolution = 0;       ///< the decimal digits: 1e-6 for six of them

 private:
  /// Of numbers with `digits` binary digits that end below 2^`exponent`.
  constexpr void set(int digits, int exponent, double decimal) {
    bits = static_cast<int>(item_size(dtype)) * 8;
    eps = 1, max = 1, tiny = 1;
    for (int i = 1; i < digits; ++i) eps /= 2;
    for (int i = 0; i < exponent; ++i) max *= 2;
    max = (1 - eps / 2) * max;
    min = -max;
    for (int i = 2; i < exponent; ++i) tiny /= 2;
    smallest_normal = tiny;
    resolution = decimal;
  }
};

/// The limits of an integer dtype. Throws TypeError for others, bool too.
class iinfo {
 public:
  constexpr explicit iinfo(ScalarType type) : dtype(type), bits(static_cast<int>(item_size(type)) * 8) {
    TENON_CHECK(type != kBool, TypeError, type, " is not supported by iinfo");
    TENON_CHECK(is_integral_type(type, false), TypeError,
                "iinfo() requires an integer input type. Use finfo to handle '", type, "'");
    max = ~std::uint64_t{0} >> (64 - bits);
    if (!is_signed_type(type)) return;
    max /= 2;
    min = -static_cast<std::int64_t>(max) - 1;
  }

  ScalarType dtype;
  int bits;
  std::int64_t min = 0;
  std::uint64_t max = 0;
};

/// As PyTorch prints them, with six digits: `iinfo(min=-128, max=127, dtype=int8)`.
std::string to_string(const finfo& f);
std::string to_string(const iinfo& i);

}  // namespace tenon
