// Virtual lanes, chunks and trees of reductions.
#pragma once

namespace tenon::cpu::detail {

/// Element i of a chunk belongs to lane i mod 64 whatever the vector width; lanes and chunks meet in fixed binary trees.
inline constexpr std::int64_t kLanes = 64, kChunk = 16384, kRowChunk = 1024, kColumns = 128;
/// Elements that one thread should have to do.
inline constexpr std::int64_t kReduceGrain = 32768;

template <class T>
inline constexpr bool lanes_in_vectors = std::is_floating_point_v<T>;

/// lanes[i mod 64] = combine(lanes[i mod 64], map(x[i])).
template <class Arch, class Op, class T>
void accumulate(const Op& op, T* lanes, const T* x, std::int64_t n) {
  std::int64_t i = 0;
  if constexpr (lanes_in_vectors<T>) {
    using V = vec<T, Arch>;
    constexpr int W = V::size, K = static_cast<int>(kLanes) / W;
    if (n >= kLanes) {
      if constexpr (K <= 8) {
        V acc[K];
        for (int k = 0; k < K; ++k) acc[k] = V::load(lanes + k * W);
        for (; i + kLanes <= n; i += kLanes)
          for (int k = 0; k < K; ++k) acc[k] = op.combine(acc[k], op.map(V::load(x + i + k * W)));
        for (int k = 0; k < K; ++k) acc[k].store(lanes + k * W);
      } else {
        // More lanes than registers: a group of lanes at a time over a stretch that stays in the L1 cache.
        constexpr int G = 8;
        for (std::int64_t from = 0; from + kLanes <= n;) {
          std::int64_t to = from + 2048 <= n ? from + 2048 : n - (n - from) % kLanes;
          for (int g = 0; g < K; g += G) {
            V acc[G];
            for (int k = 0; k < G; ++k) acc[k] = V::load(lanes + (g + k) * W);
            for (std::int64_t j = from; j < to; j += kLanes)
              for (int k = 0; k < G; ++k) acc[k] = op.combine(acc[k], op.map(V::load(x + j + (g + k) * W)));
            for (int k = 0; k < G; ++k) acc[k].store(lanes + (g + k) * W);
          }
          from = i = to;
        }
      }
    }
    T* lane = lanes;
    for (; i + W <= n; i += W, lane += W) op.combine(V::load(lane), op.map(V::load(x + i))).store(lane);
    // Through vectors too: a scalar function may round otherwise.
    if (int rest = static_cast<int>(n - i))
      op.combine(V::load(lane), op.map(V::load_partial(x + i, rest))).store_partial(lane, rest);
  } else {
    for (; i + kLanes <= n; i += kLanes)
      for (int l = 0; l < kLanes; ++l) lanes[l] = static_cast<T>(op.combine(lanes[l], op.map(x[i + l])));
    for (int l = 0; i < n; ++i, ++l) lanes[l] = static_cast<T>(op.combine(lanes[l], op.map(x[i])));
  }
}
/// The lanes of n elements as one value; levels of the tree without a second operand are left out.
template <class Arch, class Op, class T>
T fold_lanes(const Op& op, T* lanes, std::int64_t n) {
  for (std::int64_t width = kLanes / 2; width > 0; width /= 2) {
    if (width >= n) continue;
    for (std::int64_t l = 0; l < width; ++l) lanes[l] = static_cast<T>(op.combine(lanes[l], lanes[l + width]));
  }
  return n > 0 ? lanes[0] : Op::identity();
}
/// A list of partial results as one, by a binary tree of neighbours; `step` is the distance of two of them.
template <class Arch, class Op, class T>
T fold_tree(const Op& op, T* p, std::int64_t count, std::int64_t step = 1) {
  for (; count > 1; count = (count + 1) / 2) {
    for (std::int64_t i = 0; 2 * i + 1 < count; ++i) p[i * step] = static_cast<T>(op.combine(p[2 * i * step], p[(2 * i + 1) * step]));
    if (count % 2) p[count / 2 * step] = p[(count - 1) * step];
  }
  return p[0];
}

/// a[c] = combine(a[c], x of every row): rows in eights by a tree, so that few sums pass through memory.
template <class Arch, class Op, class T>
void accumulate_rows(const Op& op, T* a, const T* x, std::int64_t row, std::int64_t rows, std::int64_t columns) {
  std::int64_t r = 0;
  if constexpr (lanes_in_vectors<T>) {
    using V = vec<T, Arch>;
    constexpr int W = V::size;
    auto column = [&](const T* p, V sum, int count, auto load) {
      V v[8];
      for (int k = 0; k < count; ++k) v[k] = op.map(load(p + k * row));
      if (count == 8) {
        v[0] = op.combine(op.combine(op.combine(v[0], v[1]), op.combine(v[2], v[3])),
                          op.combine(op.combine(v[4], v[5]), op.combine(v[6], v[7])));
        return op.combine(sum, v[0]);
      }
      for (int k = 0; k < count; ++k) sum = op.combine(sum, v[k]);
      return sum;
    };
    auto full = [](const T* p) { return V::load(p); };
    while (r < rows) {
      int count = rows - r < 8 ? static_cast<int>(rows - r) : 8;
      const T* p = x + r * row;
      std::int64_t c = 0;
      if (count == 8)
        for (; c + W <= columns; c += W) column(p + c, V::load(a + c), 8, full).store(a + c);
      else
        for (; c + W <= columns; c += W) column(p + c, V::load(a + c), count, full).store(a + c);
      if (int rest = static_cast<int>(columns - c)) {
        auto part = [rest](const T* q) { return V::load_partial(q, rest); };
        column(p + c, V::load_partial(a + c, rest), count, part).store_partial(a + c, rest);
      }
      r += count;
    }
  } else {
    for (; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) a[c] = static_cast<T>(op.combine(a[c], op.map(x[r * row + c])));
  }
}

/// Dimensions of a reduction by increasing input step, neighbours merged.
struct ReduceDims {
  int count = 0;
  std::int64_t size[kMaxDims], in[kMaxDims], out[kMaxDims];  // steps in bytes; `out` counts elements

