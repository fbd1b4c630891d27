// Reductions as kernels: any dimensions, the same bits each run. A lane, a block, or several blocks for each result.
#pragma once
#include <cstdint>

#include <tenon/cuda/block.hpp>
#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/packs.hpp>
#include <tenon/reduction/operation.hpp>

namespace tenon::cuda {

/// A lane for each result: for few elements each.
template <class Operation>
struct reduce_by_lane {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const ReduceCall& c, Operation op) const {
    using T = typename Operation::value_type;
    each_of_grid(lane, c.kept.count, [&](std::int64_t o) {
      Offsets<2> place(c.kept, o);
      const char* in = static_cast<const char*>(c.in);  // null where there is nothing to reduce
      T total = Operation::identity();
      for (std::int64_t i = 0; i < c.reduced.count; ++i)
        total = op.combine(total, op.map(load_as<T>(in + place.at[1] + Offsets<2>(c.reduced, i).at[1], c.in_dtype)));
      store_as(static_cast<char*>(c.out) + place.at[0], c.out_dtype, op.finish(total, c.reduced.count));
    });
  }
};

/// What the block's part of so many values comes to, for lane 0; each lane begins with `total`.
template <class L, class T, class Operation, class At>
TENON_HOST_DEVICE T total_of_part(L& lane, WarpValues<T>& memory, const Operation& op, std::int64_t count,
                                  std::int64_t parts, At at, T total = Operation::identity()) {
  std::int64_t stretch = (count + parts - 1) / parts, first = lane.block() % parts * stretch,
               last = first + stretch < count ? first + stretch : count;
  TENON_UNROLLED_BY_4
  for (std::int64_t i = first + lane.thread(); i < last; i += lane.threads()) total = op.combine(total, at(i));
  return combine_block(
      lane, total, memory, [&](T a, T b) { return op.combine(a, b); }, Operation::identity());
}
/// Writes it to `partial`, or to the result where there are no other parts.
template <class L, class T, class Operation>
TENON_HOST_DEVICE void store_part(L& lane, const ReduceCall& c, const Operation& op, T total, T* partial,
                                  std::int64_t parts, std::int64_t offset) {
  if (lane.thread() != 0) return;
  if (parts > 1)
    partial[lane.block()] = total;
  else
    store_as(static_cast<char*>(c.out) + offset, c.out_dtype, op.finish(total, c.reduced.count));
}

