// Up- and downsampling on the CPU: one pass per dimension.
#pragma once
#include <array>

#include <tenon/composite/upsample.hpp>
#include <tenon/cpu/detail/resample.hpp>
#include <tenon/cpu/detail/results.hpp>

namespace tenon::cpu::detail {

using Factor = std::optional<double>;
/// Resamples the spatial dimensions of `from` to those of `to`; backwards, from the sizes of `from` to those of `to`.
inline void run_resampling(Sampling kind, bool back, bool align_corners, const Factor* factors, const Tensor& from,
                           const Tensor& to) {
  if (to.numel() == 0) return;
  bool nearest = kind == Sampling::Nearest || kind == Sampling::NearestExact;
  ScalarType dtype = from.dtype();
  if (!(from.is_floating_point() && has_arithmetic(dtype)) && !(nearest && dtype == kByte))
    not_implemented_for(nearest ? "upsample_nearest" : "upsample_generic_Nd", dtype);
  ScalarType compute = dtype == kDouble ? kDouble : kFloat;
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
      Taps<C> taps = taps_for<C>(kind, in, out, align_corners, factors[d - 2]);
      std::int64_t outer = 1, inner = 1;
      for (std::size_t j = 0; j < d; ++j) outer *= shape[j];
      for (std::size_t j = d + 1; j < shape.size(); ++j) inner *= shape[j];
      shape[d] = to.sizes()[d];
      C* next = y.data<C>();
      if (k + 1 < dims) {
        held[k % 2].resize(static_cast<std::size_t>(outer * shape[d] * inner));
        next = held[k % 2].data();
      }
      back ? resample_back(taps, outer, inner, at, next) : resample(taps, outer, inner, at, next);
      at = next;
    }
  };
  compute == kDouble ? run(type_tag<double>{}) : run(type_tag<float>{});
  y.done();
}
template <Sampling Kind, class... Rest>
struct upsample_kernel {
  static void run(bool back, const Tensor& from, const Tensor& to, const Rest&... rest) {
    bool align_corners = false;
    std::array<Factor, 3> factors;
    std::size_t n = 0;
    auto take = [&](const auto& x) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(x)>, bool>)
        align_corners = x;
      else
        factors[n++] = x;
    };
    (take(rest), ...);
    run_resampling(Kind, back, align_corners, factors.data(), from, to);
  }
  static void forward(const Tensor& self, IntArrayRef, Rest... rest, const Tensor& out) {
    run(false, self, out, rest...);
  }
  static void backward(const Tensor& grad, IntArrayRef, IntArrayRef, Rest... rest, const Tensor& out) {
    run(true, grad, out, rest...);
  }
};

}  // namespace tenon::cpu::detail

namespace tenon::cpu {
TENON_LIBRARY_FRAGMENT(aten, m) {
  (void)m;
  install_kernels<&KernelTables::copy>();
}
}  // namespace tenon::cpu

namespace tenon::ops {

#define TENON_INTERNAL_RESAMPLE(NAME, KIND, ...)                                                            \
  TENON_STRUCTURED_KERNEL(NAME##_base, CPU,                                                                 \
                          cpu::detail::upsample_kernel<cpu::detail::Sampling::KIND, __VA_ARGS__>::forward); \
  TENON_STRUCTURED_KERNEL(NAME##_backward_base, CPU,                                                        \
                          cpu::detail::upsample_kernel<cpu::detail::Sampling::KIND, __VA_ARGS__>::backward)
TENON_INTERNAL_RESAMPLE(upsample_nearest1d, Nearest, UpsampleFactor);
TENON_INTERNAL_RESAMPLE(upsample_nearest2d, Nearest, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLE(upsample_nearest3d, Nearest, UpsampleFactor, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLE(_upsample_nearest_exact1d, NearestExact, UpsampleFactor);
TENON_INTERNAL_RESAMPLE(_upsample_nearest_exact2d, NearestExact, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLE(_upsample_nearest_exact3d, NearestExact, UpsampleFactor, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLE(upsample_linear1d, Linear, bool, UpsampleFactor);
TENON_INTERNAL_RESAMPLE(upsample_bilinear2d, Linear, bool, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLE(upsample_trilinear3d, Linear, bool, UpsampleFactor, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLE(upsample_bicubic2d, Cubic, bool, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLE(_upsample_bilinear2d_aa, FilteredLinear, bool, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLE(_upsample_bicubic2d_aa, FilteredCubic, bool, UpsampleFactor, UpsampleFactor);
#undef TENON_INTERNAL_RESAMPLE

}  // namespace tenon::ops
