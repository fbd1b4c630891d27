// Reductions as kernels: any dimensions, the same bits each run. A lane, a block, or several blocks for each result.
#pragma once
#include <cstdint>

#include <tenon/cuda/block.hpp>
#include <tenon/cuda/calls.hpp>
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

/// What the block's part of so many elements comes to, for lane 0.
template <class L, class T, class Operation, class At>
TENON_HOST_DEVICE T total_of_part(L& lane, WarpValues<T>& memory, const Operation& op, std::int64_t count,
                                  std::int64_t parts, At at) {
  std::int64_t stretch = (count + parts - 1) / parts, first = lane.block() % parts * stretch,
               last = first + stretch < count ? first + stretch : count;
  T total = Operation::identity();
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