/// Blocks for each result: block k of `parts` takes a stretch of the elements. With several parts each writes what it
/// has to `partial`, which `reduce_parts` combines.
template <class Operation>
struct reduce_by_block {
  using T = typename Operation::value_type;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const ReduceCall& c, Operation op, T* partial, std::int64_t parts) const {
    auto& memory = lane.template shared<WarpValues<T>>();
    Offsets<2> place(c.kept, lane.block() / parts);
    const char* in = static_cast<const char*>(c.in) + place.at[1];
    T total = total_of_part(lane, memory, op, c.reduced.count, parts, [&](std::int64_t i) {
      return op.map(load_as<T>(in + Offsets<2>(c.reduced, i).at[1], c.in_dtype));
    });
    store_part(lane, c, op, total, partial, parts, place.at[0]);
  }
};
/// The same for elements of type E side by side, from a multiple of 16 bytes on.
template <class Operation, class E>
struct reduce_packs_by_block {
  using T = typename Operation::value_type;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const ReduceCall& c, Operation op, T* partial, std::int64_t parts) const {
    constexpr int kPack = kPackOf<E>;
    auto& memory = lane.template shared<WarpValues<T>>();
    Offsets<2> place(c.kept, lane.block() / parts);
    const E* in = reinterpret_cast<const E*>(static_cast<const char*>(c.in) + place.at[1]);
    std::int64_t packs = c.reduced.count / kPack, behind = packs * kPack + lane.thread();
    bool takes_rest = lane.block() % parts == parts - 1 && behind < c.reduced.count;
    T rest = takes_rest ? op.map(cast<T>(in[behind])) : Operation::identity();
    T total = total_of_part(
        lane, memory, op, packs, parts,
        [&](std::int64_t pack) {
          Pack<E, kPack> x = lane.template load<kPack>(in + pack * kPack);
          T sum = op.map(cast<T>(x.at[0]));
          for (int p = 1; p < kPack; ++p) sum = op.combine(sum, op.map(cast<T>(x.at[p])));
          return sum;
        },
        rest);
    store_part(lane, c, op, total, partial, parts, place.at[0]);
  }
};
/// The same for results whose elements of type E lie side by side, those of one in one dimension: each warp reads along
/// the results, and each block has its part of as many as a warp has lanes.
template <class Operation, class E>
struct reduce_columns {
  using T = typename Operation::value_type;
  static constexpr unsigned kRows = 8;  // warps
  struct Memory {
    alignas(16) unsigned char bytes[kRows * kWarp * sizeof(T)];
  };
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const ReduceCall& c, Operation op, T* partial, std::int64_t parts) const {
    T* rows = reinterpret_cast<T*>(lane.template shared<Memory>().bytes);
    std::int64_t result = lane.block() / parts * kWarp + lane.thread() % kWarp, part = lane.block() % parts;
    std::int64_t stretch = (c.reduced.count + parts - 1) / parts, first = part * stretch,
                 last = first + stretch < c.reduced.count ? first + stretch : c.reduced.count;
    T total = Operation::identity();
    Offsets<2> place(c.kept, result < c.kept.count ? result : 0);
    if (result < c.kept.count) {
      const char* in = static_cast<const char*>(c.in) + place.at[1];
      TENON_UNROLLED_BY_4
      for (std::int64_t i = first + lane.thread() / kWarp; i < last; i += kRows)
        total = op.combine(total, op.map(cast<T>(*reinterpret_cast<const E*>(in + i * c.reduced.step[1][0]))));
    }
    rows[lane.thread()] = total;
    lane.sync();
    if (lane.thread() >= kWarp || result >= c.kept.count) return;
    for (unsigned r = 1; r < kRows; ++r) total = op.combine(total, rows[r * kWarp + lane.thread()]);
    if (parts > 1)
      partial[result * parts + part] = total;
    else
      store_as(static_cast<char*>(c.out) + place.at[0], c.out_dtype, op.finish(total, c.reduced.count));
  }
};
/// A lane combines the parts of a result: for few of them.
template <class Operation>
struct reduce_few_parts {
  using T = typename Operation::value_type;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const ReduceCall& c, Operation op, const T* partial,
                                    std::int64_t parts) const {
    each_of_grid(lane, c.kept.count, [&](std::int64_t o) {
      T total = partial[o * parts];
      for (std::int64_t i = 1; i < parts; ++i) total = op.combine(total, partial[o * parts + i]);
      store_as(static_cast<char*>(c.out) + Offsets<2>(c.kept, o).at[0], c.out_dtype, op.finish(total, c.reduced.count));
    });
  }
};
template <class Operation>
struct reduce_parts {
  using T = typename Operation::value_type;
  static constexpr unsigned kMostLanes = kRowLanes;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const ReduceCall& c, Operation op, const T* partial,
                                    std::int64_t parts) const {
    auto& memory = lane.template shared<WarpValues<T>>();
    T total = Operation::identity();
    for (std::int64_t i = lane.thread(); i < parts; i += lane.threads())
      total = op.combine(total, partial[lane.block() * parts + i]);
    total = combine_block(
        lane, total, memory, [&](T a, T b) { return op.combine(a, b); }, Operation::identity());
    if (lane.thread() == 0)
      store_as(static_cast<char*>(c.out) + Offsets<2>(c.kept, lane.block()).at[0], c.out_dtype,
               op.finish(total, c.reduced.count));
  }
};

}  // namespace tenon::cuda
