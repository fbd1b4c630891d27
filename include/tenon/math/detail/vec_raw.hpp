// What xsimd does not offer, or names differently from version to version, by instruction set.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tenon/base/half.hpp>
#include <tenon/math/arch.hpp>

namespace tenon::cpu::detail {

/// Portable forms through memory; specialised below where the set has instructions.
template <class T, class Arch>
struct raw_generic {
  using batch = xsimd::batch<T, typename Arch::xsimd_arch>;
  static constexpr int size = static_cast<int>(batch::size);
  static batch load_partial(const T* p, int count) {
    alignas(64) T staged[size] = {};
    for (int i = 0; i < count; ++i) staged[i] = p[i];
    return batch::load_aligned(staged);
  }
  static void store_partial(batch v, T* p, int count) {
    alignas(64) T staged[size];
    v.store_aligned(staged);
    for (int i = 0; i < count; ++i) p[i] = staged[i];
  }
  template <class H>
  static batch load(const H* p) {
    alignas(64) T staged[size];
    for (int i = 0; i < size; ++i) staged[i] = static_cast<float>(p[i]);
    return batch::load_aligned(staged);
  }
  template <class H>
  static void store(batch v, H* p) {
    alignas(64) T staged[size];
    v.store_aligned(staged);
    for (int i = 0; i < size; ++i) p[i] = H(staged[i]);
  }
  static batch max_second(batch a, batch b) { return xsimd::select(a > b, a, b); }
  static batch min_second(batch a, batch b) { return xsimd::select(a < b, a, b); }
  static batch fma(batch a, batch b, batch c) { return xsimd::fma(a, b, c); }
  static batch div(batch a, batch b) { return a / b; }
  static batch sqrt(batch a) { return xsimd::sqrt(a); }
  /// Lane l gets lane l xor width.
  template <int width>
  static batch swap_halves(batch v) {
    alignas(64) T staged[size];
    alignas(64) T out[size];
    v.store_aligned(staged);
    for (int i = 0; i < size; ++i) out[i] = staged[i ^ width];
    return batch::load_aligned(out);
  }
  using doubles = xsimd::batch<double, typename Arch::xsimd_arch>;
  static doubles low_to_double(batch v) { return half_to_double(v, 0); }
  static doubles high_to_double(batch v) { return half_to_double(v, size / 2); }
  static doubles half_to_double(batch v, int first) {
    alignas(64) T staged[size];
    alignas(64) double out[size];
    v.store_aligned(staged);
    for (int i = 0; i < size / 2; ++i) out[i] = staged[first + i];
    return doubles::load_aligned(out);
  }
  static batch from_doubles(doubles lo, doubles hi) {
    alignas(64) double staged[size];
    alignas(64) T out[size];
    lo.store_aligned(staged);
    hi.store_aligned(staged + size / 2);
    for (int i = 0; i < size; ++i) out[i] = static_cast<T>(staged[i]);
    return batch::load_aligned(out);
  }
};

template <class T, class Arch>
struct raw : raw_generic<T, Arch> {};

#if TENON_CPU_X86
/// The low 4 bytes or 8 bytes as a register, through integers so that no byte behind is read.
inline __m128 load_ladder(const float* p, int count) {
  __m128 r = count & 2 ? _mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))) : _mm_setzero_ps();
  if (count & 1) {
    __m128 last = _mm_load_ss(p + (count & 2));
    r = count & 2 ? _mm_movelh_ps(r, last) : last;
  }
  return r;
}
inline void store_ladder(__m128 v, float* p, int count) {
  if (count & 2) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_castps_si128(v));
    v = _mm_movehl_ps(v, v);
    p += 2;
  }
  if (count & 1) _mm_store_ss(p, v);
}
inline __m128i bfloat16_bits_x4(__m128i f) {
  __m128i odd = _mm_and_si128(_mm_srli_epi32(f, 16), _mm_set1_epi32(1));
  __m128i rounded = _mm_srai_epi32(_mm_add_epi32(f, _mm_add_epi32(odd, _mm_set1_epi32(0x7fff))), 16);
  __m128i nan = _mm_castps_si128(_mm_cmpunord_ps(_mm_castsi128_ps(f), _mm_castsi128_ps(f)));
  return _mm_or_si128(_mm_and_si128(nan, _mm_set1_epi32(0x7fc0)), _mm_andnot_si128(nan, rounded));
}

