// Discrete Fourier transforms along one dimension, of every instruction set, as one group of function pointers.
#pragma once
#include <utility>

#include <tenon/cpu/detail/fft_lines.hpp>
#include <tenon/cpu/kernel_tables.hpp>

namespace tenon::cpu {

/// Transforms of lines of `n` points: complex numbers to complex ones, real ones to the first half of their complex
/// ones, or such halves back. Offsets and strides count real numbers: a complex one is two of them.
template <class T>
struct FftCall {
  enum class Kind { Complex, FromReal, ToReal };
  Kind kind = Kind::Complex;
  bool backward = false;   ///< of Complex; FromReal is forward and ToReal backward
  bool two_sided = false;  ///< FromReal stores the mirrored half too
  std::int64_t n = 1;
  T scale = 1;
  const FftPlan<T>* plan = nullptr;  ///< of n points, or of n / 2 for an even number of real ones
  const T* twist = nullptr;          ///< the roots of one of order n up to n / 2, for an even number of real points
  const T* in = nullptr;
  T* out = nullptr;
  std::int64_t in_step = 0, out_step = 0;
  /// The lines, as the other dimensions count them.
  std::int64_t lines = 1;
  int dims = 0;
  const std::int64_t* sizes = nullptr;
  const std::int64_t* in_strides = nullptr;
  const std::int64_t* out_strides = nullptr;
};

struct FftKernels {
  void (*run_float)(const FftCall<float>&);
  void (*run_double)(const FftCall<double>&);
};

}  // namespace tenon::cpu

#include <tenon/cpu/detail/fft_long.hpp>
#include <tenon/cpu/detail/fft_run_impl.hpp>

namespace tenon::cpu {

namespace detail {
template <class T, class Arch>
void fft_entry(const FftCall<T>& call) {
  FftRun<T, Arch>(call).run();
}
}  // namespace detail

template <class Arch>
struct kernel_group<FftKernels, Arch> {
  static constexpr FftKernels value{&detail::fft_entry<float, Arch>, &detail::fft_entry<double, Arch>};
};

}  // namespace tenon::cpu
