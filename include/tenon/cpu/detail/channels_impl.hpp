// Sums over channels in double, by lanes that are the same for every instruction set, and elementwise passes.
#pragma once

namespace tenon::cpu::detail {

/// A register of doubles, and as many floats.
template <class Arch>
struct wide_registers {
  static constexpr std::size_t bytes = static_cast<std::size_t>(vec<double, Arch>::size) * 8, half = bytes / 2;
  typedef double wide __attribute__((vector_size(bytes)));
  typedef float narrow __attribute__((vector_size(half)));
};
/// A register of doubles made of any floating type.
template <class Arch>
struct WideLanes {
  using type = typename wide_registers<Arch>::wide;
  using narrow = typename wide_registers<Arch>::narrow;
  static constexpr int size = vec<double, Arch>::size;
  static type load(const double* p) {
    type v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
  static type load(const float* p) {
    narrow v;
    std::memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, type);
  }
  template <class H>
  static type load(const H* p) {
    type v{};
    for (int i = 0; i < size; ++i) v[i] = static_cast<double>(static_cast<float>(p[i]));
    return v;
  }
  /// The first `count` lanes; `rest` in the others.
  template <class T>
  static type load_partial(const T* p, int count, double rest) {
    type v{};
    for (int i = 0; i < size; ++i) v[i] = i < count ? static_cast<double>(p[i]) : rest;
    return v;
  }
};

/// The sums of `Out` terms per channel that `f(center, x, grad, terms)` makes of an element; `center` may be null.
template <class T, class Arch, std::size_t Out, class F>
class ChannelSums {
  using Wide = WideLanes<Arch>;
  using D = typename Wide::type;
  static constexpr int W = Wide::size, kLanes = 16, kVectors = kLanes / W;
  static constexpr std::int64_t kChunk = 1 << 14;

 public:
  ChannelSums(const ChannelCall& call, F f) : c_(call), f_(f) {}

