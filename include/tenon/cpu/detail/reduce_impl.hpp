// Reductions along contiguous elements and by whole rows.
#pragma once

namespace tenon::cpu::detail {

/// Small rows touch only the lanes that their vectors and their tree read.
template <class Arch>
std::int64_t lanes_touched(std::int64_t used) {
  return used <= 16 ? 16 : used <= 32 ? 32 : kLanes;
}

/// Writes what n elements come to, converted to the dtype of the result.
template <class Arch, class Op, class T>
void store_reduced(const Reduction& r, const Op& op, char* to, T total, std::int64_t n) {
  auto value = op.finish(total, n);
  constexpr ScalarType type = scalar_type_v<decltype(value)>;
  if (r.out_type == type)
    *reinterpret_cast<decltype(value)*>(to) = value;
  else
    convert<Arch>(to, r.out_type, 0, &value, type, 0, 1);
}

/// A block of elements that follow each other, as the general way below would reduce them.
template <class Arch, class Op>
void reduce_run(const Reduction& r, const Op& op, std::int64_t n) {
  using T = typename Op::value_type;
  alignas(64) T lanes[kLanes];
  std::int64_t used = n < kLanes ? n : kLanes, fill = lanes_touched<Arch>(used);
  for (std::int64_t l = 0; l < fill; ++l) lanes[l] = Op::identity();
  accumulate<Arch>(op, lanes, static_cast<const T*>(r.in), n);
  store_reduced<Arch>(r, op, static_cast<char*>(r.out), fold_lanes<Arch>(op, lanes, used), n);
}

template <class Arch, class Op>
struct Reducer {
  using T = typename Op::value_type;
  const Reduction& r;
  const Op& op;
  ReduceGeometry<Arch> g;
  std::int64_t out_item;

  Reducer(const Reduction& reduction, const Op& o)
      : r(reduction), op(o), g(reduction), out_item(static_cast<std::int64_t>(item_size(reduction.out_type))) {}

