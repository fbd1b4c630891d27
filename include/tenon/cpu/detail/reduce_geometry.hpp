// How a reduction walks its input: kept and reduced dimensions, elements in place or staged.
#pragma once
#include <cstdint>

#include <tenon/base/scalar_type.hpp>
#include <tenon/cpu/convert.hpp>
#include <tenon/cpu/detail/plan.hpp>
#include <tenon/cpu/detail/reduce_lanes.hpp>

namespace tenon::cpu {

/// Where a reduction reads and writes. Strides count elements.
struct Reduction {
  void* out = nullptr;
  ScalarType out_type = ScalarType::Undefined;
  const std::int64_t* out_strides = nullptr;  // one per dimension of the input; those of reduced dimensions are ignored
  const void* in = nullptr;
  ScalarType in_type = ScalarType::Undefined;
  const std::int64_t* sizes = nullptr;
  const std::int64_t* strides = nullptr;
  int dims = 0;
  std::uint64_t reduced = 0;  // bit d: dimension d is reduced
};

}  // namespace tenon::cpu

namespace tenon::cpu::detail {

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

  explicit ReduceGeometry(const Reduction& r)
      : in(static_cast<const char*>(r.in)), in_type(r.in_type), item(static_cast<std::int64_t>(item_size(r.in_type))) {
    for (int d = 0; d < r.dims; ++d) {
      if (r.sizes[d] == 1) continue;
      if (r.reduced >> d & 1)
        add_reduce_dim<Arch>(reduced, r.sizes[d], r.strides[d] * item, 0);
      else
        add_reduce_dim<Arch>(kept, r.sizes[d], r.strides[d] * item, r.out_strides[d]);
    }
    merge_reduce_dims<Arch>(kept);
    merge_reduce_dims<Arch>(reduced);
    outputs = kept.total();
    per_output = reduced.total();
  }
  bool inner() const { return reduced.count > 0 && (reduced.in[0] == item || (kept.count == 0)); }
  /// Whether kept elements follow each other in memory while reduced ones do not.
  bool rows() const { return !inner() && kept.count > 0 && kept.in[0] == item && kept.size[0] >= 4; }

  /// Whether each output reduces one short run of T values, the runs being equally far apart.
  template <class T>
  bool short_runs() const {
    return in_type == scalar_type_v<T> && kept.count == 1 && reduced.count == 1 && reduced.in[0] == item &&
           per_output > 1 && per_output <= kLanes && kept.in[0] % item == 0;
  }

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
          convert<Arch>(staged + k * kColumns, scalar_type_v<T>, sizeof(T), base + offset + k * step, in_type, item,
                        columns);
        f(static_cast<const T*>(staged), kColumns, line, columns);
      }
      r += line;
    }
  }
};

}  // namespace tenon::cpu::detail
