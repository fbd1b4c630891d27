// Extremes with the index of their first place.
#pragma once

namespace tenon::cpu::detail {

template <class T, bool Greater>
bool better(T a, T b) {
  if (b != b) return false;  // the first NaN stays
  return a != a || (Greater ? a > b : a < b);
}
template <class T, class Arch, bool Greater>
void arg_reduce(const Reduction& r, T* values, std::int64_t* indices) {
  ReduceGeometry<Arch> g(r);
  if (g.outputs == 0) return;
  if (g.rows()) {
    std::int64_t columns = g.kept.size[0], blocks = (columns + kColumns - 1) / kColumns;
    std::int64_t others = g.outputs / columns;
    parallel_for(0, others * blocks, kReduceGrain / (g.per_output * kColumns + 1) + 1,
                 [&](std::int64_t first, std::int64_t last) {
                   alignas(64) T best[kColumns];
                   alignas(64) std::int64_t where[kColumns];
                   for (std::int64_t i = first; i < last; ++i) {
                     std::int64_t in, out, c0 = i % blocks * kColumns,
                                           width = columns - c0 < kColumns ? columns - c0 : kColumns, row_index = 0;
                     locate<Arch>(g.kept, i / blocks * columns + c0, in, out);
                     g.template row_block<T>(g.in + in, 0, g.per_output, width,
                                             [&](const T* x, std::int64_t row, std::int64_t rows, std::int64_t w) {
                                               for (std::int64_t k = 0; k < rows; ++k, ++row_index, x += row) {
                                                 if (row_index == 0) {
                                                   for (std::int64_t c = 0; c < w; ++c) best[c] = x[c], where[c] = 0;
                                                   continue;
                                                 }
                                                 for (std::int64_t c = 0; c < w; ++c) {
                                                   bool take = better<T, Greater>(x[c], best[c]);
                                                   best[c] = take ? x[c] : best[c];
                                                   where[c] = take ? row_index : where[c];
                                                 }
                                               }
                                             });
                     for (std::int64_t c = 0; c < width; ++c) {
                       indices[out + c * g.kept.out[0]] = where[c];
                       if (values) values[out + c * g.kept.out[0]] = best[c];
                     }
                   }
                 });
    return;
  }
  using Op = std::conditional_t<Greater, max_op<T>, min_op<T>>;
  parallel_for(0, g.outputs, kReduceGrain / (g.per_output + 1) + 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t o = first; o < last; ++o) {
      std::int64_t in, out, seen = 0, where = 0;
      T best{};
      locate<Arch>(g.kept, o, in, out);
      // Blocks whose extreme does not beat the best so far are not searched.
      g.template elements<T>(g.in + in, 0, g.per_output, [&](const T* x, std::int64_t n) {
        for (std::int64_t at = 0; at < n; at += 1024) {
          std::int64_t m = n - at < 1024 ? n - at : 1024;
          alignas(64) T lanes[kLanes];
          for (T& l : lanes) l = Op::identity();
          accumulate<Arch>(Op{}, lanes, x + at, m);
          T top = fold_lanes<Arch>(Op{}, lanes, m < kLanes ? m : kLanes);
          if (seen == 0 || better<T, Greater>(top, best)) {
            std::int64_t i = 0;
            while (i + 1 < m && !(x[at + i] == top || (top != top && x[at + i] != x[at + i]))) ++i;
            best = x[at + i];
            where = seen + i;
          }
          seen += m;
        }
      });
      indices[out] = where;
      if (values) values[out] = best;
    }
  });
}

}  // namespace tenon::cpu::detail
