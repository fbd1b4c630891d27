// Normalising rows: what layer, group and root-mean-square normalisation share. Sums depend neither on threads nor
// sets.
#pragma once

namespace tenon::cpu::detail {

/// Vectors of what lies in memory from a place on, all or the first lanes of one.
template <class V>
struct VectorRead {
  std::int64_t at;
  template <class T>
  V operator()(const T* p) const {
    return V::load(p + at);
  }
};
template <class V>
struct PartRead {
  std::int64_t at;
  int count;
  template <class T>
  V operator()(const T* p) const {
    return V::load_partial(p + at, count);
  }
};
/// The sum of what `f` makes of reads at 0 .. n - 1: sixteen lanes of C in blocks, joined by a tree, the blocks in
/// double.
template <class C, class Arch, class F>
double sum_of(std::int64_t n, F f) {
  using V = vec<C, Arch>;
  constexpr std::int64_t kTerms = 2048;
  constexpr int W = V::size, kWidth = W > 16 ? W : 16, R = kWidth / W;
  double total = 0;
  for (std::int64_t first = 0; first < n; first += kTerms) {
    V sum[R];
    for (V& s : sum) s = V(C(0));
    std::int64_t last = n < first + kTerms ? n : first + kTerms, i = first;
    for (; i + kWidth <= last; i += kWidth) {
#pragma GCC unroll 8
      for (int r = 0; r < R; ++r) sum[r] += f(VectorRead<V>{i + r * W});
    }
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r, i += W) {
      if (i + W <= last)
        sum[r] += f(VectorRead<V>{i});
      else if (int rest = static_cast<int>(last - i); rest > 0)
        sum[r] += first_lanes(rest, f(PartRead<V>{i, rest}), V(C(0)));
    }
#pragma GCC unroll 4
    for (int half = R / 2; half > 0; half /= 2)
#pragma GCC unroll 8
      for (int r = 0; r < half; ++r) sum[r] += sum[r + half];
    alignas(64) C lane[W];
    fold_register<W / 2>(reduction::sum_op<C>{}, sum[0], W).store(lane);
    total += static_cast<double>(lane[0]);
  }
  return total;
}
/// to[i] = f(reads at i) for i in [first, last).
template <class C, class Arch, class T, class F>
void fill_from(T* to, std::int64_t first, std::int64_t last, F f) {
  using V = vec<C, Arch>;
  std::int64_t i = first;
  for (; i + V::size <= last; i += V::size) f(VectorRead<V>{i}).store(to + i);
  if (int rest = static_cast<int>(last - i); rest > 0) f(PartRead<V>{i, rest}).store_partial(to + i, rest);
}

