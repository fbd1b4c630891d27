// Up- and downsampling on the CPU: one pass per dimension.
#pragma once
#include <type_traits>
#include <vector>

#include <tenon/composite/upsample.hpp>
#include <tenon/cpu/detail/resample.hpp>
#include <tenon/cpu/detail/results.hpp>

namespace tenon::cpu::detail {

using composite::upsampling::Factor;
/// PyTorch keeps the weights of 16-bit images in their dtype, but for two dimensions that are linear.
template <class C>
void round_weights(composite::Taps<C>& taps, Sampling kind, std::size_t dims, ScalarType dtype) {
  bool linear = kind == Sampling::Linear;
  if (!is_reduced_floating_type(dtype) || !(linear ? dims != 2 : kind == Sampling::Cubic)) return;
  auto rounded = [&](C w) { return static_cast<C>(rounded_to_16_bits(static_cast<float>(w), dtype)); };
  for (C& w : taps.weight) w = rounded(w);
  if (linear)
    for (std::size_t i = 0; i + 1 < taps.weight.size(); i += 2) taps.weight[i] = rounded(1 - taps.weight[i + 1]);
}
/// Resamples the spatial dimensions of `from` to those of `to`; backwards, from the sizes of `from` to those of `to`.
inline void run_resampling(Sampling kind, bool back, bool align_corners, const Factor* factors, const Tensor& from,
                           const Tensor& to) {
  if (to.numel() == 0) return;
  bool nearest = kind == Sampling::Nearest || kind == Sampling::NearestExact;
  ScalarType dtype = from.dtype();
  bool bytes = dtype == kByte && !nearest && !back && from.dim() == 4;
  if (!(from.is_floating_point() && has_arithmetic(dtype)) && !(nearest && dtype == kByte) && !bytes)
    not_implemented_for(nearest ? "upsample_nearest" : "upsample_generic_Nd", dtype);
  ScalarType compute = dtype == kDouble ? kDouble : bytes ? kByte : kFloat;
  Tensor x = row_major(from, compute);
  Result y(to, compute);
  auto run = [&]<class C>(type_tag<C>) {
    std::size_t dims = from.sizes().size() - 2;
    DimVector shape(from.sizes());
    std::vector<C> held[2];
    const C* at = static_cast<const C*>(x.data_ptr());
    for (std::size_t k = 0; k < dims; ++k) {
      std::size_t d = dims + 1 - k;
      std::int64_t in = back ? to.sizes()[d] : from.sizes()[d], out = back ? from.sizes()[d] : to.sizes()[d];
      Factor factor = factors[d - 2];
      // As in PyTorch, where dimensions of the same or the double size go by their sizes: two of them, and gradients.
      if (kind == Sampling::Nearest && (dims == 2 || back) && (out == in || out == 2 * in)) factor.reset();
      // Filters are left out where the size stays, but not in gradients, as in PyTorch.
      if (kind >= Sampling::FilteredLinear && !back && out == in) factor.reset();
      auto taps = taps_for<std::conditional_t<std::is_integral_v<C>, double, C>>(kind, in, out, align_corners, factor);
      if constexpr (std::is_same_v<C, float>)
        if (!back) round_weights(taps, kind, dims, dtype);
      std::int64_t outer = 1, inner = 1;
      for (std::size_t j = 0; j < d; ++j) outer *= shape[j];
      for (std::size_t j = d + 1; j < shape.size(); ++j) inner *= shape[j];
      shape[d] = to.sizes()[d];
      C* next = y.data<C>();
      if (k + 1 < dims) {
        held[k % 2].resize(static_cast<std::size_t>(outer * shape[d] * inner));
        next = held[k % 2].data();
      }
      if (!back) resample(taps, outer, inner, at, next);
      if constexpr (!std::is_integral_v<C>)
        if (back) resample_back(taps, outer, inner, at, next);
      at = next;
    }
  };
  if (bytes)
    run(type_tag<std::uint8_t>{});
  else
    compute == kDouble ? run(type_tag<double>{}) : run(type_tag<float>{});
  y.done();
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {
TENON_LIBRARY_FRAGMENT(aten, m) {
  (void)m;
  install_kernels<&KernelTables::copy>();
}
}  // namespace tenon::cpu

namespace tenon::ops {

#define TENON_INTERNAL_KERNELS(NAME, HOW, DIMS, ...)                                                                  \
  TENON_STRUCTURED_KERNEL(NAME##_base, CPU,                                                                           \
                          (&composite::upsampling::resampling<&cpu::detail::run_resampling, composite::Sampling::HOW, \
                                                              __VA_ARGS__>::forward));                                \
  TENON_STRUCTURED_KERNEL(NAME##_backward_base, CPU,                                                                  \
                          (&composite::upsampling::resampling<&cpu::detail::run_resampling, composite::Sampling::HOW, \
                                                              __VA_ARGS__>::backward))
TENON_INTERNAL_RESAMPLINGS(TENON_INTERNAL_KERNELS);
#undef TENON_INTERNAL_KERNELS

}  // namespace tenon::ops