  std::int64_t total() const {
    std::int64_t n = 1;
    for (int d = 0; d < count; ++d) n *= size[d];
    return n;
  }
};
template <class Arch>
void add_reduce_dim(ReduceDims& list, std::int64_t size, std::int64_t in, std::int64_t out) {
  int at = list.count++;
  for (; at > 0 && list.in[at - 1] > in; --at) {
    list.size[at] = list.size[at - 1];
    list.in[at] = list.in[at - 1];
    list.out[at] = list.out[at - 1];
  }
  list.size[at] = size;
  list.in[at] = in;
  list.out[at] = out;
}
template <class Arch>
void merge_reduce_dims(ReduceDims& list) {
  int n = 0;
  for (int d = 0; d < list.count; ++d) {
    if (n > 0 && list.in[n - 1] * list.size[n - 1] == list.in[d] && list.out[n - 1] * list.size[n - 1] == list.out[d]) {
      list.size[n - 1] *= list.size[d];
      continue;
    }
    list.size[n] = list.size[d];
    list.in[n] = list.in[d];
    list.out[n] = list.out[d];
    ++n;
  }
  list.count = n;
}
/// Byte offset of the input and element offset of the output at a flat index.
template <class Arch>
void locate(const ReduceDims& list, std::int64_t index, std::int64_t& in, std::int64_t& out) {
  in = out = 0;
  for (int d = 0; d < list.count; ++d) {
    std::int64_t i = d + 1 == list.count ? index : index % list.size[d];
    in += i * list.in[d];
    out += i * list.out[d];
    index /= list.size[d];
  }
}

/// The geometry shared by all reductions of a call.
template <class Arch>
struct ReduceGeometry {
  ReduceDims kept, reduced;
  const char* in;
  ScalarType in_type;
  std::int64_t item, outputs, per_output;