template <>
struct raw<float, sse2> : raw_generic<float, sse2> {
  template <int width>
  static __m128 swap_halves(__m128 v) {
    if constexpr (width == 2)
      return _mm_shuffle_ps(v, v, 0x4e);
    else
      return _mm_shuffle_ps(v, v, 0xb1);
  }
  static __m128 max_second(__m128 a, __m128 b) { return _mm_max_ps(a, b); }
  static __m128 min_second(__m128 a, __m128 b) { return _mm_min_ps(a, b); }
  using raw_generic::load;
  using raw_generic::store;
  static __m128 load_partial(const float* p, int count) { return load_ladder(p, count); }
  static void store_partial(__m128 v, float* p, int count) { store_ladder(v, p, count); }
  static __m128 load(const BFloat16* p) {
    return _mm_castsi128_ps(
        _mm_unpacklo_epi16(_mm_setzero_si128(), _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
  }
  static void store(__m128 v, BFloat16* p) {
    // Sign-extended halves survive the signed saturation of packs.
    __m128i bits = bfloat16_bits_x4(_mm_castps_si128(v));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packs_epi32(bits, bits));
  }
  static __m128d low_to_double(__m128 v) { return _mm_cvtps_pd(v); }
  static __m128d high_to_double(__m128 v) { return _mm_cvtps_pd(_mm_movehl_ps(v, v)); }
  static __m128 from_doubles(__m128d lo, __m128d hi) { return _mm_movelh_ps(_mm_cvtpd_ps(lo), _mm_cvtpd_ps(hi)); }
};
template <>
struct raw<double, sse2> : raw_generic<double, sse2> {
  template <int width>
  static __m128d swap_halves(__m128d v) {
    return _mm_shuffle_pd(v, v, 1);
  }
  static __m128d max_second(__m128d a, __m128d b) { return _mm_max_pd(a, b); }
  static __m128d min_second(__m128d a, __m128d b) { return _mm_min_pd(a, b); }
  static __m128d load_partial(const double* p, int) { return _mm_load_sd(p); }
  static void store_partial(__m128d v, double* p, int) { _mm_store_sd(p, v); }
};
#endif

#if TENON_CPU_AVX2
template <>
struct raw<float, avx2> : raw_generic<float, avx2> {
  template <int width>
  static __m256 swap_halves(__m256 v) {
    if constexpr (width == 4)
      return _mm256_permute2f128_ps(v, v, 1);
    else if constexpr (width == 2)
      return _mm256_permute_ps(v, 0x4e);
    else
      return _mm256_permute_ps(v, 0xb1);
  }
  static __m256 max_second(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
  static __m256 min_second(__m256 a, __m256 b) { return _mm256_min_ps(a, b); }
  static __m256 fma(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
  using raw_generic::load;
  using raw_generic::store;
  static __m256i lanes_below(int count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static __m256 load_partial(const float* p, int count) { return _mm256_maskload_ps(p, lanes_below(count)); }
  // A ladder: masked stores are microcoded on several processors.
  static void store_partial(__m256 v, float* p, int count) {
    __m128 part = _mm256_castps256_ps128(v);
    if (count & 4) {
      _mm_storeu_ps(p, part);
      part = _mm256_extractf128_ps(v, 1);
      p += 4;
    }
    store_ladder_vex(part, p, count);
  }
  static void store_ladder_vex(__m128 v, float* p, int count) {
    if (count & 2) {
      _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_castps_si128(v));
      v = _mm_movehl_ps(v, v);
      p += 2;
    }
    if (count & 1) _mm_store_ss(p, v);
  }
  static __m256 load(const BFloat16* p) {
    __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
  }
  static void store(__m256 v, BFloat16* p) {
    __m256i f = _mm256_castps_si256(v);
    __m256i odd = _mm256_and_si256(_mm256_srli_epi32(f, 16), _mm256_set1_epi32(1));
    __m256i bits = _mm256_srli_epi32(_mm256_add_epi32(f, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff))), 16);
    __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_UNORD_Q));
    bits = _mm256_blendv_epi8(bits, _mm256_set1_epi32(0x7fc0), nan);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                     _mm_packus_epi32(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1)));
  }
