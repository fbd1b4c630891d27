// Distances between all pairs of rows, and their gradients, on the CPU.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include <tenon/composite/distance.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/softmax_kernels.hpp>
#include <tenon/ops/factory.hpp>

namespace tenon::cpu::detail {

/// The p-norm of a difference of rows, and what a step of their elements changes of it. Differences are those of T,
/// lest the largest is none of them.
struct RowDistance {
  double p;
  /// From one row to each of `rows` that lie one after the other.
  template <class T>
  void operator()(const T* from, const T* to, std::int64_t rows, std::int64_t width, T* out) const {
    if (active_tables().softmax->distances(scalar_type_v<T>, p, from, to, rows, width, out)) return;
    for (std::int64_t r = 0; r < rows; ++r, to += width) {
      double sum = 0;
      for (std::int64_t k = 0; k < width; ++k) sum += std::pow(std::abs(static_cast<double>(from[k] - to[k])), p);
      out[r] = static_cast<T>(std::pow(sum, 1 / p));
    }
  }
  /// Adds `grad` times the slopes by the first row's elements to `sums`.
  template <class T>
  void add_slopes(double* sums, double grad, double distance, const T* a, const T* b, std::int64_t width) const {
    auto each = [&](auto slope) {
      for (std::int64_t k = 0; k < width; ++k) sums[k] += slope(static_cast<double>(a[k] - b[k]));
    };
    auto sign = [](double off) { return static_cast<double>((off > 0) - (off < 0)); };
    if (p == 0 || (distance == 0 && p != 1 && !std::isinf(p))) return;
    if (p == 1)
      each([=](double off) { return grad * sign(off); });
    else if (p == 2)
      each([=, by = grad / distance](double off) { return by * off; });
    else if (std::isinf(p))
      each([=](double off) { return std::abs(off) == distance ? grad * sign(off) : 0; });
    else
      each([=, *this](double off) {
        return off == 0 ? 0 : grad * (sign(off) * std::pow(std::abs(off) / distance, p - 1));
      });
  }
};
template <class F>
void visit_distance_type(const char* name, ScalarType type, F f) {
  if (type == kFloat)
    f(type_tag<float>{});
  else if (type == kDouble)
    f(type_tag<double>{});
  else
    not_implemented_for(name, type);
}
/// How many rows stay in a cache while each of others is held against them.
inline std::int64_t rows_at_once(std::int64_t width) { return std::max<std::int64_t>((1 << 15) / (width + 1), 8); }
/// The place of the pair (i, j), i < j, among those of n rows.
inline std::int64_t pair_place(std::int64_t n, std::int64_t i, std::int64_t j) {
  return i * n - i * (i + 1) / 2 + j - i - 1;
}
inline void pdist_cpu(const Tensor& self, double p, const Tensor& out) {
  visit_distance_type("pdist", self.dtype(), [&]<class T>(type_tag<T>) {
    Tensor rows = row_major(self), to = out.is_contiguous() ? out : make_tensor(out.sizes(), {}, out.dtype());
    auto x = static_cast<const T*>(rows.data_ptr());
    auto y = static_cast<T*>(to.data_ptr());
    std::int64_t n = rows.sizes()[0], width = rows.sizes()[1], some = rows_at_once(width);
    parallel_for(0, n, (1 << 15) / (n * width + 1) + 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t j = first + 1; j < n; j += some)
        for (std::int64_t i = first, end = std::min(j + some, n); i < std::min(last, end - 1); ++i) {
          const std::int64_t from = std::max(i + 1, j);
          RowDistance{p}(x + i * width, x + from * width, end - from, width, y + pair_place(n, i, from));
        }
    });
    copy_elements(out, to);
  });
}
inline void pdist_backward_cpu(const Tensor& grad, const Tensor& self, double p, const Tensor& pdist,
                               const Tensor& out) {
  visit_distance_type("pdist_backward", self.dtype(), [&]<class T>(type_tag<T>) {
    Tensor rows = row_major(self), grads = row_major(grad), distances = row_major(pdist),
           to = make_tensor(out.sizes(), {}, out.dtype());
    auto x = static_cast<const T*>(rows.data_ptr());
    auto g = static_cast<const T*>(grads.data_ptr());
    auto d = static_cast<const T*>(distances.data_ptr());
    auto y = static_cast<T*>(to.data_ptr());
    std::int64_t n = rows.sizes()[0], width = rows.sizes()[1];
    RowDistance distance{p};
    // Each row by one thread, which adds in the order of the other rows.
    parallel_for(0, n, (1 << 15) / (n * width + 1) + 1, [&](std::int64_t first, std::int64_t last) {
      std::vector<double> sums(static_cast<std::size_t>(width));
      for (std::int64_t i = first; i < last; ++i) {
        std::fill(sums.begin(), sums.end(), 0);
        for (std::int64_t j = 0; j < n; ++j) {
          if (j == i) continue;
          std::int64_t pair = i < j ? pair_place(n, i, j) : pair_place(n, j, i);
          distance.add_slopes(sums.data(), static_cast<double>(g[pair]), static_cast<double>(d[pair]), x + i * width,
                              x + j * width, width);
        }
        for (std::int64_t k = 0; k < width; ++k) y[i * width + k] = static_cast<T>(sums[static_cast<std::size_t>(k)]);
      }
    });
    copy_elements(out, to);
  });
}

