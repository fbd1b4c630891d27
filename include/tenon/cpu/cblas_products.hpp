// The one place where a product of matrices enters: the kernels in use, or for large ones a CBLAS. A build with one
// defines TENON_CBLAS (Meson's option `cblas`; by hand where the headers are used alone) and links it.
#pragma once
#include <tenon/cpu/gemm_kernels.hpp>

#ifdef TENON_CBLAS
#include <cstdint>
#include <limits>
#include <optional>

#include <cblas.h>

#include <tenon/cpu/parallel.hpp>

namespace tenon::cpu::detail {

/// From so many multiplications on a product is the library's. OpenBLAS 0.3.21 for AVX-512, on one and two threads,
/// takes 0.9 to 1.3 of our time for floats between 128^3 and 400^3 and less from 512^3 on, for complex numbers a sixth
/// at 16^3.
inline constexpr double kLeastCblasWork = 1e8, kLeastComplexCblasWork = 4e3;

/// How a matrix lies in memory, in CBLAS's words.
struct CblasLayout {
  bool row_major = true;
  int leading = 0;
};
/// None where neither rows nor columns are contiguous, where they share elements, or beyond the library's integers.
inline std::optional<CblasLayout> cblas_layout(const GemmCall::Part& p, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (rows > most || columns > most) return std::nullopt;
  if (p.column == 1 && p.row >= columns && p.row <= most) return CblasLayout{true, static_cast<int>(p.row)};
  if (p.row == 1 && p.column >= rows && p.column <= most) return CblasLayout{false, static_cast<int>(p.column)};
  return std::nullopt;
}

/// The products of a call one after another, each on the threads that the library takes: its own setting holds, not
/// set_num_threads. False, and nothing done, where the call is not for it; inside a parallel loop it never is, so that
/// its threads and ours do not compete.
inline bool run_cblas(const GemmCall& g) {
  const double work = static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k);
  const double least = is_complex_type(g.dtype) ? kLeastComplexCblasWork : kLeastCblasWork;
  if (work < least || g.m == 1 || g.n == 1 || in_parallel_region()) return false;
  const auto a = cblas_layout(g.a, g.m, g.k), b = cblas_layout(g.b, g.k, g.n), c = cblas_layout(g.c, g.m, g.n);
  if (!a || !b || !c) return false;
  // C is what it is, so it names the order, in which the others are plain or transposed.
  const auto order = c->row_major ? CblasRowMajor : CblasColMajor;
  const auto turned = [&](const CblasLayout& l) { return l.row_major == c->row_major ? CblasNoTrans : CblasTrans; };
  const int m = static_cast<int>(g.m), n = static_cast<int>(g.n), k = static_cast<int>(g.k);
  auto run = [&]<class T>(type_tag<T>, auto gemm, auto alpha, auto beta) {
    auto at = [](const GemmCall::Part& p, std::int64_t i) { return static_cast<T*>(p.data) + i * p.step; };
    for (std::int64_t i = 0; i < g.count; ++i)
      gemm(order, turned(*a), turned(*b), m, n, k, alpha, at(g.a, i), a->leading, at(g.b, i), b->leading, beta,
           at(g.c, i), c->leading);
    return true;
  };
  auto run_real = [&]<class T>(type_tag<T> tag, auto gemm) {
    return run(tag, gemm, *static_cast<const T*>(g.alpha), *static_cast<const T*>(g.beta));
  };
  switch (g.dtype) {
    case kFloat: return run_real(type_tag<float>{}, &cblas_sgemm);
    case kDouble: return run_real(type_tag<double>{}, &cblas_dgemm);
    case kComplexFloat: return run(type_tag<Complex<float>>{}, &cblas_cgemm, g.alpha, g.beta);
    case kComplexDouble: return run(type_tag<Complex<double>>{}, &cblas_zgemm, g.alpha, g.beta);
    default: return false;
  }
}

}  // namespace tenon::cpu::detail
#endif

namespace tenon::cpu::detail {

/// What a call asks for, from outside the objects of the instruction sets.
inline void run_products(const GemmCall& g) {
#ifdef TENON_CBLAS
  if (run_cblas(g)) return;
#endif
  active_tables().gemm->run(g);
}

}  // namespace tenon::cpu::detail
