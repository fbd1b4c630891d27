// Padding by reflection and by repeated edges, with gradients, on the CPU.
#pragma once
#include <algorithm>

#include <tenon/composite/pad_edges.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

using composite::Edge;
using composite::pad_name;

/// A padded tensor and the one it is made of, as batch, channel and three dimensions; for every place of the padded
/// ones where the other's element lies.
struct PadWalk {
  std::int64_t sizes[5] = {1, 1, 1, 1, 1}, inner[5] = {}, outer[5] = {};
  std::vector<std::int64_t> places[3];
  PadWalk(const Tensor& narrow, const Tensor& wide, IntArrayRef padding, Edge how) {
    std::int64_t n = wide.dim(), padded = static_cast<std::int64_t>(padding.size()) / 2;
    for (std::int64_t i = 0; i < n; ++i) {
      // Dimensions without padding go to batch and channel, the others to the last places.
      std::int64_t d = n - 1 - i, at = i < padded ? 4 - i : 1 - (i - padded);
      sizes[at] = wide.sizes()[d];
      inner[at] = narrow.strides()[d];
      outer[at] = wide.strides()[d];
      if (i >= padded) continue;
      std::int64_t size = narrow.sizes()[d], before = padding[2 * i];
      auto& list = places[at - 2];
      list.resize(static_cast<std::size_t>(sizes[at]));
      for (std::int64_t k = 0; k < sizes[at]; ++k) {
        std::int64_t from = k - before;
        if (how == Edge::Replication)
          from = std::clamp<std::int64_t>(from, 0, size - 1);
        else if (from < 0)
          from = -from;
        else if (from >= size)
          from = 2 * (size - 1) - from;
        list[static_cast<std::size_t>(k)] = from * inner[at];
      }
    }
    for (auto& list : places)
      if (list.empty()) list.push_back(0);
  }
  /// f(offset in the narrow tensor, in the wide one) for every element of the planes.
  template <class F>
  void planes(std::int64_t first, std::int64_t last, F f) const {
    for (std::int64_t p = first; p < last; ++p) {
      std::int64_t b = p / sizes[1], c = p % sizes[1];
      std::int64_t in = b * inner[0] + c * inner[1], out = b * outer[0] + c * outer[1];
      for (std::int64_t i = 0; i < sizes[2]; ++i)
        for (std::int64_t j = 0; j < sizes[3]; ++j) {
          std::int64_t from = in + places[0][static_cast<std::size_t>(i)] + places[1][static_cast<std::size_t>(j)],
                       to = out + i * outer[2] + j * outer[3];
          for (std::int64_t k = 0; k < sizes[4]; ++k)
            f(from + places[2][static_cast<std::size_t>(k)], to + k * outer[4]);
        }
    }
  }
  template <class F>
  void each(F f) const {
    std::int64_t plane = sizes[2] * sizes[3] * sizes[4];
    parallel_for(0, sizes[0] * sizes[1], (1 << 15) / (plane + 1) + 1,
                 [&](std::int64_t first, std::int64_t last) { planes(first, last, f); });
  }
};
template <Edge How, int Dims>
void pad_cpu(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  if (!has_arithmetic(self.dtype()) || self.dtype() == kBool)
    not_implemented_for(pad_name<How, Dims, false>(), self.dtype());
  if (out.numel() == 0) return;
  PadWalk walk(self, out, padding, How);
  visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    walk.each([=](std::int64_t from, std::int64_t to) { y[to] = x[from]; });
  });
}
template <Edge How, int Dims>
void pad_backward_cpu(const Tensor& grad, const Tensor& self, IntArrayRef padding, const Tensor& out) {
  if (!has_arithmetic(self.dtype()) || !(self.is_floating_point() || self.is_complex()))
    not_implemented_for(pad_name<How, Dims, true>(), self.dtype());
  fill_elements(out, Scalar(0));
  if (out.numel() == 0) return;
  PadWalk walk(out, grad, padding, How);
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(grad.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    walk.each([=](std::int64_t to, std::int64_t from) {
      y[to] = static_cast<T>(static_cast<compute_t<T>>(y[to]) + static_cast<compute_t<T>>(x[from]));
    });
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::ops {

#define TENON_INTERNAL_KERNELS(NAME, HOW, DIMS)                                                   \
  TENON_STRUCTURED_KERNEL(NAME##_base, CPU, (&cpu::detail::pad_cpu<composite::Edge::HOW, DIMS>)); \
  TENON_STRUCTURED_KERNEL(NAME##_backward_base, CPU, (&cpu::detail::pad_backward_cpu<composite::Edge::HOW, DIMS>))
TENON_INTERNAL_EDGE_PADS(TENON_INTERNAL_KERNELS);
#undef TENON_INTERNAL_KERNELS

}  // namespace tenon::ops
