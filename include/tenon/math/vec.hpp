// Vectors and masks of one instruction set: the one seam over xsimd 8 and newer.
#pragma once
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tenon/base/half.hpp>
#include <tenon/math/arch.hpp>
#include <tenon/math/detail/vec_raw.hpp>
#include <tenon/math/scalar.hpp>

namespace tenon::math {

// Calls below find functions by the types of their arguments. Operators of the same names are objects in an enclosing
// namespace and would end the search; a function here keeps it open.
struct no_arguments;
void abs(no_arguments);
void all(no_arguments);
void any(no_arguments);
void ceil(no_arguments);
void copysign(no_arguments);
void cos(no_arguments);
void exp(no_arguments);
void floor(no_arguments);
void isnan(no_arguments);
void log(no_arguments);
void maximum(no_arguments);
void minimum(no_arguments);
void pow(no_arguments);
void round(no_arguments);
void select(no_arguments);
void sin(no_arguments);
void sqrt(no_arguments);
void trunc(no_arguments);

// These functions are friends, found by their arguments. Declared here too, for operators have the same names in an
// outer namespace, and an object that is found first ends the search.
struct found_by_arguments;
// clang-format off
#define TENON_INTERNAL_FRIENDS(X)                                                                           \
  X(abs) X(sqrt) X(select) X(fma) X(isnan) X(maximum) X(minimum) X(max_ordered) X(min_ordered) X(copysign) X(hsum) \
  X(hmax) X(any) X(all)
// clang-format on
#define TENON_INTERNAL_FRIEND(NAME) void NAME(found_by_arguments);
TENON_INTERNAL_FRIENDS(TENON_INTERNAL_FRIEND)
#undef TENON_INTERNAL_FRIEND

/// One truth value per lane, the result of comparing two `vec<T, Arch>`.
template <class T, class Arch>
struct mask {
  using batch_type = xsimd::batch_bool<T, typename Arch::xsimd_arch>;
  batch_type v;
  mask() = default;
  mask(batch_type b) : v(b) {}
  explicit mask(bool b) : v(b) {}

  friend mask operator&(mask a, mask b) { return a.v & b.v; }
  friend mask operator|(mask a, mask b) { return a.v | b.v; }
  friend mask operator^(mask a, mask b) { return (a | b) & !(a & b); }
  friend mask operator!(mask a) { return ~a.v; }
  friend mask operator&&(mask a, mask b) { return a.v & b.v; }
  friend mask operator||(mask a, mask b) { return a.v | b.v; }
  friend bool any(mask a) { return xsimd::any(a.v); }
  friend bool all(mask a) { return xsimd::all(a.v); }
  /// Bit i is lane i.
  std::uint32_t bits() const { return cpu::detail::mask_bits<T, Arch>(v); }
  /// One byte per lane, 0 or 1, for the first `count` lanes.
  void store_partial(bool* p, int count) const {
    for (std::uint32_t b = bits(); count > 0; --count, b >>= 1) *p++ = b & 1u;
  }
  void store(bool* p) const { cpu::detail::store_mask<T, Arch>(v, p); }
};

/// `size` numbers of type T in one register. Arithmetic scalars mix in as T, so `0.5 * x` stays float.
template <class T, class Arch>
struct vec {
  using value_type = T;
  using arch = Arch;
  using mask_type = mask<T, Arch>;
  using batch_type = xsimd::batch<T, typename Arch::xsimd_arch>;
  static constexpr int size = static_cast<int>(batch_type::size);
  batch_type v;

  vec() = default;
  vec(batch_type b) : v(b) {}
  template <class S>
    requires std::is_arithmetic_v<S> vec(S s) : v(static_cast<T>(s)) {}

    static vec load(const T* p) { return batch_type::load_unaligned(p); }
    void store(T* p) const { v.store_unaligned(p); }
    /// Reads `count` (0 < count < size) elements and nothing behind them; the other lanes are 0.
    static vec load_partial(const T* p, int count) {
      return batch_type(cpu::detail::raw<T, Arch>::load_partial(p, count));
    }
    void store_partial(T* p, int count) const { cpu::detail::raw<T, Arch>::store_partial(v, p, count); }