  explicit ReduceGeometry(const Reduction& r) : in(static_cast<const char*>(r.in)), in_type(r.in_type), item(static_cast<std::int64_t>(item_size(r.in_type))) {
    for (int d = 0; d < r.dims; ++d) {
      if (r.sizes[d] == 1) continue;
      if (r.reduced >> d & 1) add_reduce_dim<Arch>(reduced, r.sizes[d], r.strides[d] * item, 0);
      else add_reduce_dim<Arch>(kept, r.sizes[d], r.strides[d] * item, r.out_strides[d]);
    }
    merge_reduce_dims<Arch>(kept);
    merge_reduce_dims<Arch>(reduced);
    outputs = kept.total();
    per_output = reduced.total();
  }
  bool inner() const { return reduced.count > 0 && (reduced.in[0] == item || (kept.count == 0)); }
  /// Whether kept elements follow each other in memory while reduced ones do not.
  bool rows() const { return !inner() && kept.count > 0 && kept.in[0] == item && kept.size[0] >= 16; }

  /// Calls f(pointer, m) on T values [first, last) of the elements reduced into one output: in place, or converted in
  /// blocks whose length is a multiple of the lanes.
  template <class T, class F>
  void elements(const char* base, std::int64_t first, std::int64_t last, F f) const {
    if (reduced.count <= 1 && in_type == scalar_type_v<T> && (reduced.count == 0 || reduced.in[0] == item))
      return f(reinterpret_cast<const T*>(base) + first, last - first);
    constexpr std::int64_t block = 1024;
    alignas(64) T staged[block];
    while (first < last) {
      std::int64_t want = last - first < block ? last - first : block, have = 0;
      while (have < want) {
        std::int64_t in_offset, unused;
        locate<Arch>(reduced, first + have, in_offset, unused);
        std::int64_t line = want - have, step = 0;
        if (reduced.count > 0) {
          std::int64_t left = reduced.size[0] - (reduced.count == 1 ? first + have : (first + have) % reduced.size[0]);
          if (line > left) line = left;
          step = reduced.in[0];
        }
        convert<Arch>(staged + have, scalar_type_v<T>, sizeof(T), base + in_offset, in_type, step, line);
        have += line;
      }
      f(static_cast<const T*>(staged), want);
      first += want;
    }
  }
  /// Calls f(x, row step in elements, rows, columns) on T values of a block of reduced rows [first, last) at `base`.
  template <class T, class F>
  void row_block(const char* base, std::int64_t first, std::int64_t last, std::int64_t columns, F f) const {
    bool direct = in_type == scalar_type_v<T>;
    alignas(64) T staged[8 * kColumns];
    for (std::int64_t r = first; r < last;) {
      std::int64_t offset, unused;
      locate<Arch>(reduced, r, offset, unused);
      std::int64_t line = last - r, step = 0;
      if (reduced.count > 0) {
        std::int64_t left = reduced.size[0] - r % reduced.size[0];
        if (line > left) line = left;
        step = reduced.in[0];
      }
      if (direct && step % static_cast<std::int64_t>(sizeof(T)) == 0) {
        f(reinterpret_cast<const T*>(base + offset), step / static_cast<std::int64_t>(sizeof(T)), line, columns);
      } else {
        if (line > 8) line = 8;
        for (std::int64_t k = 0; k < line; ++k)
          convert<Arch>(staged + k * kColumns, scalar_type_v<T>, sizeof(T), base + offset + k * step, in_type, item, columns);
        f(static_cast<const T*>(staged), kColumns, line, columns);
      }
      r += line;
    }
  }
};

template <class Arch, class Op>
struct Reducer {
  using T = typename Op::value_type;
  const Reduction& r;
  const Op& op;
  ReduceGeometry<Arch> g;
  std::int64_t out_item;

  Reducer(const Reduction& reduction, const Op& o) : r(reduction), op(o), g(reduction), out_item(static_cast<std::int64_t>(item_size(reduction.out_type))) {}

