// Softmax, normalisation and distances of every instruction set as one group of function pointers.
#pragma once
#include <tenon/cpu/channel_kernels.hpp>
#include <tenon/cpu/detail/distances.hpp>
#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/cpu/row_kernels.hpp>
#include <tenon/cpu/softmax.hpp>

namespace tenon::cpu {

/// Contiguous [outer, size, inner] blocks of one dtype: float, double, Half or BFloat16; `last`: of the last dimension.
struct SoftmaxKernels {
  void (*forward)(bool log, ScalarType dtype, void* out, const void* x, std::int64_t outer, std::int64_t size,
                  std::int64_t inner, bool last);
  void (*backward)(bool log, ScalarType dtype, void* grad_in, const void* grad, const void* y, std::int64_t outer,
                   std::int64_t size, std::int64_t inner);
  ChannelKernels channels;
  RowKernels rows;
  DistancesKernel distances;
};

namespace detail {

template <class F>
void visit_softmax_type(ScalarType dtype, F f) {
  visit_floating_type(dtype, f, [&] { fail<TypeError>("softmax is not implemented for dtype ", dtype); });
}
template <class Arch>
void softmax_entry(bool log, ScalarType dtype, void* out, const void* x, std::int64_t outer, std::int64_t size,
                   std::int64_t inner, bool last) {
  visit_softmax_type(dtype, [&]<class E>(type_tag<E>) {
    if (log)
      softmax<true, Arch>(static_cast<E*>(out), static_cast<const E*>(x), outer, size, inner, last);
    else
      softmax<false, Arch>(static_cast<E*>(out), static_cast<const E*>(x), outer, size, inner, last);
  });
}
template <class Arch>
void softmax_backward_entry(bool log, ScalarType dtype, void* grad_in, const void* grad, const void* y,
                            std::int64_t outer, std::int64_t size, std::int64_t inner) {
  visit_softmax_type(dtype, [&]<class E>(type_tag<E>) {
    auto to = static_cast<E*>(grad_in);
    auto g = static_cast<const E*>(grad), v = static_cast<const E*>(y);
    if (log)
      softmax_backward<true, Arch>(to, g, v, outer, size, inner);
    else
      softmax_backward<false, Arch>(to, g, v, outer, size, inner);
  });
}

}  // namespace detail

template <class Arch>
struct kernel_group<SoftmaxKernels, Arch> {
  static constexpr SoftmaxKernels value{&detail::softmax_entry<Arch>, &detail::softmax_backward_entry<Arch>,
                                        detail::channel_entries<Arch>::value, detail::row_entries<Arch>::value,
                                        &detail::distances<Arch>};
};

}  // namespace tenon::cpu