  /// Channel by channel, by the lanes of a run.
  void run(const double* center, double* const (&to)[Out], std::int64_t c) const {
    const double middle = center ? center[c] : 0;
    D sum[Out][kVectors] = {};
    for (std::int64_t o = 0; o < c_.outer; ++o) {
      const T *x = at(c_.x) + (o * c_.channels + c) * c_.inner, *g = at(c_.grad);
      if (g) g += (o * c_.channels + c) * c_.inner;
      std::int64_t i = 0;
      for (; i + kLanes <= c_.inner; i += kLanes) {
#pragma GCC unroll 8
        for (int k = 0; k < kVectors; ++k)
          add(sum, k, middle, Wide::load(x + i + k * W), g ? Wide::load(g + i + k * W) : D{});
      }
#pragma GCC unroll 8
      for (int k = 0; k < kVectors; ++k, i += W) {
        if (i >= c_.inner) break;
        int left = static_cast<int>(c_.inner - i);
        if (left >= W)
          add(sum, k, middle, Wide::load(x + i), g ? Wide::load(g + i) : D{});
        else
          add(sum, k, middle, Wide::load_partial(x + i, left, middle), g ? Wide::load_partial(g + i, left, 0) : D{});
      }
    }
    for (std::size_t n = 0; n < Out; ++n) {
      double lane[kLanes];
      std::memcpy(lane, sum[n], sizeof lane);
      for (int width = kLanes / 2; width > 0; width /= 2)
        for (int k = 0; k < width; ++k) lane[k] += lane[k + width];
      to[n][c] = lane[0];
    }
  }
  /// All channels of rows of them, whose chunks are added in their order.
  void rows(const double* center, double* const (&to)[Out]) const {
    if (c_.channels == 0) return;
    const std::int64_t n = c_.channels, length = kChunk / n > 0 ? kChunk / n : 1,
                       chunks = (c_.outer + length - 1) / length, group = 8 + 1024 / n;
    std::vector<double> part(static_cast<std::size_t>(chunks * n) * Out);
    parallel_for(0, chunks, 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        std::int64_t from = i * length, end = from + length < c_.outer ? from + length : c_.outer;
        double* sums = part.data() + static_cast<std::size_t>(i * n) * Out;
        // A few rows side by side: down a column, each line of the cache would lie on a page of its own.
        for (std::int64_t step; from < end; from += step) {
          step = end - from < group ? end - from : group;
          std::int64_t j = 0;
          for (; j + 4 * W <= n; j += 4 * W) columns<4>(center, from, from + step, j, sums);
          for (; j + W <= n; j += W) columns<1>(center, from, from + step, j, sums);
          for (; j < n; ++j)
            for (std::int64_t r = from; r < from + step; ++r) {
              double term[Out];
              f_(center ? center[j] : 0, static_cast<double>(at(c_.x)[r * n + j]),
                 c_.grad ? static_cast<double>(at(c_.grad)[r * n + j]) : 0.0, term);
              for (std::size_t q = 0; q < Out; ++q) sums[static_cast<std::int64_t>(q) * n + j] += term[q];
            }
        }
      }
    });
    for (std::size_t q = 0; q < Out; ++q) {
      for (std::int64_t j = 0; j < n; ++j) to[q][j] = 0;
      for (std::int64_t i = 0; i < chunks; ++i) {
        const double* sums = part.data() + static_cast<std::size_t>(i * n) * Out + q * static_cast<std::size_t>(n);
        for (std::int64_t j = 0; j < n; ++j) to[q][j] += sums[j];
      }
    }
  }

 private:
  static const T* at(const void* p) { return static_cast<const T*>(p); }
  void add(D (&sum)[Out][kVectors], int k, double center, D x, D g) const {
    D term[Out];
    f_(center, x, g, term);
    for (std::size_t n = 0; n < Out; ++n) sum[n][k] += term[n];
  }
  template <int N>
  void columns(const double* center, std::int64_t from, std::int64_t end, std::int64_t j, double* sums) const {
    const std::int64_t n = c_.channels;
    D total[Out][N], middle[N] = {};
    for (std::size_t q = 0; q < Out; ++q)
      std::memcpy(total[q], sums + static_cast<std::int64_t>(q) * n + j, sizeof total[q]);
    if (center)
      for (int k = 0; k < N; ++k) middle[k] = Wide::load(center + j + k * W);
    for (std::int64_t r = from; r < end; ++r)
#pragma GCC unroll 4
      for (int k = 0; k < N; ++k) {
        std::int64_t place = r * n + j + k * W;
        D term[Out];
        f_(middle[k], Wide::load(at(c_.x) + place), c_.grad ? Wide::load(at(c_.grad) + place) : D{}, term);
        for (std::size_t q = 0; q < Out; ++q) total[q][k] += term[q];
      }
    for (std::size_t q = 0; q < Out; ++q)
      std::memcpy(sums + static_cast<std::int64_t>(q) * n + j, total[q], sizeof total[q]);
  }

  const ChannelCall& c_;
  const F f_;
};
/// Calls f(first, last) for channels, or for rows of them, as large as threads are worth.
template <class F>
void each_channel_range(const ChannelCall& c, F f) {
  std::int64_t count = c.outer * c.inner;
  parallel_for(0, c.channels, (1 << 14) / (count + 1) + 1, f);
}

template <class T, class Arch>
void channel_moments(const ChannelCall& c, double* mean, double* squares) {
  auto plain = [](auto, auto x, auto, auto* term) { term[0] = x; };
  auto about = [](auto center, auto x, auto, auto* term) { term[0] = (x - center) * (x - center); };
  const ChannelSums<T, Arch, 1, decltype(plain)> sum(c, plain);
  const ChannelSums<T, Arch, 1, decltype(about)> distance(c, about);
  const auto count = static_cast<double>(c.outer * c.inner);
  if (c.inner == 1) {
    sum.rows(nullptr, {mean});
    for (std::int64_t k = 0; k < c.channels; ++k) mean[k] /= count;
    return distance.rows(mean, {squares});
  }
  // A channel's second pass finds it in the cache.
  each_channel_range(c, [&](std::int64_t k, std::int64_t last) {
    for (; k < last; ++k) {
      sum.run(nullptr, {mean}, k);
      mean[k] /= count;
      distance.run(mean, {squares}, k);
    }
  });
}
template <class T, class Arch>
void channel_gradient_sums(const ChannelCall& c, const void* center, double* sums, double* products) {
  using C = compute_t<T>;
  auto both = [](auto m, auto x, auto g, auto* term) {
    term[0] = g;
    term[1] = g * (x - m);
  };
  const ChannelSums<T, Arch, 2, decltype(both)> sum(c, both);
  const std::vector<double> middle(static_cast<const C*>(center), static_cast<const C*>(center) + c.channels);
  if (c.inner == 1) return sum.rows(middle.data(), {sums, products});
  each_channel_range(c, [&](std::int64_t k, std::int64_t last) {
    for (; k < last; ++k) sum.run(middle.data(), {sums, products}, k);
  });
}

