// The seam to LAPACK: its routines for the four element types, declared by us, as overloads of one name each. A build
// with it defines TENON_LAPACK (Meson's option `lapack`; by hand where the headers are used alone) and links one.
#pragma once
#include <cstddef>
#include <limits>

#include <tenon/base/complex.hpp>
#include <tenon/base/error.hpp>

namespace tenon::cpu::lapack {

/// The routines of an element type. Fortran takes the lengths of strings behind the other arguments.
template <class T>
struct routines;

}  // namespace tenon::cpu::lapack

#ifdef TENON_LAPACK

// T: element; R: its real type; P: prefix; GEN, MUL: org, orm or
// ung, unm; SYM: sy, he.
#define TENON_INTERNAL_LAPACK_DECLARE(T, R, P, GEN, MUL, SYM)                                                          \
  void P##potrf_(const char*, const int*, T*, const int*, int*, std::size_t);                                          \
  void P##potri_(const char*, const int*, T*, const int*, int*, std::size_t);                                          \
  void P##potrs_(const char*, const int*, const int*, const T*, const int*, T*, const int*, int*, std::size_t);        \
  void P##getrf_(const int*, const int*, T*, const int*, int*, int*);                                                  \
  void P##getrs_(const char*, const int*, const int*, const T*, const int*, const int*, T*, const int*, int*,          \
                 std::size_t);                                                                                         \
  void P##sytrf_(const char*, const int*, T*, const int*, int*, T*, const int*, int*, std::size_t);                    \
  void P##sytrs_(const char*, const int*, const int*, const T*, const int*, const int*, T*, const int*, int*,          \
                 std::size_t);                                                                                         \
  void P##trtrs_(const char*, const char*, const char*, const int*, const int*, const T*, const int*, T*, const int*,  \
                 int*, std::size_t, std::size_t, std::size_t);                                                         \
  void P##geqrf_(const int*, const int*, T*, const int*, T*, T*, const int*, int*);                                    \
  void P##GEN##qr_(const int*, const int*, const int*, T*, const int*, const T*, T*, const int*, int*);                \
  void P##MUL##qr_(const char*, const char*, const int*, const int*, const int*, const T*, const int*, const T*, T*,   \
                   const int*, T*, const int*, int*, std::size_t, std::size_t);                                        \
  void P##gels_(const char*, const int*, const int*, const int*, T*, const int*, T*, const int*, T*, const int*, int*, \
                std::size_t)

// Routines that take more workspaces where elements are complex.
#define TENON_INTERNAL_LAPACK_REAL(T, P)                                                                           \
  void P##syevd_(const char*, const char*, const int*, T*, const int*, T*, T*, const int*, int*, const int*, int*, \
                 std::size_t, std::size_t);                                                                        \
  void P##geev_(const char*, const char*, const int*, T*, const int*, T*, T*, T*, const int*, T*, const int*, T*,  \
                const int*, int*, std::size_t, std::size_t);                                                       \
  void P##gesdd_(const char*, const int*, const int*, T*, const int*, T*, T*, const int*, T*, const int*, T*,      \
                 const int*, int*, int*, std::size_t);                                                             \
  void P##gelsy_(const int*, const int*, const int*, T*, const int*, T*, const int*, int*, const T*, int*, T*,     \
                 const int*, int*);                                                                                \
  void P##gelsd_(const int*, const int*, const int*, T*, const int*, T*, const int*, T*, const T*, int*, T*,       \
                 const int*, int*, int*);                                                                          \
  void P##gelss_(const int*, const int*, const int*, T*, const int*, T*, const int*, T*, const T*, int*, T*,       \
                 const int*, int*)
#define TENON_INTERNAL_LAPACK_COMPLEX(T, R, P)                                                                   \
  void P##hetrf_(const char*, const int*, T*, const int*, int*, T*, const int*, int*, std::size_t);              \
  void P##hetrs_(const char*, const int*, const int*, const T*, const int*, const int*, T*, const int*, int*,    \
                 std::size_t);                                                                                   \
  void P##heevd_(const char*, const char*, const int*, T*, const int*, R*, T*, const int*, R*, const int*, int*, \
                 const int*, int*, std::size_t, std::size_t);                                                    \
  void P##geev_(const char*, const char*, const int*, T*, const int*, T*, T*, const int*, T*, const int*, T*,    \
                const int*, R*, int*, std::size_t, std::size_t);                                                 \
  void P##gesdd_(const char*, const int*, const int*, T*, const int*, R*, T*, const int*, T*, const int*, T*,    \
                 const int*, R*, int*, int*, std::size_t);                                                       \
  void P##gelsy_(const int*, const int*, const int*, T*, const int*, T*, const int*, int*, const R*, int*, T*,   \
                 const int*, R*, int*);                                                                          \
  void P##gelsd_(const int*, const int*, const int*, T*, const int*, T*, const int*, R*, const R*, int*, T*,     \
                 const int*, R*, int*, int*);                                                                    \
  void P##gelss_(const int*, const int*, const int*, T*, const int*, T*, const int*, R*, const R*, int*, T*,     \
                 const int*, R*, int*)