    /// 16-bit floats in memory, float in the register.
    template <class H>
      requires(std::same_as<T, float> && (std::same_as<H, BFloat16> || std::same_as<H, Half>))
    static vec load(const H* p) { return batch_type(cpu::detail::raw<T, Arch>::load(p)); }
    template <class H>
      requires(std::same_as<T, float> && (std::same_as<H, BFloat16> || std::same_as<H, Half>))
    void store(H* p) const { cpu::detail::raw<T, Arch>::store(v, p); }
    template <class H>
      requires(std::same_as<T, float> && (std::same_as<H, BFloat16> || std::same_as<H, Half>))
    [[gnu::noinline]] static vec load_partial(const H* p, int count) {  // of a row's end: large in every loop
      alignas(64) H staged[size] = {};
      for (int i = 0; i < count; ++i) staged[i] = p[i];
      return load(staged);
    }
    template <class H>
      requires(std::same_as<T, float> && (std::same_as<H, BFloat16> || std::same_as<H, Half>))
    [[gnu::noinline]] void store_partial(H* p, int count) const {
      alignas(64) H staged[size];
      store(staged);
      for (int i = 0; i < count; ++i) p[i] = staged[i];
    }

    friend vec operator+(vec a, vec b) { return a.v + b.v; }
    friend vec operator-(vec a, vec b) { return a.v - b.v; }
    friend vec operator*(vec a, vec b) { return a.v * b.v; }
    friend vec operator/(vec a, vec b) { return batch_type(cpu::detail::raw<T, Arch>::div(a.v, b.v)); }
    friend vec operator-(vec a) {
      if constexpr (std::floating_point<T>)
        return a.v ^ batch_type(T(-0.0));  // 0 - x would lose the sign of zero
      else
        return -a.v;
    }
    friend vec operator&(vec a, vec b) { return a.v & b.v; }
    friend vec operator|(vec a, vec b) { return a.v | b.v; }
    friend vec operator^(vec a, vec b) { return a.v ^ b.v; }
    friend vec operator~(vec a) { return ~a.v; }
    friend vec operator<<(vec a, int n) { return a.v << n; }
    friend vec operator>>(vec a, int n) { return a.v >> n; }
    vec& operator+=(vec o) { return *this = *this + o; }
    vec& operator-=(vec o) { return *this = *this - o; }
    vec& operator*=(vec o) { return *this = *this * o; }
    vec& operator/=(vec o) { return *this = *this / o; }
    friend mask_type operator==(vec a, vec b) { return a.v == b.v; }
    // Not xsimd's `!=`, which version 8 computes as false for NaN.
    friend mask_type operator!=(vec a, vec b) { return !mask_type(a.v == b.v); }
    friend mask_type operator<(vec a, vec b) { return a.v < b.v; }
    friend mask_type operator<=(vec a, vec b) { return a.v <= b.v; }
    friend mask_type operator>(vec a, vec b) { return a.v > b.v; }
    friend mask_type operator>=(vec a, vec b) { return a.v >= b.v; }

