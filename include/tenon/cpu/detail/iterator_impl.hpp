// The iterator's general path: rows, staged rows, flat groups of short rows and tiles of transposed operands.
#pragma once

namespace tenon::cpu::detail {

/// Memory of one thread that is kept from call to call; `slot` tells uses apart that are alive at once.
template <class Arch>
void* scratch(int slot, std::size_t bytes) {
  struct Slot {
    void* memory = nullptr;
    std::size_t size = 0;
    ~Slot() { ::operator delete (memory, std::align_val_t{4096}); }
  };
  static thread_local Slot slots[4];
  Slot& s = slots[slot];
  if (s.size < bytes) {
    ::operator delete (s.memory, std::align_val_t{4096});
    s.memory = nullptr;
    s.size = 0;
    s.memory = ::operator new (bytes, std::align_val_t{4096});
    s.size = bytes;
  }
  return s.memory;
}

/// Contiguous operands long enough for threads.
template <class Arch>
void run_long(const Loop& loop, const void* closure, void* const* outs, const void* const* ins,
              const std::int64_t* steps, std::int64_t n) {
  const bool streamed = streams<Arch>(loop, outs[0], ins, n);
  parallel_for(0, n, kParallelElements / 2, [&](std::int64_t first, std::int64_t last) {
    void* o[kMaxOutputs];
    const void* p[kMaxInputs];
    for (int k = 0; k < loop.outputs; ++k)
      o[k] = static_cast<char*>(outs[k]) + first * static_cast<std::int64_t>(item_size(loop.output[k]));
    for (int k = 0; k < loop.inputs; ++k)
      p[k] = static_cast<const char*>(ins[k]) + steps[k] * first * static_cast<std::int64_t>(item_size(loop.input[k]));
    if (streamed)
      ResultStream<Arch>().run(loop, closure, o[0], p, steps, last - first);
    else
      loop.row(closure, o, p, steps, last - first);
  });
}

/// One thread's walk over a plan.
template <class Arch>
struct Walk {
  using plan_type = Plan<Arch, kMaxOperands>;
  enum class Kind : std::uint8_t { direct, splat, cast_splat, staged };

  const Loop& loop;
  const void* closure;
  const plan_type& plan;
  ResultStream<Arch>* stream;  // null if the result is kept in the caches
  int outputs, inputs;
  std::int64_t stride0[kMaxOperands];
  Kind kind[kMaxOperands];
  bool plain;
  std::int64_t steps[kMaxInputs];
  std::int64_t block;
  alignas(64) unsigned char splats[kMaxInputs][16];
  alignas(64) unsigned char stage[kMaxOperands][4096];
  const char* repeats[kMaxInputs] = {};  // the row that an input's stage repeats

  Walk(const Loop& l, const void* c, const plan_type& p, ResultStream<Arch>* s = nullptr)
      : loop(l), closure(c), plan(p), stream(s), outputs(l.outputs), inputs(l.inputs) {
    std::int64_t widest = 4;
    for (int k = 0; k < outputs + inputs; ++k) {
      stride0[k] = plan.stride[k][0];
      if (element(k) > widest) widest = element(k);
    }
    block = 4096 / widest;
  }
  ScalarType type(int k) const { return k < outputs ? loop.output[k] : loop.input[k - outputs]; }
  std::int64_t element(int k) const { return static_cast<std::int64_t>(item_size(type(k))); }

  void classify() {
    plain = true;
    for (int k = 0; k < outputs + inputs; ++k) {
      bool same = plan.dtype[k] == type(k);
      if (k >= outputs && stride0[k] == 0)
        kind[k] = same ? Kind::splat : Kind::cast_splat;
      else
        kind[k] = same && stride0[k] == plan.item[k] ? Kind::direct : Kind::staged;
      if (k >= outputs) steps[k - outputs] = stride0[k] != 0;
      plain = plain && (kind[k] == Kind::direct || kind[k] == Kind::splat);
    }
  }