/// to = f(x, grad, numbers of the channel)
template <class T, class Arch, std::size_t N, class F>
void map_channels(const ChannelCall& c, const void* const (&numbers)[N], F f) {
  using C = compute_t<T>;
  using V = vec<C, Arch>;
  constexpr std::int64_t W = V::size;
  const T *x = static_cast<const T*>(c.x), *g = static_cast<const T*>(c.grad);
  T* to = static_cast<T*>(c.to);
  auto number = [&](std::size_t i) { return static_cast<const C*>(numbers[i]); };
  // What is not whole vectors goes one by one.
  auto stretch = [&](std::int64_t at, std::int64_t n, auto vectors, auto single) {
    std::int64_t i = 0;
    for (; i + W <= n; i += W) f(V::load(x + at + i), g ? V::load(g + at + i) : V(C(0)), vectors(i)).store(to + at + i);
    if (int rest = static_cast<int>(n - i))
      f(V::load_partial(x + at + i, rest), g ? V::load_partial(g + at + i, rest) : V(C(0)), single(i, rest))
          .store_partial(to + at + i, rest);
  };
  struct Numbers {
    V v[N];
  };
  if (c.inner == 1) {
    parallel_for(0, c.outer, (1 << 14) / (c.channels + 1) + 1, [&](std::int64_t o, std::int64_t last) {
      for (; o < last; ++o)
        stretch(
            o * c.channels, c.channels,
            [&](std::int64_t j) {
              Numbers p;
              for (std::size_t i = 0; i < N; ++i) p.v[i] = V::load(number(i) + j);
              return p;
            },
            [&](std::int64_t j, int rest) {
              Numbers p;
              for (std::size_t i = 0; i < N; ++i) p.v[i] = V::load_partial(number(i) + j, rest);
              return p;
            });
    });
    return;
  }
  parallel_for(0, c.outer * c.channels, (1 << 14) / (c.inner + 1) + 1, [&](std::int64_t r, std::int64_t last) {
    for (; r < last; ++r) {
      Numbers p;
      for (std::size_t i = 0; i < N; ++i) p.v[i] = number(i)[r % c.channels];
      stretch(
          r * c.inner, c.inner, [&](std::int64_t) { return p; }, [&](std::int64_t, int) { return p; });
    }
  });
}
template <class T, class Arch>
void scale_channels(const ChannelCall& c, const void* center, const void* factor, const void* add) {
  map_channels<T, Arch, 3>(c, {center, factor, add},
                           [](auto x, auto, const auto& p) { return (x - p.v[0]) * p.v[1] + p.v[2]; });
}
template <class T, class Arch>
void scale_channel_gradient(const ChannelCall& c, const void* center, const void* along, const void* about,
                            const void* factor) {
  map_channels<T, Arch, 4>(c, {center, along, about, factor},
                           [](auto x, auto g, const auto& p) { return (g - p.v[2] - (x - p.v[0]) * p.v[1]) * p.v[3]; });
}

template <class F>
void visit_channel_type(const ChannelCall& c, F f) {
  visit_floating_type(c.dtype, f, [&] { fail<TypeError>("batch_norm is not implemented for dtype ", c.dtype); });
}
template <class Arch>
struct channel_entries {
  static void moments(const ChannelCall& c, double* mean, double* squares) {
    visit_channel_type(c, [&]<class T>(type_tag<T>) { channel_moments<T, Arch>(c, mean, squares); });
  }
  static void scale(const ChannelCall& c, const void* center, const void* factor, const void* add) {
    visit_channel_type(c, [&]<class T>(type_tag<T>) { scale_channels<T, Arch>(c, center, factor, add); });
  }
  static void gradient_sums(const ChannelCall& c, const void* center, double* sums, double* products) {
    visit_channel_type(c, [&]<class T>(type_tag<T>) { channel_gradient_sums<T, Arch>(c, center, sums, products); });
  }
  static void scale_gradient(const ChannelCall& c, const void* center, const void* along, const void* about,
                             const void* factor) {
    visit_channel_type(c,
                       [&]<class T>(type_tag<T>) { scale_channel_gradient<T, Arch>(c, center, along, about, factor); });
  }
  static constexpr ChannelKernels value{&moments, &scale, &gradient_sums, &scale_gradient};
};

}  // namespace tenon::cpu::detail