extern "C" {
TENON_INTERNAL_LAPACK_DECLARE(float, float, s, org, orm, sy);
TENON_INTERNAL_LAPACK_DECLARE(double, double, d, org, orm, sy);
TENON_INTERNAL_LAPACK_DECLARE(tenon::Complex<float>, float, c, ung, unm, he);
TENON_INTERNAL_LAPACK_DECLARE(tenon::Complex<double>, double, z, ung, unm, he);
TENON_INTERNAL_LAPACK_REAL(float, s);
TENON_INTERNAL_LAPACK_REAL(double, d);
TENON_INTERNAL_LAPACK_COMPLEX(tenon::Complex<float>, float, c);
TENON_INTERNAL_LAPACK_COMPLEX(tenon::Complex<double>, double, z);
}

namespace tenon::cpu::lapack {

#define TENON_INTERNAL_LAPACK_COMMON(P, GEN, MUL, SYM) \
  static constexpr auto potrf = &P##potrf_;            \
  static constexpr auto potri = &P##potri_;            \
  static constexpr auto potrs = &P##potrs_;            \
  static constexpr auto getrf = &P##getrf_;            \
  static constexpr auto getrs = &P##getrs_;            \
  static constexpr auto sytrf = &P##sytrf_;            \
  static constexpr auto sytrs = &P##sytrs_;            \
  static constexpr auto hetrf = &P##SYM##trf_;         \
  static constexpr auto hetrs = &P##SYM##trs_;         \
  static constexpr auto trtrs = &P##trtrs_;            \
  static constexpr auto geqrf = &P##geqrf_;            \
  static constexpr auto orgqr = &P##GEN##qr_;          \
  static constexpr auto ormqr = &P##MUL##qr_;          \
  static constexpr auto heevd = &P##SYM##evd_;         \
  static constexpr auto geev = &P##geev_;              \
  static constexpr auto gesdd = &P##gesdd_;            \
  static constexpr auto gels = &P##gels_;              \
  static constexpr auto gelsy = &P##gelsy_;            \
  static constexpr auto gelsd = &P##gelsd_;            \
  static constexpr auto gelss = &P##gelss_

template <>
struct routines<float> {
  TENON_INTERNAL_LAPACK_COMMON(s, org, orm, sy);
};
template <>
struct routines<double> {
  TENON_INTERNAL_LAPACK_COMMON(d, org, orm, sy);
};
template <>
struct routines<Complex<float>> {
  TENON_INTERNAL_LAPACK_COMMON(c, ung, unm, he);
};
template <>
struct routines<Complex<double>> {
  TENON_INTERNAL_LAPACK_COMMON(z, ung, unm, he);
};

#undef TENON_INTERNAL_LAPACK_DECLARE
#undef TENON_INTERNAL_LAPACK_REAL
#undef TENON_INTERNAL_LAPACK_COMPLEX
#undef TENON_INTERNAL_LAPACK_COMMON

}  // namespace tenon::cpu::lapack
#endif

namespace tenon::cpu::lapack {

#ifdef TENON_LAPACK
inline constexpr bool available = true;
#else
inline constexpr bool available = false;
#endif

[[noreturn, gnu::cold, gnu::noinline]] inline void missing(const char* name) {
  fail<NotImplementedError>(name,
                            ": this build has no LAPACK; configure with -Dlapack=enabled (Debian: liblapack-dev or "
                            "libopenblas-dev), or where the headers are used alone define TENON_LAPACK and link one");
}
/// A size as LAPACK counts.
inline int as_int(const char* name, long long n) {
  TENON_CHECK(n <= std::numeric_limits<int>::max(), ValueError, name, ": a matrix of ", n,
              " rows or columns is larger than LAPACK's integers");
  return static_cast<int>(n);
}

}  // namespace tenon::cpu::lapack