  /// n elements along dimension 0.
  void row(char* const* p, std::int64_t n) {
    if (plain) {
      auto from = reinterpret_cast<const void* const*>(p + outputs);
      if (stream) return stream->run(loop, closure, p[0], from, steps, n);
      return loop.row(closure, reinterpret_cast<void* const*>(p), from, steps, n);
    }
    const void* ins[kMaxInputs];
    void* outs[kMaxOutputs];
    for (int k = outputs; k < outputs + inputs; ++k)
      if (kind[k] == Kind::cast_splat) convert<Arch>(splats[k - outputs], type(k), 0, p[k], plan.dtype[k], 0, 1);
    for (std::int64_t at = 0; at < n; at += block) {
      std::int64_t m = n - at < block ? n - at : block;
      for (int k = outputs; k < outputs + inputs; ++k) {
        char* from = p[k] + at * stride0[k];
        if (kind[k] == Kind::staged) convert<Arch>(stage[k], type(k), element(k), from, plan.dtype[k], stride0[k], m);
        ins[k - outputs] = kind[k] == Kind::staged       ? stage[k]
                           : kind[k] == Kind::cast_splat ? splats[k - outputs]
                                                         : static_cast<void*>(from);
      }
      for (int k = 0; k < outputs; ++k)
        outs[k] = kind[k] == Kind::staged ? stage[k] : static_cast<void*>(p[k] + at * stride0[k]);
      loop.row(closure, outs, ins, steps, m);
      for (int k = 0; k < outputs; ++k)
        if (kind[k] == Kind::staged)
          convert<Arch>(p[k] + at * stride0[k], plan.dtype[k], stride0[k], stage[k], type(k), element(k), m);
    }
  }

  /// Short rows: `rows` of them at once, gathered where they do not follow each other in memory.
  void flat(char* const* p, std::int64_t rows, std::int64_t n) {
    const void* ins[kMaxInputs];
    void* outs[kMaxOutputs];
    std::int64_t flat_steps[kMaxInputs];
    for (int k = outputs; k < outputs + inputs; ++k) {
      std::int64_t s0 = stride0[k], s1 = plan.stride[k][1];
      int i = k - outputs;
      flat_steps[i] = 1;
      if (s0 == 0 && s1 == 0) {
        flat_steps[i] = 0;
        convert<Arch>(splats[i], type(k), 0, p[k], plan.dtype[k], 0, 1);
        ins[i] = splats[i];
      } else if (adjacent(k)) {
        ins[i] = p[k];
      } else if (repeated(k)) {
        if (repeats[i] != p[k]) repeat_row(stage[k], p[k], n * element(k), rows * n * element(k));
        repeats[i] = p[k];
        ins[i] = stage[k];
      } else {
        each_line(p[k], s0, s1, stage[k], element(k), rows, n,
                  [&](char* from, std::int64_t step, char* to, std::int64_t to_step, std::int64_t m) {
                    convert<Arch>(to, type(k), to_step, from, plan.dtype[k], step, m);
                  });
        ins[i] = stage[k];
      }
    }
    for (int k = 0; k < outputs; ++k) outs[k] = adjacent(k) ? static_cast<void*>(p[k]) : stage[k];
    loop.row(closure, outs, ins, flat_steps, rows * n);
    for (int k = 0; k < outputs; ++k)
      if (!adjacent(k))
        each_line(p[k], stride0[k], plan.stride[k][1], stage[k], element(k), rows, n,
                  [&](char* to, std::int64_t step, char* from, std::int64_t from_step, std::int64_t m) {
                    convert<Arch>(to, plan.dtype[k], step, from, type(k), from_step, m);
                  });
  }
  bool adjacent(int k) const {
    return plan.dtype[k] == type(k) && stride0[k] == plan.item[k] && plan.stride[k][1] == plan.size[0] * plan.item[k];
  }
  /// Whether an input is one row for all of dimension 1.
  bool repeated(int k) const {
    return plan.dtype[k] == type(k) && stride0[k] == plan.item[k] && plan.stride[k][1] == 0;
  }
  /// The first group of rows has the most, and those after it read the same.
  static void repeat_row(unsigned char* to, const char* row, std::int64_t row_bytes, std::int64_t bytes) {
    std::memcpy(to, row, static_cast<std::size_t>(row_bytes));
    for (std::int64_t done = row_bytes; done < bytes; done *= 2)
      std::memcpy(to + done, to, static_cast<std::size_t>(bytes - done < done ? bytes - done : done));
  }
  /// Whether all operands are memory without gaps but for rows that are repeated: one of these at least.
  bool repeats_rows() const {
    bool found = false;
    for (int k = 0; k < outputs + inputs; ++k) {
      bool row = k >= outputs && repeated(k);
      if (!row && !adjacent(k) && (k < outputs || stride0[k] != 0 || plan.stride[k][1] != 0)) return false;
      found = found || row;
    }
    return found;
  }
  /// Lines along whichever dimension gives fewer of them.
  template <class F>
  void each_line(char* p, std::int64_t s0, std::int64_t s1, unsigned char* staged, std::int64_t e, std::int64_t rows,
                 std::int64_t n, F f) {
    char* s = reinterpret_cast<char*>(staged);
    if (rows <= n)
      for (std::int64_t r = 0; r < rows; ++r) f(p + r * s1, s0, s + r * n * e, e, n);
    else
      for (std::int64_t c = 0; c < n; ++c) f(p + c * s0, s1, s + c * e, n * e, rows);
  }

