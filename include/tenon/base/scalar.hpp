// A number of any kind, as operators take it where the schema says Scalar.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>

#include <tenon/base/scalar_type.hpp>

namespace tenon {

/// A bool, a signed or unsigned 64-bit integer, a double or a complex double.
class Scalar {
 public:
  enum class Kind : std::uint8_t { Bool, Int, UInt, Double, Complex };
  constexpr Scalar() : Scalar(std::int64_t{0}) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr Scalar(T value) : kind_(kind_of<T>(value)) {
    if (kind_ == Kind::Double)
      re_ = static_cast<double>(value);
    else
      bits_ = static_cast<std::int64_t>(value);
  }
  template <small_float T>
  constexpr Scalar(T value) : Scalar(static_cast<double>(static_cast<float>(value))) {}
  template <class T>
  constexpr Scalar(Complex<T> z)
      : kind_(Kind::Complex), re_(static_cast<double>(z.re)), im_(static_cast<double>(z.im)) {}

  constexpr Kind kind() const { return kind_; }
  constexpr bool is_boolean() const { return kind_ == Kind::Bool; }
  constexpr bool is_integral(bool include_bool = false) const {
    return kind_ == Kind::Int || kind_ == Kind::UInt || (include_bool && is_boolean());
  }
  constexpr bool is_floating_point() const { return kind_ == Kind::Double; }
  constexpr bool is_complex() const { return kind_ == Kind::Complex; }
  /// bool, int64, float64 or complex128.
  constexpr ScalarType type() const {
    switch (kind_) {
      case Kind::Bool: return kBool;
      case Kind::Double: return kDouble;
      case Kind::Complex: return kComplexDouble;
      case Kind::UInt: return kUInt64;
      default: return kLong;
    }
  }

  /// The value as `T`, converted as C++ converts numbers; a complex number gives its real part to a real type.
  template <class T>
  constexpr T to() const {
    if constexpr (is_complex_v<T>) {
      using R = typename T::value_type;
      if (kind_ == Kind::Complex) return T(static_cast<R>(re_), static_cast<R>(im_));
      return T(static_cast<R>(to<double>()));
    } else if constexpr (std::is_same_v<T, bool>) {
      return kind_ == Kind::Double ? re_ != 0 : kind_ == Kind::Complex ? (re_ != 0 || im_ != 0) : bits_ != 0;
    } else if constexpr (small_float<T>) {
      return T(to<float>());
    } else {
      if (kind_ == Kind::Double || kind_ == Kind::Complex) return static_cast<T>(re_);
      if (kind_ == Kind::UInt) return static_cast<T>(static_cast<std::uint64_t>(bits_));
      return static_cast<T>(bits_);
    }
  }
  constexpr double to_double() const { return to<double>(); }
  constexpr std::int64_t to_int() const { return to<std::int64_t>(); }
  /// Whether the number equals `value` exactly.
  constexpr bool equal(double value) const {
    return kind_ == Kind::Complex ? re_ == value && im_ == 0 : to<double>() == value;
  }
  constexpr Scalar conj() const { return kind_ == Kind::Complex ? Scalar(tenon::Complex<double>(re_, -im_)) : *this; }
  constexpr Scalar operator-() const {
    switch (kind_) {
      case Kind::Double: return Scalar(-re_);
      case Kind::Complex: return Scalar(tenon::Complex<double>(-re_, -im_));
      default: return Scalar(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(bits_)));
    }
  }
  /// The same as assignment, part by part: the processor waits for what is read whole after it was written in parts.
  [[gnu::always_inline]] constexpr void copy_parts(const Scalar& other) {
    kind_ = other.kind_;
    bits_ = other.bits_;
    re_ = other.re_;
    im_ = other.im_;
  }
  friend constexpr bool operator==(const Scalar& a, const Scalar& b) {
    return a.kind_ == b.kind_ && a.bits_ == b.bits_ && a.re_ == b.re_ && a.im_ == b.im_;
  }

 private:
  template <class T>
  static constexpr Kind kind_of(T value) {
    if constexpr (std::is_same_v<T, bool>)
      return Kind::Bool;
    else if constexpr (std::is_floating_point_v<T>)
      return Kind::Double;
    else if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8)
      return value > static_cast<T>(INT64_MAX) ? Kind::UInt : Kind::Int;
    else
      return Kind::Int;
  }

  Kind kind_ = Kind::Int;
  std::int64_t bits_ = 0;
  double re_ = 0, im_ = 0;
};

std::string to_string(const Scalar& s);

}  // namespace tenon