  void store(std::int64_t place, T total) const {
    auto value = op.finish(total, g.per_output);
    constexpr ScalarType type = scalar_type_v<decltype(value)>;
    char* to = static_cast<char*>(r.out) + place * out_item;
    if (r.out_type == type) *reinterpret_cast<decltype(value)*>(to) = value;
    else convert<Arch>(to, r.out_type, 0, &value, type, 0, 1);
  }
  void run() const {
    if (g.outputs == 0) return;
    if (g.rows()) return by_rows();
    std::int64_t chunks = (g.per_output + kChunk - 1) / kChunk;
    if (chunks <= 1) {
      parallel_for(0, g.outputs, kReduceGrain / (g.per_output + 1) + 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t o = first; o < last; ++o) {
          std::int64_t in, out;
          locate<Arch>(g.kept, o, in, out);
          store(out, chunk(g.in + in, 0, g.per_output));
        }
      });
      return;
    }
    std::vector<T_slot> partial(static_cast<std::size_t>(g.outputs * chunks));
    parallel_for(0, g.outputs * chunks, 2, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        std::int64_t in, out, c = i % chunks, from = c * kChunk;
        locate<Arch>(g.kept, i / chunks, in, out);
        partial[static_cast<std::size_t>(i)].value = chunk(g.in + in, from, from + kChunk < g.per_output ? from + kChunk : g.per_output);
      }
    });
    for (std::int64_t o = 0; o < g.outputs; ++o) {
      std::int64_t in, out;
      locate<Arch>(g.kept, o, in, out);
      store(out, fold_tree<Arch>(op, &partial[static_cast<std::size_t>(o * chunks)].value, chunks));
    }
  }

 private:
  struct T_slot { T value; };  // no vector<bool>

  T chunk(const char* base, std::int64_t first, std::int64_t last) const {
    alignas(64) T lanes[kLanes];
    std::int64_t used = last - first < kLanes ? last - first : kLanes;
    // Small rows touch only the lanes they fill, rounded up to whole vectors.
    std::int64_t fill = used + 15 < kLanes ? (used + 15) / 16 * 16 : kLanes;
    for (std::int64_t l = 0; l < fill; ++l) lanes[l] = Op::identity();
    g.template elements<T>(base, first, last, [&](const T* x, std::int64_t n) { accumulate<Arch>(op, lanes, x, n); });
    return fold_lanes<Arch>(op, lanes, used);
  }

  /// Kept dimension 0 is contiguous: whole rows are added, in blocks of columns that stay in the L1 cache.
  void by_rows() const {
    std::int64_t columns = g.kept.size[0], blocks = (columns + kColumns - 1) / kColumns;
    ReduceDims outer = g.kept;
    for (int d = 1; d < outer.count; ++d) {
      outer.size[d - 1] = outer.size[d];
      outer.in[d - 1] = outer.in[d];
      outer.out[d - 1] = outer.out[d];
    }
    --outer.count;
    std::int64_t groups = outer.total() * blocks, chunks = (g.per_output + kRowChunk - 1) / kRowChunk;
    if (chunks < 1) chunks = 1;
    auto place = [&](std::int64_t group, std::int64_t& in, std::int64_t& out, std::int64_t& width) {
      locate<Arch>(outer, group / blocks, in, out);
      std::int64_t c = group % blocks * kColumns;
      in += c * g.item;
      out += c * g.kept.out[0];
      width = columns - c < kColumns ? columns - c : kColumns;
    };
    auto one = [&](std::int64_t group, std::int64_t k, T* a) {
      std::int64_t in, out, width, from = k * kRowChunk, to = from + kRowChunk < g.per_output ? from + kRowChunk : g.per_output;
      place(group, in, out, width);
      for (std::int64_t c = 0; c < width; ++c) a[c] = Op::identity();
      g.template row_block<T>(g.in + in, from, to, width, [&](const T* x, std::int64_t row, std::int64_t rows, std::int64_t w) {
        accumulate_rows<Arch>(op, a, x, row, rows, w);
      });
    };
    auto finish = [&](std::int64_t group, const T* a) {
      std::int64_t in, out, width;
      place(group, in, out, width);
      for (std::int64_t c = 0; c < width; ++c) store(out + c * g.kept.out[0], a[c]);
    };
    std::int64_t work = kReduceGrain / ((chunks == 1 ? g.per_output : kRowChunk) * (columns < kColumns ? columns : kColumns) + 1) + 1;
    if (chunks == 1) {
      parallel_for(0, groups, work, [&](std::int64_t first, std::int64_t last) {
        alignas(64) T a[kColumns];
        for (std::int64_t i = first; i < last; ++i) {
          one(i, 0, a);
          finish(i, a);
        }
      });
      return;
    }
    std::vector<T_slot> partial(static_cast<std::size_t>(groups * chunks * kColumns));
    parallel_for(0, groups * chunks, work, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) one(i / chunks, i % chunks, &partial[static_cast<std::size_t>(i * kColumns)].value);
    });
    parallel_for(0, groups, 16, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        T* p = &partial[static_cast<std::size_t>(i * chunks * kColumns)].value;
        for (std::int64_t count = chunks; count > 1; count = (count + 1) / 2) {
          for (std::int64_t k = 0; 2 * k + 1 < count; ++k)
            for (std::int64_t c = 0; c < kColumns; ++c)
              p[k * kColumns + c] = static_cast<T>(op.combine(p[2 * k * kColumns + c], p[(2 * k + 1) * kColumns + c]));
          if (count % 2 && count > 1)
            for (std::int64_t c = 0; c < kColumns; ++c) p[count / 2 * kColumns + c] = p[(count - 1) * kColumns + c];
        }
        finish(i, p);
      }
    });
  }
};

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
    parallel_for(0, others * blocks, kReduceGrain / (g.per_output * kColumns + 1) + 1, [&](std::int64_t first, std::int64_t last) {
      alignas(64) T best[kColumns];
      alignas(64) std::int64_t where[kColumns];
      for (std::int64_t i = first; i < last; ++i) {
        std::int64_t in, out, c0 = i % blocks * kColumns, width = columns - c0 < kColumns ? columns - c0 : kColumns, row_index = 0;
        locate<Arch>(g.kept, i / blocks * columns + c0, in, out);
        g.template row_block<T>(g.in + in, 0, g.per_output, width, [&](const T* x, std::int64_t row, std::int64_t rows, std::int64_t w) {
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
  X map(X x) const { X d = x - X(mean); return d * d; }
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
  constexpr std::int64_t chunk = 4096, row_chunk = 64;
  ReduceGeometry<Arch> g(r);
  if (g.outputs == 0) return;
  if (g.rows()) {
    std::int64_t columns = g.kept.size[0], blocks = (columns + kColumns - 1) / kColumns, others = g.outputs / columns;
    parallel_for(0, others * blocks, kReduceGrain / (g.per_output * kColumns + 1) + 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        std::int64_t in, out, c0 = i % blocks * kColumns, width = columns - c0 < kColumns ? columns - c0 : kColumns;
        locate<Arch>(g.kept, i / blocks * columns + c0, in, out);
        alignas(64) T mean[kColumns] = {}, m2[kColumns] = {}, s[kColumns], q[kColumns];
        for (std::int64_t from = 0; from < g.per_output; from += row_chunk) {
          std::int64_t to = from + row_chunk < g.per_output ? from + row_chunk : g.per_output;
          for (std::int64_t c = 0; c < width; ++c) s[c] = q[c] = T(0);
          g.template row_block<T>(g.in + in, from, to, width, [&](const T* x, std::int64_t row, std::int64_t rows, std::int64_t w) {
            accumulate_rows<Arch>(sum_op<T>{}, s, x, row, rows, w);
          });
          for (std::int64_t c = 0; c < width; ++c) s[c] /= static_cast<T>(to - from);
          g.template row_block<T>(g.in + in, from, to, width, [&](const T* x, std::int64_t row, std::int64_t rows, std::int64_t w) {
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
        for (std::int64_t c = 0; c < width; ++c) finish(mean[c], m2[c], g.per_output, out + c * g.kept.out[0]);
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