  bool transposed(int k) const {
    return stride0[k] != 0 && stride0[k] != plan.item[k] && plan.stride[k][1] == plan.item[k];
  }
  static constexpr std::int64_t kShortRow = 16;  // elements, of rows that a loop takes as they lie
  // The same where a row that is repeated can be made many, as long as all lies in the caches: beyond, rows are faster.
  static constexpr std::int64_t kRepeatedRow = 64, kRepeated = 1 << 16;
  static constexpr std::int64_t tile_rows = 64, tile_columns = 256;

  /// A tile of dimensions 0 and 1; inputs that lie across are turned over into scratch memory.
  void tiles(char* const* p) {
    std::int64_t own_stride0[kMaxOperands], stride1[kMaxOperands];
    std::size_t need = 0;
    bool turned[kMaxOperands] = {};
    for (int k = 0; k < outputs + inputs; ++k) {
      own_stride0[k] = plan.stride[k][0];
      turned[k] = k >= outputs && transposed(k);
      stride1[k] = turned[k] ? tile_columns * plan.item[k] : plan.stride[k][1];
      if (turned[k]) need += static_cast<std::size_t>(tile_rows * tile_columns * plan.item[k]);
    }
    char* memory = static_cast<char*>(scratch<Arch>(0, need));
    for (int k = outputs; k < outputs + inputs; ++k)
      if (turned[k]) stride0[k] = plan.item[k];
    classify();
    for (std::int64_t r0 = 0; r0 < plan.size[1]; r0 += tile_rows) {
      std::int64_t rows = plan.size[1] - r0 < tile_rows ? plan.size[1] - r0 : tile_rows;
      for (std::int64_t c0 = 0; c0 < plan.size[0]; c0 += tile_columns) {
        std::int64_t columns = plan.size[0] - c0 < tile_columns ? plan.size[0] - c0 : tile_columns;
        char* q[kMaxOperands];
        char* next = memory;
        for (int k = 0; k < outputs + inputs; ++k) {
          q[k] = p[k] + r0 * plan.stride[k][1] + c0 * own_stride0[k];
          if (!turned[k]) continue;
          transpose_bytes<Arch>(next, stride1[k], q[k], own_stride0[k], rows, columns, plan.item[k]);
          q[k] = next;
          next += tile_rows * stride1[k];
        }
        for (std::int64_t r = 0; r < rows; ++r) {
          row(q, columns);
          for (int k = 0; k < outputs + inputs; ++k) q[k] += stride1[k];
        }
      }
    }
    for (int k = 0; k < outputs + inputs; ++k) stride0[k] = own_stride0[k];
  }

