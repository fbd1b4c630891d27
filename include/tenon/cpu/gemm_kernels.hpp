// Matrix products, and layers that repeat them, of every instruction set as one group of function pointers.
#pragma once
#include <tenon/cpu/gemm.hpp>
#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/cpu/lstm_kernels.hpp>

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
  /// A layer of an LSTM and its gradients; float or double.
  void (*lstm)(const LstmCall& call);
  void (*lstm_back)(const LstmCall& call, const LstmGradients& gradients);
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
    case kByte: return call_if_selected<std::uint8_t>(go);
    case kChar: return call_if_selected<std::int8_t>(go);
    case kShort: return call_if_selected<std::int16_t>(go);
    case kInt: return call_if_selected<std::int32_t>(go);
    case kLong: return call_if_selected<std::int64_t>(go);
    case kHalf: return call_if_selected<Half>(go);
    case kBFloat16: return call_if_selected<BFloat16>(go);
    case kFloat: return call_if_selected<float>(go);
    case kDouble: return call_if_selected<double>(go);
    case kComplexFloat: return call_if_selected<Complex<float>>(go);
    case kComplexDouble: return call_if_selected<Complex<double>>(go);
    default: fail<TypeError>("matrix products are not implemented for dtype ", g.dtype);
  }
}

}  // namespace detail

template <class Arch>
struct kernel_group<GemmKernels, Arch> {
  static constexpr GemmKernels value{&detail::gemm_entry<Arch>, &detail::lstm_entry<Arch>,
                                     &detail::lstm_back_entry<Arch>};
};

}  // namespace tenon::cpu
