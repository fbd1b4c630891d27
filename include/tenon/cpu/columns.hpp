// The windows of an image as columns, and an image from them, on the CPU.
#pragma once
#include <algorithm>

#include <tenon/composite/columns.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

/// The places of an image that one element of all windows touches along a dimension.
struct ColumnWalk {
  std::int64_t batch, channels, size[2], count[2], image[4], table[3];
  composite::ColumnWindows windows;
  /// `image`: (n, c, h, w) or (c, h, w); `table`: its columns.
  ColumnWalk(const Tensor& i, const Tensor& t, const composite::ColumnWindows& w) : windows(w) {
    bool batched = i.dim() == 4;
    batch = batched ? i.sizes()[0] : 1;
    for (std::size_t d = 0; d < 4; ++d) image[d] = d > 0 || batched ? i.strides()[d - !batched] : 0;
    for (std::size_t d = 0; d < 3; ++d) table[d] = d > 0 || batched ? t.strides()[d - !batched] : 0;
    IntArrayRef sizes = i.sizes().slice(i.sizes().size() - 3, 3);
    channels = sizes[0];
    for (std::size_t d = 0; d < 2; ++d) {
      size[d] = sizes[d + 1];
      count[d] = w.count(d, size[d]);
    }
  }
  std::int64_t planes() const { return batch * channels; }
  /// f(place in the image or -1, place in the table) for a channel and an element of the windows.
  template <class F>
  void each(std::int64_t plane, std::int64_t element, F f) const {
    std::int64_t n = plane / channels, c = plane % channels;
    std::int64_t from = n * image[0] + c * image[1], to = n * table[0] + (c * windows.area() + element) * table[1];
    std::int64_t at[] = {element / windows.kernel[1] * windows.dilation[0] - windows.padding[0],
                         element % windows.kernel[1] * windows.dilation[1] - windows.padding[1]};
    for (std::int64_t i = 0; i < count[0]; ++i) {
      std::int64_t y = at[0] + i * windows.stride[0];
      bool row = y >= 0 && y < size[0];
      for (std::int64_t j = 0; j < count[1]; ++j, to += table[2]) {
        std::int64_t x = at[1] + j * windows.stride[1];
        f(row && x >= 0 && x < size[1] ? from + y * image[2] + x * image[3] : -1, to);
      }
    }
  }
};

inline void im2col_cpu(const Tensor& self, IntArrayRef kernel, IntArrayRef dilation, IntArrayRef padding,
                       IntArrayRef stride, const Tensor& out) {
  ColumnWalk walk(self, out, {kernel, dilation, padding, stride});
  std::int64_t area = walk.windows.area(),
               share = 1 + (1 << 14) / std::max<std::int64_t>(walk.count[0] * walk.count[1], 1);
  visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    parallel_for(0, walk.planes() * area, share, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t row = first; row < last; ++row)
        walk.each(row / area, row % area,
                  [&](std::int64_t from, std::int64_t to) { y[to] = from < 0 ? T{} : x[from]; });
    });
  });
}
inline void col2im_cpu(const Tensor& self, IntArrayRef, IntArrayRef kernel, IntArrayRef dilation, IntArrayRef padding,
                       IntArrayRef stride, const Tensor& out) {
  fill_elements(out, Scalar(0));
  ColumnWalk walk(out, self, {kernel, dilation, padding, stride});
  visit_scalar_type(self.dtype(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    parallel_for(0, walk.planes(), 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t plane = first; plane < last; ++plane)
        for (std::int64_t element = 0; element < walk.windows.area(); ++element)
          walk.each(plane, element, [&](std::int64_t to, std::int64_t from) {
            if (to < 0) return;
            if constexpr (std::is_same_v<T, bool>) {
              y[to] = y[to] || x[from];
            } else {
              using C = compute_t<T>;
              y[to] = static_cast<T>(static_cast<C>(y[to]) + static_cast<C>(x[from]));
            }
          });
    });
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) { install_kernels<&KernelTables::copy>(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(im2col_base, CPU, cpu::detail::im2col_cpu);
TENON_STRUCTURED_KERNEL(col2im_base, CPU, cpu::detail::col2im_cpu);

}  // namespace tenon::ops