  void go() {
    if (plan.dims >= 2) {
      bool across = false;
      for (int k = outputs; k < outputs + inputs; ++k) across = across || transposed(k);
      if (across && plan.size[0] >= 8 && plan.size[1] >= 8) return plan.outer(2, [&](char* const* p) { tiles(p); });
      classify();
      if (plan.size[0] < (plain ? kShortRow : 64)) return short_rows();
      if (plain && !stream && plan.size[0] < kRepeatedRow && plan.size[1] >= 8 &&
          plan.size[0] * plan.size[1] <= kRepeated && repeats_rows())
        return short_rows();
    }
    classify();
    if (plain && !stream && plan.dims >= 2) return plain_rows();
    plan.outer(1, [&](char* const* p) { row(p, plan.size[0]); });
  }
  /// Rows that the loop takes as they lie: dimensions 0 and 1 in one call.
  void plain_rows() {
    std::int64_t next[kMaxOperands];
    for (int k = 0; k < outputs + inputs; ++k) next[k] = plan.stride[k][1];
    plan.outer(2, [&](char* const* p) {
      loop.function(closure, reinterpret_cast<void* const*>(p), reinterpret_cast<const void* const*>(p + outputs),
                    steps, plan.size[0], plan.size[1], next);
    });
  }
  void short_rows() {
    std::int64_t group = block / plan.size[0];
    plan.outer(2, [&](char* const* p) {
      for (std::int64_t r = 0; r < plan.size[1]; r += group) {
        char* q[kMaxOperands];
        for (int k = 0; k < outputs + inputs; ++k) q[k] = p[k] + r * plan.stride[k][1];
        flat(q, plan.size[1] - r < group ? plan.size[1] - r : group, plan.size[0]);
      }
    });
  }
};

template <class Arch>
[[gnu::noinline]] void run_general(const Loop& loop, const void* closure, const Operands& o) {
  Plan<Arch, kMaxOperands> plan;
  if (!plan.build(o.sizes, o.dims, o.item, o.outputs + o.inputs)) return;
  std::int64_t total = o.count;
  if (plan.dims == 1) {
    // Merged to one dimension (a common permutation, a broadcast scalar): contiguous after all if the types fit.
    void* outs[kMaxOutputs];
    const void* ins[kMaxInputs];
    std::int64_t steps[kMaxInputs];
    bool direct = true;
    for (int k = 0; k < o.outputs; ++k) {
      direct = direct && plan.dtype[k] == loop.output[k] && plan.stride[k][0] == plan.item[k];
      outs[k] = plan.base[k];
    }
    for (int k = 0; k < o.inputs; ++k) {
      int j = o.outputs + k;
      std::int64_t s = plan.stride[j][0];
      direct = direct && plan.dtype[j] == loop.input[k] && (s == 0 || s == plan.item[j]);
      ins[k] = plan.base[j];
      steps[k] = s != 0;
    }
    if (direct) {
      if (total < kParallelElements)
        loop.row(closure, outs, ins, steps, total);
      else
        run_long<Arch>(loop, closure, outs, ins, steps, total);
      return;
    }
  }
  if (total < kParallelElements) return Walk<Arch>(loop, closure, plan).go();
  const bool streamed = streams<Arch>(loop, plan.base[0], plan.base + 1, total);
  for_parts(plan, [&](const Plan<Arch, kMaxOperands>& part) {
    if (!streamed) return Walk<Arch>(loop, closure, part).go();
    ResultStream<Arch> stream;
    Walk<Arch>(loop, closure, part, &stream).go();
  });
}

}  // namespace tenon::cpu::detail
