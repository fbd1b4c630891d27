// Extremes with the index of their first place.
#pragma once

namespace tenon::cpu::detail {

template <class T, bool Greater>
bool better(T a, T b) {
  if (b != b) return false;  // the first NaN stays
  return a != a || (Greater ? a > b : a < b);
}
/// An extreme and where it is first among the elements of one output.
template <class T>
struct FirstPlace {
  T value{};
  std::int64_t index = 0;
};
inline constexpr std::int64_t kArgChunk = std::int64_t{1} << 16;  // elements that one thread searches at once

/// Of elements [first, last), one at least.
template <class T, class Arch, bool Greater>
FirstPlace<T> find_first(const ReduceGeometry<Arch>& g, const char* base, std::int64_t first, std::int64_t last) {
  using Op = std::conditional_t<Greater, max_op<T>, min_op<T>>;
  FirstPlace<T> best;
  std::int64_t seen = first;
  constexpr std::int64_t block = 4096;
  const bool far = g.outputs * g.per_output >= kFarElements && fetches_ahead();
  // Blocks whose extreme does not beat the best so far are not searched.
  g.template elements<T>(base, first, last, [&](const T* x, std::int64_t n) {
    for (std::int64_t at = 0; at < n; at += block) {
      std::int64_t m = n - at < block ? n - at : block;
      alignas(64) T lanes[kLanes];
      for (T& l : lanes) l = Op::identity();
      constexpr std::int64_t ahead = 512;
      for (std::int64_t part = 0; part < m; part += ahead) {
        if (far)
          for (std::int64_t b = 0; b < ahead; b += static_cast<std::int64_t>(64 / sizeof(T)))
            __builtin_prefetch(x + at + part + ahead + b);
        accumulate<Arch>(Op{}, lanes, x + at + part, m - part < ahead ? m - part : ahead);
      }
      T top = fold_lanes<Arch>(Op{}, lanes, m < kLanes ? m : kLanes);
      if (seen == first || better<T, Greater>(top, best.value)) {
        std::int64_t i = 0;
        while (i + 1 < m && !(x[at + i] == top || (top != top && x[at + i] != x[at + i]))) ++i;
        best = {x[at + i], seen + i};
      }
      seen += m;
    }
  });
  return best;
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
  auto each = [&](std::int64_t o, auto find) {
    std::int64_t in, out;
    locate<Arch>(g.kept, o, in, out);
    FirstPlace<T> found = find(g.in + in);
    indices[out] = found.index;
    if (values) values[out] = found.value;
  };
  std::int64_t chunks = (g.per_output + kArgChunk - 1) / kArgChunk;
  if (g.outputs < 4 && chunks > 1) {
    // The first of the best of all chunks is the first of all.
    std::vector<FirstPlace<T>> found(static_cast<std::size_t>(chunks));
    for (std::int64_t o = 0; o < g.outputs; ++o)
      each(o, [&](const char* base) {
        parallel_for(0, chunks, 1, [&](std::int64_t first, std::int64_t last) {
          for (std::int64_t c = first; c < last; ++c) {
            std::int64_t from = c * kArgChunk, to = from + kArgChunk < g.per_output ? from + kArgChunk : g.per_output;
            found[static_cast<std::size_t>(c)] = find_first<T, Arch, Greater>(g, base, from, to);
          }
        });
        FirstPlace<T> best = found[0];
        for (const FirstPlace<T>& next : found)
          if (better<T, Greater>(next.value, best.value)) best = next;
        return best;
      });
    return;
  }
  parallel_for(0, g.outputs, kReduceGrain / (g.per_output + 1) + 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t o = first; o < last; ++o)
      each(o, [&](const char* base) { return find_first<T, Arch, Greater>(g, base, 0, g.per_output); });
  });
}

}  // namespace tenon::cpu::detail