/// y = (x - mean) * rstd * weight + bias, row by row. `weight`, `bias` and `mean` may be null.
template <class T, class Arch, class C>
void normalize_rows(const NormRows& n, const T* x, T* y, C* mean, C* rstd, const C* weight, const C* bias, double eps) {
  std::int64_t length = n.length();
  const auto size = static_cast<double>(length);
  // Short rows go through each step together: the next one's need not wait for what a step takes to come to its end.
  constexpr std::int64_t kTogether = 16;
  const std::int64_t together = std::clamp<std::int64_t>(2048 / std::max<std::int64_t>(1, length), 1, kTogether);
  auto normalize = [&](std::int64_t first, std::int64_t count) {
    C means[kTogether], scales[kTogether];
    double sums[kTogether];
    const T* from = x + first * length;
    for (std::int64_t k = 0; k < count; ++k)
      means[k] =
          n.centered
              ? static_cast<C>(sum_of<C, Arch>(length, [row = from + k * length](auto at) { return at(row); }) / size)
              : C(0);
    for (std::int64_t k = 0; k < count; ++k)
      sums[k] = sum_of<C, Arch>(length, [row = from + k * length, m = means[k]](auto at) {
        auto d = at(row) - m;
        return d * d;
      });
    for (std::int64_t k = 0; k < count; ++k) scales[k] = static_cast<C>(1 / std::sqrt(sums[k] / size + eps));
    std::copy_n(scales, count, rstd + first);
    if (mean) std::copy_n(means, count, mean + first);
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t r = first + k;
      const T* row = x + r * length;
      T* to = y + r * length;
      const C m = means[k], scale = scales[k];
      if (n.inner == 1) {
        const C *w = weight ? weight + r % n.groups * n.channels : nullptr,
                *b = bias ? bias + r % n.groups * n.channels : nullptr;
        auto normal = [&](auto at) { return (at(row) - m) * scale; };
        if (w && b)
          fill_from<C, Arch>(to, 0, length, [&](auto at) { return normal(at) * at(w) + at(b); });
        else if (w)
          fill_from<C, Arch>(to, 0, length, [&](auto at) { return normal(at) * at(w); });
        else if (b)
          fill_from<C, Arch>(to, 0, length, [&](auto at) { return normal(at) + at(b); });
        else
          fill_from<C, Arch>(to, 0, length, normal);
      } else {
        n.each_channel(r, [&](std::int64_t at, std::int64_t c) {
          const C s = scale * (weight ? weight[c] : C(1)), add = bias ? bias[c] : C(0);
          fill_from<C, Arch>(to, at, at + n.inner, [&](auto read) { return (read(row) - m) * s + add; });
        });
      }
    }
  };
  parallel_for(0, n.rows, n.grain(), [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; r += together) normalize(r, std::min(together, last - r));
  });
}

/// The gradient by x.
template <class T, class Arch, class C>
void normalize_rows_back(const NormRows& n, const T* grad, const T* x, T* to, const C* mean, const C* rstd,
                         const C* weight) {
  std::int64_t length = n.length();
  parallel_for(0, n.rows, n.grain(), [&](std::int64_t first, std::int64_t last) {
    std::vector<C> weighted(static_cast<std::size_t>(length));
    C* by = weighted.data();
    for (std::int64_t r = first; r < last; ++r) {
      const T *from = x + r * length, *g = grad + r * length;
      T* d = to + r * length;
      const C m = mean ? mean[r] : C(0), scale = rstd[r];
      const C* w = weight && n.inner == 1 ? weight + r % n.groups * n.channels : nullptr;
      if (w)
        fill_from<C, Arch>(by, 0, length, [&](auto at) { return at(g) * at(w); });
      else
        n.each_channel(r, [&](std::int64_t at, std::int64_t c) {
          const C factor = weight ? weight[c] : C(1);
          fill_from<C, Arch>(by, at, at + n.inner, [&](auto read) { return read(g) * factor; });
        });
      auto size = static_cast<double>(length);
      const C about =
          n.centered ? static_cast<C>(sum_of<C, Arch>(length, [&](auto at) { return at(by); }) / size) : C(0);
      const C along =
          static_cast<C>(sum_of<C, Arch>(length, [&](auto at) { return at(by) * (at(from) - m) * scale; }) / size);
      // In PyTorch's order of products: what remains of equal terms is a rounding.
      const C off = scale * about;
      if (w)
        fill_from<C, Arch>(d, 0, length, [&](auto at) {
          return scale * at(g) * at(w) - off - (at(from) - m) * scale * scale * along;
        });
      else
        fill_from<C, Arch>(d, 0, length,
                           [&](auto at) { return scale * at(by) - off - (at(from) - m) * scale * scale * along; });
    }
  });
}