#if TENON_CPU_F16C
  static __m256 load(const Half* p) { return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))); }
  static void store(__m256 v, Half* p) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
#endif
  static __m256d low_to_double(__m256 v) { return _mm256_cvtps_pd(_mm256_castps256_ps128(v)); }
  static __m256d high_to_double(__m256 v) { return _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)); }
  static __m256 from_doubles(__m256d lo, __m256d hi) {
    return _mm256_set_m128(_mm256_cvtpd_ps(hi), _mm256_cvtpd_ps(lo));
  }
};
template <>
struct raw<double, avx2> : raw_generic<double, avx2> {
  template <int width>
  static __m256d swap_halves(__m256d v) {
    if constexpr (width == 2)
      return _mm256_permute2f128_pd(v, v, 1);
    else
      return _mm256_permute_pd(v, 5);
  }
  static __m256d max_second(__m256d a, __m256d b) { return _mm256_max_pd(a, b); }
  static __m256d min_second(__m256d a, __m256d b) { return _mm256_min_pd(a, b); }
  static __m256d fma(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
  static __m256d load_partial(const double* p, int count) {
    return _mm256_maskload_pd(p, _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3)));
  }
  static void store_partial(__m256d v, double* p, int count) {
    __m128d part = _mm256_castpd256_pd128(v);
    if (count & 2) {
      _mm_storeu_pd(p, part);
      part = _mm256_extractf128_pd(v, 1);
      p += 2;
    }
    if (count & 1) _mm_store_sd(p, part);
  }
};
#endif

#if TENON_CPU_AVX512
template <>
struct raw<float, avx512> : raw_generic<float, avx512> {
  template <int width>
  static __m512 swap_halves(__m512 v) {
    if constexpr (width == 8)
      return _mm512_shuffle_f32x4(v, v, 0x4e);
    else if constexpr (width == 4)
      return _mm512_shuffle_f32x4(v, v, 0xb1);
    else if constexpr (width == 2)
      return _mm512_permute_ps(v, 0x4e);
    else
      return _mm512_permute_ps(v, 0xb1);
  }
  static __m512 max_second(__m512 a, __m512 b) { return _mm512_max_ps(a, b); }
  static __m512 min_second(__m512 a, __m512 b) { return _mm512_min_ps(a, b); }
  static __m512 fma(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
  static __mmask16 lanes_below(int count) { return static_cast<__mmask16>((1u << count) - 1u); }
  static __m512 load_partial(const float* p, int count) { return _mm512_maskz_loadu_ps(lanes_below(count), p); }
  static void store_partial(__m512 v, float* p, int count) { _mm512_mask_storeu_ps(p, lanes_below(count), v); }
  static __m512 scalef(__m512 p, __m512 n) { return _mm512_scalef_ps(p, n); }
  static __m512 load(const BFloat16* p) {
    __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
    return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
  }
  // Not the conversion of AVX512_BF16, which flushes denormals.
  static void store(__m512 v, BFloat16* p) {
    __m512i f = _mm512_castps_si512(v);
    __m512i odd = _mm512_and_si512(_mm512_srli_epi32(f, 16), _mm512_set1_epi32(1));
    __m512i bits = _mm512_srli_epi32(_mm512_add_epi32(f, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff))), 16);
    bits = _mm512_mask_mov_epi32(bits, _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q), _mm512_set1_epi32(0x7fc0));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi32_epi16(bits));
  }
  static __m512 load(const Half* p) { return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))); }
  static void store(__m512 v, Half* p) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                        _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  static __m512d low_to_double(__m512 v) { return _mm512_cvtps_pd(_mm512_castps512_ps256(v)); }
  static __m512d high_to_double(__m512 v) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(v, 1)); }
  static __m512 from_doubles(__m512d lo, __m512d hi) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(lo)), _mm512_cvtpd_ps(hi), 1);
  }
};
template <>
struct raw<double, avx512> : raw_generic<double, avx512> {
  template <int width>
  static __m512d swap_halves(__m512d v) {
    if constexpr (width == 4)
      return _mm512_shuffle_f64x2(v, v, 0x4e);
    else if constexpr (width == 2)
      return _mm512_shuffle_f64x2(v, v, 0xb1);
    else
      return _mm512_permute_pd(v, 0x55);
  }
  static __m512d max_second(__m512d a, __m512d b) { return _mm512_max_pd(a, b); }
  static __m512d min_second(__m512d a, __m512d b) { return _mm512_min_pd(a, b); }
  static __m512d fma(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
  static __mmask8 lanes_below(int count) { return static_cast<__mmask8>((1u << count) - 1u); }
  static __m512d load_partial(const double* p, int count) { return _mm512_maskz_loadu_pd(lanes_below(count), p); }
  static void store_partial(__m512d v, double* p, int count) { _mm512_mask_storeu_pd(p, lanes_below(count), v); }
  static __m512d scalef(__m512d p, __m512d n) { return _mm512_scalef_pd(p, n); }
};
#endif

#if defined(__aarch64__)
/// xsimd 8 divides floats, and takes roots, by estimates that miss the last digits, infinities and the sign of zero.
template <>
struct raw<float, neon64> : raw_generic<float, neon64> {
  static float32x4_t div(float32x4_t a, float32x4_t b) { return vdivq_f32(a, b); }
  static float32x4_t sqrt(float32x4_t a) { return vsqrtq_f32(a); }
};
#endif

template <class T, class Arch>
using batch_t = xsimd::batch<T, typename Arch::xsimd_arch>;
template <class T, class Arch>
using batch_bool_t = xsimd::batch_bool<T, typename Arch::xsimd_arch>;

template <class T, class Arch>
std::uint32_t mask_bits(batch_bool_t<T, Arch> m) {
#if TENON_CPU_AVX512
  if constexpr (std::is_same_v<Arch, avx512>) return static_cast<std::uint32_t>(m.data);
#endif
#if TENON_CPU_AVX2
  if constexpr (std::is_same_v<Arch, avx2> && sizeof(T) == 4)
    return static_cast<std::uint32_t>(_mm256_movemask_ps(__builtin_bit_cast(__m256, m.data)));
  if constexpr (std::is_same_v<Arch, avx2> && sizeof(T) == 8)
    return static_cast<std::uint32_t>(_mm256_movemask_pd(__builtin_bit_cast(__m256d, m.data)));
#endif
#if TENON_CPU_X86
  if constexpr (std::is_same_v<Arch, sse2> && sizeof(T) == 4)
    return static_cast<std::uint32_t>(_mm_movemask_ps(__builtin_bit_cast(__m128, m.data)));
  if constexpr (std::is_same_v<Arch, sse2> && sizeof(T) == 8)
    return static_cast<std::uint32_t>(_mm_movemask_pd(__builtin_bit_cast(__m128d, m.data)));
#endif
  alignas(64) bool lanes[batch_t<T, Arch>::size];
  m.store_aligned(lanes);
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < batch_t<T, Arch>::size; ++i) bits |= std::uint32_t{lanes[i]} << i;
  return bits;
}

