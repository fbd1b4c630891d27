// Matrix products of every instruction set as one group of function pointers.
#pragma once
#include <tenon/cpu/gemm.hpp>
#include <tenon/cpu/kernel_tables.hpp>

namespace tenon::cpu {

/// `count` products C = alpha A B + beta C of one dtype; steps count elements, alpha and beta point to one element
/// each.
struct GemmCall {
  ScalarType dtype;
  std::int64_t count = 1, m = 0, n = 0, k = 0;
  struct Part {
    void* data = nullptr;
    std::int64_t step = 0, row = 0, column = 0;
  } a, b, c;
  const void* alpha = nullptr;
  const void* beta = nullptr;
};

struct GemmKernels {
  /// Throws TypeError for bool and complex32.
  void (*run)(const GemmCall& call);
};

namespace detail {

template <class Arch>
void gemm_entry(const GemmCall& g) {
  auto go = [&]<class T>(type_tag<T>) {
    T alpha = *static_cast<const T*>(g.alpha), beta = *static_cast<const T*>(g.beta);
    Matrix<const T> a{static_cast<const T*>(g.a.data), g.a.row, g.a.column},
        b{static_cast<const T*>(g.b.data), g.b.row, g.b.column};
    Matrix<T> c{static_cast<T*>(g.c.data), g.c.row, g.c.column};
    if (g.count == 1)
      gemm<Arch, T>(g.m, g.n, g.k, alpha, a, b, beta, c);
    else
      gemm_batched<Arch, T>(g.count, g.m, g.n, g.k, alpha, a, g.a.step, b, g.b.step, beta, c, g.c.step);
  };
  switch (g.dtype) {
    case kByte: return go(type_tag<std::uint8_t>{});
    case kChar: return go(type_tag<std::int8_t>{});
    case kShort: return go(type_tag<std::int16_t>{});
    case kInt: return go(type_tag<std::int32_t>{});
    case kLong: return go(type_tag<std::int64_t>{});
    case kHalf: return go(type_tag<Half>{});
    case kBFloat16: return go(type_tag<BFloat16>{});
    case kFloat: return go(type_tag<float>{});
    case kDouble: return go(type_tag<double>{});
    case kComplexFloat: return go(type_tag<Complex<float>>{});
    case kComplexDouble: return go(type_tag<Complex<double>>{});
    default: fail<TypeError>("matrix products are not implemented for dtype ", g.dtype);
  }
}

}  // namespace detail

template <class Arch>
struct kernel_group<GemmKernels, Arch> {
  static constexpr GemmKernels value{&detail::gemm_entry<Arch>};
};

}  // namespace tenon::cpu
