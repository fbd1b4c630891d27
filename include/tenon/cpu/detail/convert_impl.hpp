// Conversions: common pairs directly, every other pair through one of five wide types.
#pragma once

namespace tenon::cpu::detail {

template <class Arch, class U>
void move_elements(char* dst, std::int64_t dst_step, const char* src, std::int64_t src_step, std::int64_t n) {
  constexpr std::int64_t size = sizeof(U);
  if (dst_step == size && src_step == size) {
    if (dst != src) std::memcpy(dst, src, static_cast<std::size_t>(n * size));
  } else if (dst_step == size && src_step == 0) {
    U value;
    std::memcpy(&value, src, sizeof(U));
    for (std::int64_t i = 0; i < n; ++i) std::memcpy(dst + i * size, &value, sizeof(U));
  } else {
    for (std::int64_t i = 0; i < n; ++i, dst += dst_step, src += src_step) std::memcpy(dst, src, sizeof(U));
  }
}
struct alignas(16) sixteen_bytes {
  std::uint64_t a, b;
};
template <class Arch>
void move_row(char* dst, std::int64_t dst_step, const char* src, std::int64_t src_step, std::int64_t n,
              std::int64_t item) {
  switch (item) {
    case 1: return move_elements<Arch, std::uint8_t>(dst, dst_step, src, src_step, n);
    case 2: return move_elements<Arch, std::uint16_t>(dst, dst_step, src, src_step, n);
    case 4: return move_elements<Arch, std::uint32_t>(dst, dst_step, src, src_step, n);
    case 8: return move_elements<Arch, std::uint64_t>(dst, dst_step, src, src_step, n);
    default: return move_elements<Arch, sixteen_bytes>(dst, dst_step, src, src_step, n);
  }
}

template <class Arch, class D, class S>
void convert_elements(char* dst, std::int64_t dst_step, const char* src, std::int64_t src_step, std::int64_t n) {
  if (dst_step == sizeof(D) && src_step == sizeof(S)) {
    // A bool's byte is 0 or 1; as a number of bytes compilers take several at a time.
    using Read = std::conditional_t<std::is_same_v<S, bool>, std::uint8_t, S>;
    D* d = reinterpret_cast<D*>(dst);
    const Read* s = reinterpret_cast<const Read*>(src);
    std::int64_t i = 0;
    // A constant count, so that compilers vectorise at -O2 too.
    for (; i + 16 <= n; i += 16)
#if !defined(__clang__)
#pragma GCC ivdep
#endif
      for (int k = 0; k < 16; ++k) d[i + k] = cast_element<D>(s[i + k]);
    for (; i < n; ++i) d[i] = cast_element<D>(s[i]);
  } else {
    for (std::int64_t i = 0; i < n; ++i, dst += dst_step, src += src_step)
      *reinterpret_cast<D*>(dst) = cast_element<D>(*reinterpret_cast<const S*>(src));
  }
}
/// Between float and a 16-bit float, by vectors.
template <class Arch, class D, class S>
void convert_halves(char* dst, std::int64_t dst_step, const char* src, std::int64_t src_step, std::int64_t n) {
  if (dst_step != sizeof(D) || src_step != sizeof(S))
    return convert_elements<Arch, D, S>(dst, dst_step, src, src_step, n);
  using V = vec<float, Arch>;
  D* d = reinterpret_cast<D*>(dst);
  const S* s = reinterpret_cast<const S*>(src);
  std::int64_t i = 0;
  for (; i + V::size <= n; i += V::size) V::load(s + i).store(d + i);
  for (; i < n; ++i) d[i] = cast_element<D>(s[i]);
}

using row_function = void (*)(char*, std::int64_t, const char*, std::int64_t, std::int64_t);

/// The type through which a dtype's conversions go; wide enough for every value of it.
enum class hub : std::uint8_t { signed_int, unsigned_int, single, wide, complex };
template <hub H>
struct hub_type;
template <>
struct hub_type<hub::signed_int> {
  using type = std::int64_t;
};
template <>
struct hub_type<hub::unsigned_int> {
  using type = std::uint64_t;
};
template <>
struct hub_type<hub::single> {
  using type = float;
};
template <>
struct hub_type<hub::wide> {
  using type = double;
};
template <>
struct hub_type<hub::complex> {
  using type = Complex<double>;
};
template <class T>
constexpr hub hub_of() {
  if constexpr (is_complex_v<T>)
    return hub::complex;
  else if constexpr (std::is_same_v<T, double>)
    return hub::wide;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return hub::unsigned_int;
  else if constexpr (std::is_integral_v<T>)
    return hub::signed_int;
  else
    return hub::single;
}

/// Null if the program's selection leaves one of the dtypes out.
template <class Arch, class D, class S>
constexpr row_function direct_row() {
  if constexpr (!is_selected(scalar_type_v<D>) || !is_selected(scalar_type_v<S>))
    return nullptr;
  else if constexpr (sizeof(D) == 2 || sizeof(S) == 2)
    return &convert_halves<Arch, D, S>;
  else
    return &convert_elements<Arch, D, S>;
}
template <class Arch>
row_function direct_pair(ScalarType to, ScalarType from) {
  constexpr auto pair = [](ScalarType a, ScalarType b) { return static_cast<int>(a) << 8 | static_cast<int>(b); };
  switch (pair(to, from)) {
    case pair(kFloat, kDouble): return direct_row<Arch, float, double>();
    case pair(kDouble, kFloat): return direct_row<Arch, double, float>();
    case pair(kFloat, kInt): return direct_row<Arch, float, std::int32_t>();
    case pair(kFloat, kLong): return direct_row<Arch, float, std::int64_t>();
    case pair(kFloat, kByte): return direct_row<Arch, float, std::uint8_t>();
    case pair(kFloat, kBool): return direct_row<Arch, float, bool>();
    case pair(kDouble, kBool): return direct_row<Arch, double, bool>();
    case pair(kLong, kBool): return direct_row<Arch, std::int64_t, bool>();
    case pair(kInt, kBool): return direct_row<Arch, std::int32_t, bool>();
    case pair(kByte, kBool): return direct_row<Arch, std::uint8_t, bool>();
    case pair(kBool, kFloat): return direct_row<Arch, bool, float>();
    case pair(kBool, kDouble): return direct_row<Arch, bool, double>();
    case pair(kBool, kLong): return direct_row<Arch, bool, std::int64_t>();
    case pair(kBool, kInt): return direct_row<Arch, bool, std::int32_t>();
    case pair(kBool, kByte): return direct_row<Arch, bool, std::uint8_t>();
    case pair(kFloat, kChar): return direct_row<Arch, float, std::int8_t>();
    case pair(kByte, kFloat): return direct_row<Arch, std::uint8_t, float>();
    case pair(kChar, kFloat): return direct_row<Arch, std::int8_t, float>();
    case pair(kInt, kFloat): return direct_row<Arch, std::int32_t, float>();
    case pair(kLong, kFloat): return direct_row<Arch, std::int64_t, float>();
    case pair(kLong, kInt): return direct_row<Arch, std::int64_t, std::int32_t>();
    case pair(kInt, kLong): return direct_row<Arch, std::int32_t, std::int64_t>();
    case pair(kDouble, kLong): return direct_row<Arch, double, std::int64_t>();
    case pair(kLong, kDouble): return direct_row<Arch, std::int64_t, double>();
    case pair(kDouble, kInt): return direct_row<Arch, double, std::int32_t>();
    case pair(kComplexFloat, kFloat): return direct_row<Arch, Complex<float>, float>();
    case pair(kFloat, kHalf): return direct_row<Arch, float, Half>();
    case pair(kHalf, kFloat): return direct_row<Arch, Half, float>();
    case pair(kFloat, kBFloat16): return direct_row<Arch, float, BFloat16>();
    case pair(kBFloat16, kFloat): return direct_row<Arch, BFloat16, float>();
    default: return nullptr;
  }
}

template <class Arch, class H>
row_function from_hub(ScalarType to) {
  if (row_function direct = direct_pair<Arch>(to, scalar_type_v<H>)) return direct;
  return visit_element_type(to, [](auto tag) -> row_function {
    using D = typename decltype(tag)::type;
    if constexpr (small_float<D> && !std::is_same_v<H, float>)
      return nullptr;  // by way of float
    else
      return &convert_elements<Arch, D, H>;
  });
}
template <class Arch, class H, class S>
row_function to_hub() {
  row_function direct = direct_pair<Arch>(scalar_type_v<H>, scalar_type_v<S>);
  return direct ? direct : &convert_elements<Arch, H, S>;
}

/// Two conversions, with elements of H between them for a block at a time.
template <class H, class First, class Second>
void convert_staged(char* dst, std::int64_t dst_step, const char* src, std::int64_t src_step, std::int64_t n,
                    First first, Second second) {
  constexpr std::int64_t block = 256;
  alignas(64) H staged[block];
  auto row = reinterpret_cast<char*>(staged);
  for (std::int64_t at = 0; at < n; at += block) {
    std::int64_t m = n - at < block ? n - at : block;
    first(row, sizeof(H), src + at * src_step, src_step, m);
    second(dst + at * dst_step, dst_step, row, sizeof(H), m);
  }
}
template <class Arch>
void convert_row(char* dst, ScalarType to, std::int64_t dst_step, const char* src, ScalarType from,
                 std::int64_t src_step, std::int64_t n) {
  if (row_function direct = direct_pair<Arch>(to, from)) return direct(dst, dst_step, src, src_step, n);
  visit_element_type(from, [&](auto tag) {
    using S = typename decltype(tag)::type;
    using H = typename hub_type<hub_of<S>()>::type;
    row_function direct = from_hub<Arch, H>(to), by_float = direct ? nullptr : from_hub<Arch, float>(to);
    auto store = [=](char* out, std::int64_t out_step, const char* in, std::int64_t in_step, std::int64_t m) {
      if (direct) return direct(out, out_step, in, in_step, m);
      convert_staged<float>(out, out_step, in, in_step, m, to_hub<Arch, float, H>(), by_float);
    };
    if constexpr (std::is_same_v<S, H>)
      store(dst, dst_step, src, src_step, n);
    else
      convert_staged<H>(dst, dst_step, src, src_step, n, to_hub<Arch, H, S>(), store);
  });
}

}  // namespace tenon::cpu::detail
