// Counting on the CPU: integers, and values in bins.
#pragma once
#include <algorithm>
#include <cmath>

#include <tenon/composite/bincount.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

inline Tensor bincount_cpu(const Tensor& self, const std::optional<Tensor>& weights, std::int64_t minlength) {
  composite::check_minlength(minlength);
  if (!is_integral_type(self.dtype(), false)) not_implemented_for("bincount_cpu", self.dtype());
  bool weighted = weights && weights->defined();
  if (self.dim() == 1 && self.numel() == 0) {
    Tensor none = make_tensor(IntArrayRef(minlength), {}, kLong);
    fill_elements(none, Scalar(0));
    return none;
  }
  Tensor list = row_major(self, kLong);
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  std::int64_t n = list.numel(), bins = minlength;
  bool counts = self.dim() == 1;
  for (std::int64_t i = 0; counts && i < n; ++i) counts = p[i] >= 0;
  TENON_CHECK(counts, ValueError, "bincount only supports 1-d non-negative integral inputs.");
  composite::check_bincount_weights(weights, n);
  for (std::int64_t i = 0; i < n; ++i) {
    composite::check_bincount_value(p[i]);
    bins = std::max(bins, p[i] + 1);
  }
  ScalarType type = !weighted ? kLong : weights->dtype() == kFloat ? kFloat : kDouble;
  Tensor out = make_tensor(IntArrayRef(bins), {}, type);
  fill_elements(out, Scalar(0));
  // By one thread, in order: a sum has the same bits for any number of them.
  visit_scalar_type(type, [&]<class T>(type_tag<T>) {
    if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, float> || std::is_same_v<T, double>) {
      auto y = static_cast<T*>(out.data_ptr());
      if (!weighted) {
        for (std::int64_t i = 0; i < n; ++i) y[p[i]] += 1;
        return;
      }
      Tensor w = row_major(*weights, type);
      auto x = static_cast<const T*>(w.data_ptr());
      for (std::int64_t i = 0; i < n; ++i) y[p[i]] += x[i];
    }
  });
  return out;
}

/// Where the outer edges lie: as asked, or around all elements; never at the same place.
template <class T>
std::pair<double, double> outer_edges(const T* x, std::int64_t n, double low, double high, const char* words) {
  if (low == high && n > 0) {
    low = high = static_cast<double>(x[0]);
    for (std::int64_t i = 0; i < n; ++i) {
      auto value = static_cast<double>(x[i]);
      low = std::isnan(value) || value < low ? value : low;
      high = std::isnan(value) || value > high ? value : high;
      if (std::isnan(value)) break;
    }
  }
  composite::check_outer_edges(low, high, words);
  return {low, high};
}
/// `bins` + 1 edges at equal distances, counted from the nearer end.
template <class T>
void even_edges(T* edges, std::int64_t bins, double low, double high) {
  using C = compute_t<T>;
  C first = static_cast<C>(low), last = static_cast<C>(high), step = (last - first) / static_cast<C>(bins);
  for (std::int64_t i = 0; i <= bins; ++i)
    edges[i] =
        static_cast<T>(i < (bins + 1) / 2 ? first + step * static_cast<C>(i) : last - step * static_cast<C>(bins - i));
}
/// Adds each element's weight to its bin; `bin(x)` gives the bin of an element within the outer edges.
template <class T, class F>
void fill_bins(const T* x, const T* weights, std::int64_t n, T low, T high, std::int64_t bins, T* out, F bin) {
  std::vector<double> sums(static_cast<std::size_t>(bins), 0);
  for (std::int64_t i = 0; i < n; ++i)
    if (x[i] >= low && x[i] <= high)
      sums[static_cast<std::size_t>(std::clamp<std::int64_t>(bin(x[i]), 0, bins - 1))] +=
          weights ? static_cast<double>(weights[i]) : 1;
  for (std::int64_t b = 0; b < bins; ++b) out[b] = static_cast<T>(sums[static_cast<std::size_t>(b)]);
}
template <class T>
std::int64_t even_bin(T x, T low, T high, std::int64_t bins) {
  // Every step in T: bins of 16-bit floats are where their arithmetic puts them.
  using C = compute_t<T>;
  auto rounded = [](C x) { return static_cast<C>(static_cast<T>(x)); };
  auto minus = [&](T a, T b) { return rounded(static_cast<C>(a) - static_cast<C>(b)); };
  return static_cast<std::int64_t>(rounded(rounded(minus(x, low) * rounded(static_cast<C>(bins))) / minus(high, low)));
}
inline void histc_cpu(const Tensor& self, std::int64_t bins, const Scalar& min, const Scalar& max, const Tensor& out) {
  visit_floating_type(
      self.dtype(),
      [&]<class T>(type_tag<T>) {
        Tensor from = row_major(self), to = out.is_contiguous() ? out : make_tensor(out.sizes(), {}, out.dtype());
        auto x = static_cast<const T*>(from.data_ptr());
        auto [low, high] = outer_edges(x, from.numel(), min.to_double(), max.to_double(), "torch.histc: range");
        if (low == high) {
          low -= 1;
          high += 1;
        }
        T first = static_cast<T>(low), last = static_cast<T>(high);
        fill_bins<T>(x, nullptr, from.numel(), first, last, bins, static_cast<T*>(to.data_ptr()),
                     [&](T value) { return even_bin(value, first, last, bins); });
        copy_elements(out, to);
      },
      [&] { not_implemented_for("histogram_cpu", self.dtype()); });
}