  void store(std::int64_t place, T total) const {
    store_reduced<Arch>(r, op, static_cast<char*>(r.out) + place * out_item, total, g.per_output);
  }
  void run() const {
    if (g.outputs == 0) return;
    if (g.rows()) return by_rows();
    std::int64_t chunks = (g.per_output + kChunk - 1) / kChunk;
    if constexpr (lanes_in_vectors<T>)
      if (g.template short_runs<T>() && g.outputs >= vec<T, Arch>::size) return by_turned_runs();
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
        partial[static_cast<std::size_t>(i)].value =
            chunk(g.in + in, from, from + kChunk < g.per_output ? from + kChunk : g.per_output);
      }
    });
    for (std::int64_t o = 0; o < g.outputs; ++o) {
      std::int64_t in, out;
      locate<Arch>(g.kept, o, in, out);
      store(out, fold_tree<Arch>(op, &partial[static_cast<std::size_t>(o * chunks)].value, chunks));
    }
  }

 private:
  struct T_slot {
    T value;
  };  // no vector<bool>

  /// Many short runs: a vector's worth of them is turned over, so that one vector holds one lane of every run. The
  /// same operations in the same order as `chunk`, so the remaining runs may go there.
  void by_turned_runs() const {
    using V = vec<T, Arch>;
    using U = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr std::int64_t W = V::size;
    std::int64_t n = g.per_output, fill = lanes_touched<Arch>(n), step = g.kept.in[0] / g.item, groups = g.outputs / W;
    parallel_for(0, groups, kReduceGrain / (n * W) + 1, [&](std::int64_t first, std::int64_t last) {
      alignas(64) T lane[kLanes * W], results[W];
      const V identity = Op::identity();
      for (std::int64_t i = first; i < last; ++i) {
        const T* x = reinterpret_cast<const T*>(g.in) + i * W * step;
        auto turn = [&](const T* from, std::int64_t from_row, std::int64_t rows) {
          transpose_tile<Arch>(reinterpret_cast<U*>(lane), W, reinterpret_cast<const U*>(from), from_row, rows, W);
        };
        // Runs of several vectors that registers hold come as the one vector that they fold to.
        const bool held =
            n > W && in_registers<Arch, T, 2>(n, [&](auto row) {
              alignas(64) T folded[W * W];
              for (std::int64_t k = 0; k < W; ++k) {
                auto elements = row.load(x + k * step);
                row.folded(op, row.map([&](V a, V) { return op.map(a); }, elements, elements)).store(folded + k * W);
              }
              turn(folded, W, W);
            });
        if (!held) {
          turn(x, step, n);
          for (std::int64_t l = 0; l < n; ++l) op.combine(identity, op.map(V::load(lane + l * W))).store(lane + l * W);
          for (std::int64_t l = n; l < fill; ++l) identity.store(lane + l * W);
        }
        for (std::int64_t width = held ? W / 2 : kLanes / 2; width > 0; width /= 2)
          if (width < n)
            for (std::int64_t l = 0; l < width; ++l)
              op.combine(V::load(lane + l * W), V::load(lane + (l + width) * W)).store(lane + l * W);
        V::load(lane).store(results);
        for (std::int64_t k = 0; k < W; ++k) store((i * W + k) * g.kept.out[0], results[k]);
      }
    });
    for (std::int64_t o = groups * W; o < g.outputs; ++o)
      store(o * g.kept.out[0], chunk(g.in + o * g.kept.in[0], 0, n));
  }

  T chunk(const char* base, std::int64_t first, std::int64_t last) const {
    alignas(64) T lanes[kLanes];
    std::int64_t used = last - first < kLanes ? last - first : kLanes, fill = lanes_touched<Arch>(used);
    for (std::int64_t l = 0; l < fill; ++l) lanes[l] = Op::identity();
    // Beyond the caches, what follows is fetched while a stretch is added, far enough ahead to keep the memory busy;
    // stretches are whole rounds of the lanes. Several threads take all that the memory gives anyway: fetching ahead
    // then costs them up to a third.
    constexpr std::int64_t kStretch = 512, kAhead = static_cast<std::int64_t>(65536 / sizeof(T));
    constexpr bool by_blocks = lanes_in_vectors<T>;
    alignas(64) [[maybe_unused]] T blocks[by_blocks ? kLanes : 1];
    [[maybe_unused]] bool emptied = false;
    std::int64_t left = kBlock;  // of the block
    const bool far = g.outputs * g.per_output >= kFarElements && !in_parallel_region() && fetches_ahead();
    g.template elements<T>(base, first, last, [&](const T* x, std::int64_t n) {
      for (std::int64_t at = 0; at < n;) {
        std::int64_t m = far && n - at > kStretch ? kStretch : n - at;
        if constexpr (by_blocks) {
          if (left == 0) {
            move_lanes<Arch>(op, blocks, lanes, emptied);
            emptied = true;
            left = kBlock;
          }
          if (m > left) m = left;
          left -= m;
        }
        if (far)
          for (std::int64_t b = 0; b < m; b += static_cast<std::int64_t>(64 / sizeof(T)))
            __builtin_prefetch(x + at + kAhead + b);
        accumulate<Arch>(op, lanes, x + at, m);
        at += m;
      }
    });
    if constexpr (by_blocks)
      if (emptied) {
        move_lanes<Arch>(op, blocks, lanes, true);
        return fold_lanes<Arch>(op, blocks, used);
      }
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
      std::int64_t in, out, width, from = k * kRowChunk,
                                   to = from + kRowChunk < g.per_output ? from + kRowChunk : g.per_output;
      place(group, in, out, width);
      for (std::int64_t c = 0; c < width; ++c) a[c] = Op::identity();
      g.template row_block<T>(g.in + in, from, to, width,
                              [&](const T* x, std::int64_t row, std::int64_t rows, std::int64_t w) {
                                accumulate_rows<Arch>(op, a, x, row, rows, w);
                              });
    };
    auto finish = [&](std::int64_t group, const T* a) {
      std::int64_t in, out, width;
      place(group, in, out, width);
      for (std::int64_t c = 0; c < width; ++c) store(out + c * g.kept.out[0], a[c]);
    };
    std::int64_t work =
        kReduceGrain / ((chunks == 1 ? g.per_output : kRowChunk) * (columns < kColumns ? columns : kColumns) + 1) + 1;
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
      for (std::int64_t i = first; i < last; ++i)
        one(i / chunks, i % chunks, &partial[static_cast<std::size_t>(i * kColumns)].value);
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

}  // namespace tenon::cpu::detail
