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
    _Pragma("GCC unroll 16") for (std::int64_t l = 0; l < lanes; ++l) part[l] =
        part[l] + static_cast<A>(x[(i + l) * step]);
  for (; i < n; ++i) part[0] = part[0] + static_cast<A>(x[i * step]);
  for (std::int64_t width = lanes / 2; width > 0; width /= 2)
    for (std::int64_t l = 0; l < width; ++l) part[l] = part[l] + part[l + width];
  return part[0];
}
/// A chunk of a line that is scanned as stretches side by side, so that their additions overlap; n elements.
template <bool Dense, class A, class T>
struct ScanChunk {
  static constexpr std::int64_t lanes = 8, least = 16 * lanes;  ///< shorter lines are added up one by one
  const T* x;
  std::int64_t x_step, n, stretch = n >= least ? apart(n / lanes) : 0;

  /// Stretches that lay a power of two apart would share few sets of the caches.
  static std::int64_t apart(std::int64_t stretch) {
    constexpr std::int64_t item = sizeof(T);
    return stretch * item % 512 == 0 ? stretch - 64 / item : stretch;
  }

  /// The sums of all stretches, then of the rest.
  void sums(A* to) const {
    for (std::int64_t l = 0; l < lanes; ++l) to[l] = plain_sum<Dense, A>(x + l * stretch * step(), step(), stretch);
    to[lanes] = plain_sum<Dense, A>(x + lanes * stretch * step(), step(), n - lanes * stretch);
  }
  /// y[i] = start + x[0] + .. + x[i].
  void scan(const A* sums, T* y, std::int64_t y_step, A start) const {
    if constexpr (Dense) y_step = 1;
    A at[lanes] = {start};
    for (std::int64_t l = 1; l < lanes; ++l) at[l] = at[l - 1] + sums[l - 1];
    A sum = at[lanes - 1] + sums[lanes - 1];
    for (std::int64_t i = 0; i < stretch; ++i) _Pragma("GCC unroll 8") for (std::int64_t l = 0; l < lanes; ++l) {
        at[l] = at[l] + static_cast<A>(x[(l * stretch + i) * step()]);
        y[(l * stretch + i) * y_step] = static_cast<T>(at[l]);
      }
    for (std::int64_t i = lanes * stretch; i < n; ++i) {
      sum = sum + static_cast<A>(x[i * step()]);
      y[i * y_step] = static_cast<T>(sum);
    }
  }
  std::int64_t step() const { return Dense ? 1 : x_step; }
};
inline void cumsum_cpu(const Tensor& self, std::int64_t dim, std::optional<ScalarType>, const Tensor& out) {
  if (out.numel() == 0) return;
  if (self.dim() == 0) return copy_elements(out, self);
  dim = wrap_dim(dim, self.dim());
  Tensor from = self.dtype() == out.dtype() ? self : row_major(self, out.dtype());
  std::int64_t n = self.sizes()[dim], lines = line_count(self.sizes(), dim), s = from.strides()[dim],
               o = out.strides()[dim];
  constexpr std::int64_t chunk = 8 * (2048 + 16);
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    using A = std::conditional_t<std::is_same_v<T, bool>, std::int64_t, scan_t<T>>;
    auto x = static_cast<const T*>(from.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    std::int64_t chunks = (n + chunk - 1) / chunk;
    auto line = [&]<bool Dense>(std::bool_constant<Dense>, const T* p, T* q) {
      using Chunk = ScanChunk<Dense, A, T>;
      constexpr std::int64_t each = Chunk::lanes + 1;
      auto at = [&](std::int64_t c) { return Chunk{p + c * chunk * s, s, c + 1 < chunks ? chunk : n - c * chunk}; };
      auto total = [](const A* sums) {
        A sum = sums[0];
        for (std::int64_t l = 1; l < each; ++l) sum = sum + sums[l];
        return sum;
      };
      if (chunks == 1 || in_parallel_region() || get_num_threads() == 1) {
        // A chunk is still in the cache when it is read again.
        A sums[each] = {}, start{};
        for (std::int64_t c = 0; c < chunks; ++c) {
          if (n >= Chunk::least) at(c).sums(sums);
          at(c).scan(sums, q + c * chunk * o, o, start);
          start = start + total(sums);
        }
        return;
      }
      // A long line: its chunks' sums first, so that the chunks can be scanned side by side.
      std::vector<A> sums(static_cast<std::size_t>(each * chunks)), starts(static_cast<std::size_t>(chunks + 1));
      parallel_for(0, chunks, 4, [&](std::int64_t a, std::int64_t b) {
        for (std::int64_t c = a; c < b; ++c) at(c).sums(sums.data() + c * each);
      });
      for (std::int64_t c = 0; c < chunks; ++c)
        starts[static_cast<std::size_t>(c + 1)] = starts[static_cast<std::size_t>(c)] + total(sums.data() + c * each);
      parallel_for(0, chunks, 4, [&](std::int64_t a, std::int64_t b) {
        for (std::int64_t c = a; c < b; ++c)
          at(c).scan(sums.data() + c * each, q + c * chunk * o, o, starts[static_cast<std::size_t>(c)]);
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
