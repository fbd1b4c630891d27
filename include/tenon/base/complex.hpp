// Complex numbers without the cost of <complex>; the same layout, convertible to and from std::complex.
#pragma once
#include <concepts>

namespace tenon {

/// Real and imaginary part, adjacent in memory as in std::complex.
template <class T>
struct Complex {
  using value_type = T;
  T re{}, im{};
  constexpr Complex() = default;
  constexpr Complex(T real, T imag = T{}) : re(real), im(imag) {}
  template <std::floating_point Wider>
    requires(sizeof(Wider) > sizeof(T))
  constexpr Complex(Wider real) : re(static_cast<T>(real)) {}
  template <class U>
  constexpr explicit Complex(const Complex<U>& z) : re(static_cast<T>(z.re)), im(static_cast<T>(z.im)) {}
  /// From anything that looks like std::complex.
  template <class Z>
    requires(
        requires { typename Z::value_type; } && sizeof(Z) == 2 * sizeof(typename Z::value_type) &&
        requires(const Z& z) {
          z.real();
          z.imag();
        })
  constexpr Complex(const Z& z) : re(static_cast<T>(z.real())), im(static_cast<T>(z.imag())) {}
  template <template <class> class Std>
  constexpr operator Std<T>() const {
    return Std<T>(re, im);
  }

  constexpr T real() const { return re; }
  constexpr T imag() const { return im; }
  constexpr Complex& operator+=(Complex o) { return *this = *this + o; }
  constexpr Complex& operator-=(Complex o) { return *this = *this - o; }
  constexpr Complex& operator*=(Complex o) { return *this = *this * o; }
  constexpr Complex& operator/=(Complex o) { return *this = *this / o; }

  friend constexpr Complex operator+(Complex a) { return a; }
  friend constexpr Complex operator-(Complex a) { return {-a.re, -a.im}; }
  friend constexpr Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend constexpr Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  friend constexpr Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  /// Smith's method (Communications of the ACM 5:8, 1962): no overflow for representable quotients.
  friend constexpr Complex operator/(Complex a, Complex b) {
    // Magnitudes: 0 for -0 too.
    T x = (b.re < 0 ? -b.re : b.re) + T(0), y = (b.im < 0 ? -b.im : b.im) + T(0);
    if (x == 0 && y == 0) return {a.re / x, a.im / y};
    if (x >= y) {
      T ratio = b.im / b.re, scale = T(1) / (b.re + b.im * ratio);
      return {(a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale};
    }
    T ratio = b.re / b.im, scale = T(1) / (b.re * ratio + b.im);
    return {(a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale};
  }
  friend constexpr bool operator==(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }
};

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<Complex<T>> = true;

}  // namespace tenon