    friend vec select(mask_type m, vec a, vec b) { return xsimd::select(m.v, a.v, b.v); }
    /// a * b + c, rounded once where the set has such an instruction.
    // Own instructions here and in max_ordered: xsimd 8 has no fused form for AVX-512, and versions order operands
    // differently.
    friend vec fma(vec a, vec b, vec c) { return batch_type(cpu::detail::raw<T, Arch>::fma(a.v, b.v, c.v)); }
    friend vec abs(vec a) { return xsimd::abs(a.v); }
    friend vec sqrt(vec a) requires std::floating_point<T> { return batch_type(cpu::detail::raw<T, Arch>::sqrt(a.v)); }
    friend mask_type isnan(vec a) { return a != a; }
    /// Larger of the two; a NaN operand gives NaN.
    friend vec maximum(vec a, vec b) {
      if constexpr (std::floating_point<T>)
        return select(a == a, max_ordered(a, b), a);
      else
        return xsimd::max(a.v, b.v);
    }
    friend vec minimum(vec a, vec b) {
      if constexpr (std::floating_point<T>)
        return select(a == a, min_ordered(a, b), a);
      else
        return xsimd::min(a.v, b.v);
    }
    /// One instruction: the second operand wherever either is NaN.
    friend vec max_ordered(vec a, vec b) { return batch_type(cpu::detail::raw<T, Arch>::max_second(a.v, b.v)); }
    friend vec min_ordered(vec a, vec b) { return batch_type(cpu::detail::raw<T, Arch>::min_second(a.v, b.v)); }
    friend vec copysign(vec magnitude, vec sign) requires std::floating_point<T> {
      vec top = T(-0.0);
      return (magnitude.v & ~top.v) | (sign.v & top.v);
    }
    /// Sum of the lanes, halves added to halves.
    friend T hsum(vec a) { return cpu::detail::sum_lanes<T, Arch>(a.v); }
    friend T hmax(vec a) {
      alignas(64) T lanes[size];
      a.store(lanes);
      T r = lanes[0];
      for (int i = 1; i < size; ++i) r = lanes[i] > r || lanes[i] != lanes[i] ? lanes[i] : r;
      return r;
    }
};

/// The same bits read as lanes of U; sizes of T and U agree.
template <class U, class T, class Arch>
  requires(sizeof(U) == sizeof(T))
vec<U, Arch> bit_cast(vec<T, Arch> a) {
  using to = typename vec<U, Arch>::batch_type;
  return to(__builtin_bit_cast(typename to::register_type,
                               static_cast<typename vec<T, Arch>::batch_type::register_type>(a.v)));
}

/// Nearest integer to a float or double of magnitude below 2^22 or 2^51, half to even, as the same type.
template <class T, class Arch>
vec<T, Arch> round_small(vec<T, Arch> x) {
  const vec<T, Arch> magic = sizeof(T) == 4 ? T(12582912.0) : T(6755399441055744.0);
  return (x + magic) - magic;
}

namespace detail {
template <class T>
using int_of_size = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
}

/// p * 2^n for integral n with a biased exponent in the normal range of T.
template <class T, class Arch>
vec<T, Arch> power_of_two(vec<T, Arch> n) {
  using I = detail::int_of_size<T>;
  // Adding 1.5 * 2^(mantissa bits) leaves the integer in the low mantissa bits.
  const T magic = sizeof(T) == 4 ? T(12582912.0 + 127) : T(6755399441055744.0 + 1023);
  return bit_cast<T>(bit_cast<I>(n + vec<T, Arch>(magic)) << (sizeof(T) == 4 ? 23 : 52));
}

/// p * 2^n with overflow to infinity and gradual underflow, for integral n within twice the exponent range.
template <class T, class Arch>
vec<T, Arch> scale(vec<T, Arch> p, vec<T, Arch> n) {
#if TENON_CPU_AVX512
  if constexpr (std::is_same_v<Arch, cpu::avx512>)
    return typename vec<T, Arch>::batch_type(cpu::detail::raw<T, Arch>::scalef(p.v, n.v));
#endif
  vec<T, Arch> half = round_small(n * vec<T, Arch>(T(0.5)));
  return p * power_of_two(half) * power_of_two(n - half);
}

/// Applies a scalar function lane by lane.
template <class T, class Arch, class F, class... V>
vec<T, Arch> lanewise(F f, vec<T, Arch> a, V... more) {
  constexpr int size = vec<T, Arch>::size;
  alignas(64) T lanes[1 + sizeof...(V)][size];
  int k = 0;
  a.store(lanes[k++]);
  (more.store(lanes[k++]), ...);
  for (int i = 0; i < size; ++i) {
    if constexpr (sizeof...(V) == 0)
      lanes[0][i] = f(lanes[0][i]);
    else if constexpr (sizeof...(V) == 1)
      lanes[0][i] = f(lanes[0][i], lanes[1][i]);
    else
      lanes[0][i] = f(lanes[0][i], lanes[1][i], lanes[2][i]);
  }
  return vec<T, Arch>::load(lanes[0]);
}

/// The lower and upper half of the lanes as double.
template <class Arch>
struct wide {
  vec<double, Arch> lo, hi;
};
template <class Arch>
wide<Arch> widen(vec<float, Arch> a) {
  using D = typename vec<double, Arch>::batch_type;
  return {D(cpu::detail::raw<float, Arch>::low_to_double(a.v)), D(cpu::detail::raw<float, Arch>::high_to_double(a.v))};
}
template <class Arch>
vec<float, Arch> narrow(vec<double, Arch> lo, vec<double, Arch> hi) {
  using F = typename vec<float, Arch>::batch_type;
  return F(cpu::detail::raw<float, Arch>::from_doubles(lo.v, hi.v));
}

}  // namespace tenon::math

namespace tenon::cpu {
using math::mask;
using math::narrow;
using math::vec;
using math::widen;
#define TENON_INTERNAL_FRIEND(NAME) using math::NAME;
TENON_INTERNAL_FRIENDS(TENON_INTERNAL_FRIEND)
#undef TENON_INTERNAL_FRIEND
#undef TENON_INTERNAL_FRIENDS
}  // namespace tenon::cpu