/// The gradients by weight and bias; either may be null.
template <class T, class Arch, class C>
void normalize_rows_parameters(const NormRows& n, const T* grad, const T* x, const C* mean, const C* rstd, C* weight,
                               C* bias) {
  using D = typename WideLanes<Arch>::type;
  constexpr std::int64_t kWidth = 64, W = WideLanes<Arch>::size;
  std::int64_t length = n.length(), all = n.groups * n.channels;
  std::int64_t blocks = (n.channels + kWidth - 1) / kWidth;
  if (n.rows < n.groups) {
    if (weight) std::fill_n(weight, all, C(0));
    if (bias) std::fill_n(bias, all, C(0));
    return;
  }
  parallel_for(0, n.groups * blocks, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t block = first; block < last; ++block) {
      std::int64_t group = block / blocks, from = block % blocks * kWidth,
                   to = n.channels < from + kWidth ? n.channels : from + kWidth;
      double dw[kWidth] = {}, db[kWidth] = {};
      C product[kWidth];
      for (std::int64_t r = group; r < n.rows; r += n.groups) {
        const T *a = x + r * length, *g = grad + r * length;
        const C m = mean ? mean[r] : C(0), scale = rstd[r];
        if (n.inner == 1) {
          const T *p = a + from, *q = g + from;
          const std::int64_t count = to - from;
          fill_from<C, Arch>(product, 0, count, [&](auto at) { return at(q) * (at(p) - m) * scale; });
          std::int64_t c = 0;
          for (; c + W <= count; c += W) {
            D w, b;
            std::memcpy(&w, dw + c, sizeof w);
            std::memcpy(&b, db + c, sizeof b);
            w += WideLanes<Arch>::load(product + c);
            b += WideLanes<Arch>::load(q + c);
            std::memcpy(dw + c, &w, sizeof w);
            std::memcpy(db + c, &b, sizeof b);
          }
          for (; c < count; ++c) {
            dw[c] += static_cast<double>(product[c]);
            db[c] += static_cast<double>(q[c]);
          }
        } else {
          for (std::int64_t c = from; c < to; ++c) {
            const T *p = a + c * n.inner, *q = g + c * n.inner;
            dw[c - from] += sum_of<C, Arch>(n.inner, [&](auto at) { return at(q) * (at(p) - m) * scale; });
            db[c - from] += sum_of<C, Arch>(n.inner, [&](auto at) { return at(q); });
          }
        }
      }
      for (std::int64_t c = from; c < to; ++c) {
        if (weight) weight[group * n.channels + c] = static_cast<C>(dw[c - from]);
        if (bias) bias[group * n.channels + c] = static_cast<C>(db[c - from]);
      }
    }
  });
}

template <class Arch>
struct row_entries {
  template <class F>
  static void visit(ScalarType dtype, F f) {
    visit_floating_type(dtype, f, [&] { fail<TypeError>("normalisation is not implemented for dtype ", dtype); });
  }
  static void normalize(const RowCall& c, void* y, void* mean, void* rstd, const void* bias, double eps) {
    visit(c.dtype, [&]<class T>(type_tag<T>) {
      using C = compute_t<T>;
      normalize_rows<T, Arch>(c.rows, static_cast<const T*>(c.x), static_cast<T*>(y), static_cast<C*>(mean),
                              static_cast<C*>(rstd), static_cast<const C*>(c.weight), static_cast<const C*>(bias), eps);
    });
  }
  static void back(const RowCall& c, const void* grad, const void* mean, const void* rstd, void* to) {
    visit(c.dtype, [&]<class T>(type_tag<T>) {
      using C = compute_t<T>;
      normalize_rows_back<T, Arch>(c.rows, static_cast<const T*>(grad), static_cast<const T*>(c.x), static_cast<T*>(to),
                                   static_cast<const C*>(mean), static_cast<const C*>(rstd),
                                   static_cast<const C*>(c.weight));
    });
  }
  static void parameters(const RowCall& c, const void* grad, const void* mean, const void* rstd, void* weight,
                         void* bias) {
    visit(c.dtype, [&]<class T>(type_tag<T>) {
      using C = compute_t<T>;
      normalize_rows_parameters<T, Arch>(c.rows, static_cast<const T*>(grad), static_cast<const T*>(c.x),
                                         static_cast<const C*>(mean), static_cast<const C*>(rstd),
                                         static_cast<C*>(weight), static_cast<C*>(bias));
    });
  }
  static constexpr RowKernels value{&normalize, &back, &parameters};
};

}  // namespace tenon::cpu::detail
