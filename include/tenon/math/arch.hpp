// The instruction sets that a translation unit can compute with, as tags.
#pragma once

#if defined(__x86_64__) || defined(_M_X64)
#define TENON_CPU_X86 1
// GCC 12 warns inside its own intrinsics that leave a register undefined on purpose.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#else
#include <immintrin.h>
#endif
#else
#define TENON_CPU_X86 0
#endif
#if TENON_CPU_X86 && defined(__AVX2__) && defined(__FMA__)
#define TENON_CPU_AVX2 1
#else
#define TENON_CPU_AVX2 0
#endif
#if TENON_CPU_AVX2 && defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define TENON_CPU_AVX512 1
#else
#define TENON_CPU_AVX512 0
#endif
#if defined(__F16C__) || TENON_CPU_AVX512
#define TENON_CPU_F16C 1
#else
#define TENON_CPU_F16C 0
#endif

#include <xsimd/xsimd.hpp>

namespace tenon::cpu {

/// Tags of instruction sets; one is complete only where the unit's compiler flags allow it. A unit compiled for a set
/// names only this set, so that no other unit's code is ever replaced by instructions the machine lacks.
struct sse2;
struct avx2;
struct avx512;
struct neon64;

#if TENON_CPU_X86
struct sse2 {
  using xsimd_arch = xsimd::sse2;
  static constexpr const char* name = "sse2";
};
#if TENON_CPU_AVX2
/// AVX2 with FMA3.
struct avx2 {
  using xsimd_arch = xsimd::fma3<xsimd::avx2>;
  static constexpr const char* name = "avx2";
};
#endif
#if TENON_CPU_AVX512
/// AVX-512 F, BW, DQ and VL.
struct avx512 {
  using xsimd_arch = xsimd::avx512bw;
  static constexpr const char* name = "avx512";
};
using default_arch = avx512;
#elif TENON_CPU_AVX2
using default_arch = avx2;
#else
using default_arch = sse2;
#endif
#elif defined(__aarch64__)
struct neon64 {
  using xsimd_arch = xsimd::neon64;
  static constexpr const char* name = "neon64";
};
using default_arch = neon64;
#else
#error "tenon: no vector instruction set is known for this processor; compile for x86-64 or AArch64"
#endif

}  // namespace tenon::cpu
