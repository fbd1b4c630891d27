// Means and squared deviations by chunks.
#pragma once

namespace tenon::cpu::detail {

/// Count, mean and sum of squared deviations.
template <class T>
struct Moments {
  T mean, m2;
  std::int64_t n;
};
template <class T>
Moments<T> join(Moments<T> a, Moments<T> b) {
  if (a.n == 0) return b;
  if (b.n == 0) return a;
  std::int64_t n = a.n + b.n;
  T delta = b.mean - a.mean, part = static_cast<T>(b.n) / static_cast<T>(n);
  return {a.mean + delta * part, a.m2 + b.m2 + delta * delta * (static_cast<T>(a.n) * part), n};
}
template <class T>
struct squares_op : sum_op<T> {
  T mean;
  template <class X>
  X map(X x) const {
    X d = x - X(mean);
    return d * d;
  }
};
template <class Arch, class T>
Moments<T> chunk_moments(const T* x, std::int64_t n) {
  alignas(64) T lanes[kLanes];
  std::int64_t used = n < kLanes ? n : kLanes;
  for (T& l : lanes) l = T(0);
  accumulate<Arch>(sum_op<T>{}, lanes, x, n);
  T mean = fold_lanes<Arch>(sum_op<T>{}, lanes, used) / static_cast<T>(n);
  for (T& l : lanes) l = T(0);
  squares_op<T> squares;
  squares.mean = mean;
  accumulate<Arch>(squares, lanes, x, n);
  return {mean, fold_lanes<Arch>(squares, lanes, used), n};
}
template <class T, class Arch, class Finish>
void moments(const Reduction& r, Finish& finish) {
  constexpr std::int64_t chunk = 4096, row_chunk = 32;
  ReduceGeometry<Arch> g(r);
  if (g.outputs == 0) return;
  if (g.rows()) {
    std::int64_t columns = g.kept.size[0], blocks = (columns + kColumns - 1) / kColumns, others = g.outputs / columns;
    parallel_for(0, others * blocks, kReduceGrain / (g.per_output * kColumns + 1) + 1,
                 [&](std::int64_t first, std::int64_t last) {
                   for (std::int64_t i = first; i < last; ++i) {
                     std::int64_t in, out, c0 = i % blocks * kColumns,
                                           width = columns - c0 < kColumns ? columns - c0 : kColumns;
                     locate<Arch>(g.kept, i / blocks * columns + c0, in, out);
                     alignas(64) T mean[kColumns] = {}, m2[kColumns] = {}, s[kColumns], q[kColumns];
                     for (std::int64_t from = 0; from < g.per_output; from += row_chunk) {
                       std::int64_t to = from + row_chunk < g.per_output ? from + row_chunk : g.per_output;
                       for (std::int64_t c = 0; c < width; ++c) s[c] = q[c] = T(0);
                       g.template row_block<T>(g.in + in, from, to, width,
                                               [&](const T* x, std::int64_t row, std::int64_t rows, std::int64_t w) {
                                                 accumulate_rows<Arch>(sum_op<T>{}, s, x, row, rows, w);
                                               });
                       for (std::int64_t c = 0; c < width; ++c) s[c] /= static_cast<T>(to - from);
                       g.template row_block<T>(g.in + in, from, to, width,
                                               [&](const T* x, std::int64_t row, std::int64_t rows, std::int64_t w) {
                                                 for (std::int64_t k = 0; k < rows; ++k, x += row)
                                                   for (std::int64_t c = 0; c < w; ++c) {
                                                     T d = x[c] - s[c];
                                                     q[c] += d * d;
                                                   }
                                               });
                       for (std::int64_t c = 0; c < width; ++c) {
                         Moments<T> all = join<T>({mean[c], m2[c], from}, {s[c], q[c], to - from});
                         mean[c] = all.mean;
                         m2[c] = all.m2;
                       }
                     }
                     for (std::int64_t c = 0; c < width; ++c)
                       finish(mean[c], m2[c], g.per_output, out + c * g.kept.out[0]);
                   }
                 });
    return;
  }
  std::int64_t chunks = (g.per_output + chunk - 1) / chunk;
  auto one = [&](const char* base, std::int64_t from) {
    std::int64_t to = from + chunk < g.per_output ? from + chunk : g.per_output;
    Moments<T> m{0, 0, 0};
    // Converted input arrives in blocks; each is a chunk of its own then.
    g.template elements<T>(base, from, to, [&](const T* x, std::int64_t n) { m = join(m, chunk_moments<Arch>(x, n)); });
    return m;
  };
  if (chunks <= 1) {
    parallel_for(0, g.outputs, kReduceGrain / (g.per_output + 1) + 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t o = first; o < last; ++o) {
        std::int64_t in, out;
        locate<Arch>(g.kept, o, in, out);
        Moments<T> m = g.per_output ? one(g.in + in, 0) : Moments<T>{0, 0, 0};
        finish(m.mean, m.m2, g.per_output, out);
      }
    });
    return;
  }
  std::vector<Moments<T>> partial(static_cast<std::size_t>(g.outputs * chunks));
  parallel_for(0, g.outputs * chunks, 8, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      std::int64_t in, out;
      locate<Arch>(g.kept, i / chunks, in, out);
      partial[static_cast<std::size_t>(i)] = one(g.in + in, i % chunks * chunk);
    }
  });
  for (std::int64_t o = 0; o < g.outputs; ++o) {
    std::int64_t in, out;
    locate<Arch>(g.kept, o, in, out);
    Moments<T>* p = &partial[static_cast<std::size_t>(o * chunks)];
    for (std::int64_t count = chunks; count > 1; count = (count + 1) / 2) {
      for (std::int64_t i = 0; 2 * i + 1 < count; ++i) p[i] = join(p[2 * i], p[2 * i + 1]);
      if (count % 2) p[count / 2] = p[count - 1];
    }
    finish(p[0].mean, p[0].m2, g.per_output, out);
  }
}

}  // namespace tenon::cpu::detail