/// Matrices of two batches that broadcast, row-major and spread to a common batch.
struct MatrixPairs {
  Tensor a, b;
  std::int64_t batch = 1, rows_a, rows_b, width;
  MatrixPairs(const Tensor& x1, const Tensor& x2, IntArrayRef sizes) {
    DimVector to(sizes.begin(), sizes.end() - 2);
    for (std::int64_t s : to) batch *= s;
    rows_a = x1.sizes()[x1.dim() - 2];
    rows_b = x2.sizes()[x2.dim() - 2];
    width = x1.sizes().back();
    auto spread = [&](const Tensor& t, std::int64_t rows) {
      DimVector wide(to);
      wide.push_back(rows);
      wide.push_back(width);
      return row_major(ops::expand(t, IntArrayRef(wide)));
    };
    a = spread(x1, rows_a);
    b = spread(x2, rows_b);
  }
};
inline void cdist_cpu(const Tensor& x1, const Tensor& x2, double p, std::optional<std::int64_t>, const Tensor& out) {
  visit_distance_type("cdist", x1.dtype(), [&]<class T>(type_tag<T>) {
    if (out.numel() == 0) return;
    MatrixPairs m(x1, x2, out.sizes());
    Tensor to = out.is_contiguous() ? out : make_tensor(out.sizes(), {}, out.dtype());
    auto a = static_cast<const T*>(m.a.data_ptr()), b = static_cast<const T*>(m.b.data_ptr());
    auto y = static_cast<T*>(to.data_ptr());
    const std::int64_t some = rows_at_once(m.width);
    parallel_for(0, m.batch * m.rows_a, (1 << 15) / (m.rows_b * m.width + 1) + 1,
                 [&](std::int64_t first, std::int64_t last) {
                   for (std::int64_t r = first, end; r < last; r = end) {
                     const std::int64_t batch = r / m.rows_a;
                     end = std::min(last, (batch + 1) * m.rows_a);
                     for (std::int64_t j = 0; j < m.rows_b; j += some)
                       for (std::int64_t i = r; i < end; ++i)
                         RowDistance{p}(a + i * m.width, b + (batch * m.rows_b + j) * m.width,
                                        std::min(some, m.rows_b - j), m.width, y + i * m.rows_b + j);
                   }
                 });
    copy_elements(out, to);
  });
}
/// The gradient of the first matrices, over the whole batch.
inline void cdist_backward_cpu(const Tensor& grad, const Tensor& x1, const Tensor& x2, double p, const Tensor& cdist,
                               const Tensor& out) {
  if (out.numel() == 0) return;
  if (cdist.numel() == 0) return fill_elements(out, Scalar(0));
  visit_distance_type("cdist_backward", x1.dtype(), [&]<class T>(type_tag<T>) {
    MatrixPairs m(x1, x2, cdist.sizes());
    Tensor grads = row_major(grad), distances = row_major(cdist), to = make_tensor(out.sizes(), {}, out.dtype());
    auto a = static_cast<const T*>(m.a.data_ptr()), b = static_cast<const T*>(m.b.data_ptr());
    auto g = static_cast<const T*>(grads.data_ptr()), d = static_cast<const T*>(distances.data_ptr());
    auto y = static_cast<T*>(to.data_ptr());
    RowDistance distance{p};
    parallel_for(0, m.batch * m.rows_a, (1 << 15) / (m.rows_b * m.width + 1) + 1,
                 [&](std::int64_t first, std::int64_t last) {
                   std::vector<double> sums(static_cast<std::size_t>(m.width));
                   for (std::int64_t r = first; r < last; ++r) {
                     std::fill(sums.begin(), sums.end(), 0);
                     for (std::int64_t j = 0; j < m.rows_b; ++j)
                       distance.add_slopes(sums.data(), static_cast<double>(g[r * m.rows_b + j]),
                                           static_cast<double>(d[r * m.rows_b + j]), a + r * m.width,
                                           b + (r / m.rows_a * m.rows_b + j) * m.width, m.width);
                     for (std::int64_t k = 0; k < m.width; ++k)
                       y[r * m.width + k] = static_cast<T>(sums[static_cast<std::size_t>(k)]);
                   }
                 });
    copy_elements(out, to);
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels_for<&KernelTables::softmax, ops::_pdist_forward_base, ops::_cdist_forward_base>();
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(_pdist_forward_base, CPU, cpu::detail::pdist_cpu);
TENON_STRUCTURED_KERNEL(_pdist_backward_base, CPU, cpu::detail::pdist_backward_cpu);
TENON_STRUCTURED_KERNEL(_cdist_forward_base, CPU, cpu::detail::cdist_cpu);
TENON_STRUCTURED_KERNEL(_cdist_backward_base, CPU, cpu::detail::cdist_backward_cpu);

}  // namespace tenon::ops
