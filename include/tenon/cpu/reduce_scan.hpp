// Running sums and products along a dimension on the CPU.
#pragma once
#include <tenon/composite/scan.hpp>
#include <tenon/cpu/reduction.hpp>

namespace tenon::cpu::detail {

/// What running values are kept in; float64 for floats, as in PyTorch.
template <class T>
using scan_t = std::conditional_t<std::is_same_v<T, float>, double,
                                  std::conditional_t<std::is_same_v<T, Complex<float>>, Complex<double>, compute_t<T>>>;
/// x[0] + .. + x[n - 1], in a fixed order.
template <bool Dense, class A, class T>
A plain_sum(const T* x, std::int64_t step, std::int64_t n) {
  if constexpr (Dense) step = 1;
  constexpr std::int64_t lanes = 16;
  A part[lanes] = {};
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::int64_t l = 0; l < lanes; ++l) part[l] = part[l] + static_cast<A>(x[(i + l) * step]);
  for (; i < n; ++i) part[0] = part[0] + static_cast<A>(x[i * step]);
  for (std::int64_t width = lanes / 2; width > 0; width /= 2)
    for (std::int64_t l = 0; l < width; ++l) part[l] = part[l] + part[l + width];
  return part[0];
}
/// y[i] = start + x[0] + .. + x[i]; returns the last. Four stretches run side by side, so that their additions overlap.
template <bool Dense, class A, class T>
A running_sum(const T* x, std::int64_t x_step, T* y, std::int64_t y_step, std::int64_t n, A start) {
  if constexpr (Dense) x_step = y_step = 1;
  constexpr std::int64_t lanes = 4;
  std::int64_t stretch = n / lanes;
  A sum = start;
  if (stretch >= 16) {
    A at[lanes] = {start};
    for (std::int64_t l = 1; l < lanes; ++l)
      at[l] = at[l - 1] + plain_sum<Dense, A>(x + (l - 1) * stretch * x_step, x_step, stretch);
    for (std::int64_t i = 0; i < stretch; ++i)
      for (std::int64_t l = 0; l < lanes; ++l) {
        at[l] = at[l] + static_cast<A>(x[(l * stretch + i) * x_step]);
        y[(l * stretch + i) * y_step] = static_cast<T>(at[l]);
      }
    sum = at[lanes - 1];
  }
  for (std::int64_t i = stretch >= 16 ? lanes * stretch : 0; i < n; ++i) {
    sum = sum + static_cast<A>(x[i * x_step]);
    y[i * y_step] = static_cast<T>(sum);
  }
  return sum;
}
inline void cumsum_cpu(const Tensor& self, std::int64_t dim, std::optional<ScalarType>, const Tensor& out) {
  if (out.numel() == 0) return;
  if (self.dim() == 0) return copy_elements(out, self);
  dim = wrap_dim(dim, self.dim());
  Tensor from = self.dtype() == out.dtype() ? self : row_major(self, out.dtype());
  std::int64_t n = self.sizes()[dim], lines = line_count(self.sizes(), dim), s = from.strides()[dim],
               o = out.strides()[dim];
  constexpr std::int64_t chunk = 16384;
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    using A = std::conditional_t<std::is_same_v<T, bool>, std::int64_t, scan_t<T>>;
    auto x = static_cast<const T*>(from.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    std::int64_t chunks = (n + chunk - 1) / chunk;
    auto line = [&]<bool Dense>(std::bool_constant<Dense>, const T* p, T* q) {
      if (chunks == 1) {
        running_sum<Dense, A>(p, s, q, o, n, A{});
        return;
      }
      // A long line: its chunks' sums first, so that the chunks can be scanned side by side.
      std::vector<A> starts(static_cast<std::size_t>(chunks));
      auto length = [&](std::int64_t c) { return c + 1 < chunks ? chunk : n - c * chunk; };
      parallel_for(0, chunks - 1, 4, [&](std::int64_t a, std::int64_t b) {
        for (std::int64_t c = a; c < b; ++c)
          starts[static_cast<std::size_t>(c + 1)] = plain_sum<Dense, A>(p + c * chunk * s, s, chunk);
      });
      for (std::int64_t c = 1; c < chunks; ++c)
        starts[static_cast<std::size_t>(c)] =
            starts[static_cast<std::size_t>(c)] + starts[static_cast<std::size_t>(c - 1)];
      parallel_for(0, chunks, 4, [&](std::int64_t a, std::int64_t b) {
        for (std::int64_t c = a; c < b; ++c)
          running_sum<Dense, A>(p + c * chunk * s, s, q + c * chunk * o, o, length(c),
                                starts[static_cast<std::size_t>(c)]);
      });
    };
    parallel_for(0, lines, (1 << 15) / n + 1, [&](std::int64_t first, std::int64_t last) {
      each_line(self.sizes(), dim, {from.strides(), out.strides()}, first, last,
                [&](const std::int64_t* at, std::int64_t) {
                  if (s == 1 && o == 1)
                    line(std::true_type{}, x + at[0], y + at[1]);
                  else
                    line(std::false_type{}, x + at[0], y + at[1]);
                });
    });
  });
}
inline void cumprod_cpu(const Tensor& self, std::int64_t dim, std::optional<ScalarType>, const Tensor& out) {
  if (out.numel() == 0) return;
  if (self.dim() == 0) return copy_elements(out, self);
  dim = wrap_dim(dim, self.dim());
  Tensor from = self.dtype() == out.dtype() ? self : row_major(self, out.dtype());
  std::int64_t n = self.sizes()[dim], s = from.strides()[dim], o = out.strides()[dim];
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    using A = std::conditional_t<std::is_same_v<T, bool>, std::int64_t, scan_t<T>>;
    auto x = static_cast<const T*>(from.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    parallel_for(0, line_count(self.sizes(), dim), (1 << 15) / n + 1, [&](std::int64_t first, std::int64_t last) {
      each_line(self.sizes(), dim, {from.strides(), out.strides()}, first, last,
                [&](const std::int64_t* at, std::int64_t) {
                  A product = A(1);
                  for (std::int64_t i = 0; i < n; ++i) {
                    product = static_cast<A>(product * static_cast<A>(x[at[0] + i * s]));
                    y[at[1] + i * o] = static_cast<T>(product);
                  }
                });
    });
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(cumsum_base, CPU, cpu::detail::cumsum_cpu);
TENON_STRUCTURED_KERNEL(cumprod_base, CPU, cpu::detail::cumprod_cpu);

}  // namespace tenon::ops