/// Divides by the sum and by the bins' widths.
template <class T>
void make_density(T* hist, const T* edges, std::int64_t bins) {
  double sum = 0;
  for (std::int64_t b = 0; b < bins; ++b) sum += static_cast<double>(hist[b]);
  for (std::int64_t b = 0; b < bins; ++b)
    hist[b] = static_cast<T>(static_cast<double>(hist[b]) / sum /
                             (static_cast<double>(edges[b + 1]) - static_cast<double>(edges[b])));
}
/// `make_edges(x, n, edges)` fills in the edges.
template <class F>
void histogram(const Tensor& self, const std::optional<Tensor>& weight, bool density, const Tensor& hist,
               const Tensor& bin_edges, F make_edges) {
  if (self.dtype() != kFloat && self.dtype() != kDouble) not_implemented_for("histogramdd", self.dtype());
  Tensor from = row_major(self), weights = weight && weight->defined() ? row_major(*weight) : Tensor(),
         counts = make_tensor(hist.sizes(), {}, hist.dtype()), edges = make_tensor(bin_edges.sizes(), {}, hist.dtype());
  std::int64_t n = from.numel(), bins = counts.numel();
  visit_scalar_type(self.dtype(), [&]<class T>(type_tag<T>) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
      auto x = static_cast<const T*>(from.data_ptr());
      auto e = static_cast<T*>(edges.data_ptr());
      auto y = static_cast<T*>(counts.data_ptr());
      make_edges(x, n, e);
      auto w = weights.defined() ? static_cast<const T*>(weights.data_ptr()) : nullptr;
      fill_bins<T>(x, w, n, e[0], e[bins], bins, y,
                   [&](T value) { return std::upper_bound(e, e + bins + 1, value) - e - 1; });
      if (density) make_density(y, e, bins);
    }
  });
  copy_elements(hist, counts);
  copy_elements(bin_edges, edges);
}
/// The edges of one dimension: of the range that is asked for, else around all elements.
template <class T>
void edges_of_dimension(const T* x, std::int64_t n, std::int64_t bins, std::optional<ArrayRef<double>> range,
                        std::int64_t dim, T* edges) {
  double low = 0, high = 0;
  std::string words = concat("torch.histogramdd: dimension ", dim, "'s range");
  if (range) {
    low = (*range)[0];
    high = (*range)[1];
    composite::check_edge_range(low, high, dim, words);
  } else if (n == 0) {
    high = 1;
  } else {
    std::tie(low, high) = outer_edges(x, n, 0, 0, words.c_str());
  }
  if (low == high) {
    low -= 0.5;
    high += 0.5;
  }
  even_edges(edges, bins, low, high);
}
inline void histogram_count_cpu(const Tensor& self, std::int64_t bins, std::optional<ArrayRef<double>> range,
                                const std::optional<Tensor>& weight, bool density, const Tensor& hist,
                                const Tensor& edges) {
  histogram(self, weight, density, hist, edges,
            [&]<class T>(const T* x, std::int64_t n, T* e) { edges_of_dimension(x, n, bins, range, 0, e); });
}
inline void histogram_edges_cpu(const Tensor& self, const Tensor& bins, const std::optional<Tensor>& weight,
                                bool density, const Tensor& hist, const Tensor& edges) {
  Tensor given = row_major(bins);
  histogram(self, weight, density, hist, edges, [&]<class T>(const T*, std::int64_t, T* e) {
    std::copy_n(static_cast<const T*>(given.data_ptr()), given.numel(), e);
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_IMPL(aten, CPU, m) { m.impl<ops::bincount_base, &detail::bincount_cpu>(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(histc_base, CPU, cpu::detail::histc_cpu);
TENON_STRUCTURED_KERNEL(histogram_bin_ct, CPU, cpu::detail::histogram_count_cpu);
TENON_STRUCTURED_KERNEL(histogram_bins_tensor, CPU, cpu::detail::histogram_edges_cpu);

}  // namespace tenon::ops