/// The low 8 bits as 8 bytes of 0 or 1.
inline __attribute__((always_inline)) std::uint64_t spread_bits(std::uint64_t bits) {
  std::uint64_t x = (bits & 0xff) * 0x0101010101010101u & 0x8040201008040201u;
  return ((x + 0x7f7f7f7f7f7f7f7fu) >> 7 | x >> 7) & 0x0101010101010101u;
}

template <class T, class Arch>
void store_mask(batch_bool_t<T, Arch> m, bool* p) {
  constexpr int size = static_cast<int>(batch_t<T, Arch>::size);
  std::uint32_t bits = mask_bits<T, Arch>(m);
#if TENON_CPU_AVX512
  if constexpr (size == 16) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm_maskz_set1_epi8(static_cast<__mmask16>(bits), 1));
    return;
  }
#endif
  for (int i = 0; i < size; i += 8) {
    std::uint64_t bytes = spread_bits(bits >> i);
    std::memcpy(p + i, &bytes, static_cast<std::size_t>(size - i < 8 ? size - i : 8));
  }
}

template <class T, class Arch>
T sum_lanes(batch_t<T, Arch> v) {
  constexpr int size = static_cast<int>(batch_t<T, Arch>::size);
  alignas(64) T lanes[size];
  v.store_aligned(lanes);
  for (int width = size / 2; width > 0; width /= 2)
    for (int i = 0; i < width; ++i) lanes[i] = static_cast<T>(lanes[i] + lanes[i + width]);
  return lanes[0];
}

}  // namespace tenon::cpu::detail
