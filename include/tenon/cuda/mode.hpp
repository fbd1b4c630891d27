// The most frequent element of each line as a kernel: a block for a line in order.
#pragma once
#include <cstdint>

#include <tenon/cuda/block.hpp>
#include <tenon/cuda/sort.hpp>

namespace tenon::cuda {

/// Writes the smallest of the most frequent elements of each line, at the last of its places. A not-a-number equals no
/// other.
void take_modes(const LinesCall& lines, const SortItem* items, void* stream);

struct write_modes {
  /// A run of equal elements: how many, and the last of them.
  struct Run {
    std::int64_t length, last;
  };
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const LinesCall& c, const SortItem* items) const {
    auto& memory = lane.template shared<WarpValues<Run>>();
    const std::int64_t line = lane.block();
    const SortItem* item = items + line * c.size;
    Run best{0, c.size};
    for (std::int64_t i = lane.thread(); i < c.size; i += lane.threads()) {
      const std::uint64_t key = item[i].key;
      const bool alone = is_floating_type(c.dtype) && key == ~std::uint64_t{0};
      if (!alone && i + 1 < c.size && item[i + 1].key == key) continue;
      std::int64_t first = alone ? i : 0, high = i;
      while (first < high) {
        const std::int64_t middle = first + (high - first) / 2;
        if (item[middle].key < key)
          first = middle + 1;
        else
          high = middle;
      }
      best = better(best, {i - first + 1, i});
    }
    best = combine_block(lane, best, memory, &better, Run{0, c.size});
    if (lane.thread() == 0) write_placed(c, Offsets<3>(c.lines, line), 0, item[best.last].place);
  }

 private:
  TENON_HOST_DEVICE static Run better(Run a, Run b) {
    return b.length > a.length || (b.length == a.length && b.last < a.last) ? b : a;
  }
};

}  // namespace tenon::cuda
