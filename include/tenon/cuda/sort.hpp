// Sorting lines as kernels: runs of a block each, then runs of twice the length, every item by its rank.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

/// The lowest bit of the keys of elements of type T in which they differ.
template <class T>
inline constexpr int kFirstKeyBit = 64 - 8 * static_cast<int>(sizeof(T));
/// A number in the order of the elements; not-a-numbers, which are all equal, are the largest, all ones.
template <class T>
TENON_HOST_DEVICE std::uint64_t sort_key(T x, bool descending) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  constexpr Bits sign = Bits{1} << (sizeof(T) * 8 - 1);
  Bits bits;
  if constexpr (std::is_floating_point_v<T>) {
    bits = std::bit_cast<Bits>(x == 0 ? T(0) : x);
    bits = x != x ? static_cast<Bits>(~Bits{0}) : bits & sign ? static_cast<Bits>(~bits) : bits | sign;
  } else {
    bits = static_cast<Bits>(x) ^ (std::is_signed_v<T> ? sign : Bits{0});
  }
  constexpr int first = kFirstKeyBit<T>;
  std::uint64_t key = static_cast<std::uint64_t>(bits) << first | ((std::uint64_t{1} << first) - 1);
  return descending ? ~key : key;
}

/// The items of all lines as they stand.
template <class T>
struct make_items {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SortCall& c) const {
    const LinesCall& l = c.lines;
    each_of_grid(lane, l.lines.count * l.size, [&](std::int64_t k) {
      std::int64_t line = k / l.size, i = k % l.size;
      const char* from = l.in + Offsets<3>(l.lines, line).at[2] + i * l.step[2];
      c.items[0][k] = {sort_key(load_as<T>(from, l.dtype), c.descending), i};
    });
  }
};
/// The items of a run of as many elements as the block has lanes, a power of two, in order.
template <class T>
struct sort_runs {
  struct Memory {
    SortItem items[256];
  };
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SortCall& c, std::int64_t runs) const {
    SortItem* items = lane.template shared<Memory>().items;
    std::int64_t line = lane.block() / runs, i = lane.block() % runs * lane.threads() + lane.thread();
    bool real = i < c.lines.size;
    unsigned me = lane.thread();
    if (real) {
      const char* from = c.lines.in + Offsets<3>(c.lines.lines, line).at[2] + i * c.lines.step[2];
      items[me] = {sort_key(load_as<T>(from, c.lines.dtype), c.descending), i};
    } else {
      items[me] = {~std::uint64_t{0}, INT64_MAX};
    }
    // Batcher's network for a power of two (Knuth, volume 3, 5.3.4); places break ties.
    for (unsigned size = 2; size <= lane.threads(); size *= 2)
      for (unsigned apart = size / 2; apart > 0; apart /= 2) {
        lane.sync();
        unsigned other = me ^ apart;
        if (other > me && before(items[other], items[me]) == !(me & size)) {
          SortItem item = items[me];
          items[me] = items[other];
          items[other] = item;
        }
      }
    lane.sync();
    if (real) c.items[0][line * c.lines.size + i] = items[me];
  }

 private:
  TENON_HOST_DEVICE static bool before(const SortItem& a, const SortItem& b) {
    return a.key < b.key || (a.key == b.key && a.place < b.place);
  }
};

/// Two neighbouring runs of `width` items become one: an item's rank in the other run tells its place. Those of the
/// run in front come before their equals.
struct merge_runs {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SortItem* from, SortItem* to, std::int64_t lines, std::int64_t size,
                                    std::int64_t width) const {
    each_of_grid(lane, lines * size, [&](std::int64_t k) {
      std::int64_t start = k / size * size, i = k - start, run = i / width, first = run * width;
      bool front = run % 2 == 0;
      std::int64_t low = front ? first + width : first - width, high = low + width;
      if (high > size) high = size;
      std::int64_t base = low, key_at = start;
      std::uint64_t key = from[k].key;
      while (low < high) {
        std::int64_t middle = (low + high) / 2;
        std::uint64_t other = from[key_at + middle].key;
        if (front ? other < key : other <= key)
          low = middle + 1;
        else
          high = middle;
      }
      to[start + (front ? first : first - width) + (i - first) + (low - base)] = from[k];
    });
  }
};

/// An element and its place, where they are asked for.
TENON_HOST_DEVICE inline void write_placed(const LinesCall& c, const Offsets<3>& at, std::int64_t i,
                                           std::int64_t place) {
  if (c.out) {
    const char* from = c.in + at.at[2] + place * c.step[2];
    char* to = c.out + at.at[0] + i * c.step[0];
    switch (item_size(c.dtype)) {
      case 1: *to = *from; break;
      case 2: *reinterpret_cast<std::uint16_t*>(to) = *reinterpret_cast<const std::uint16_t*>(from); break;
      case 4: *reinterpret_cast<std::uint32_t*>(to) = *reinterpret_cast<const std::uint32_t*>(from); break;
      default: *reinterpret_cast<std::uint64_t*>(to) = *reinterpret_cast<const std::uint64_t*>(from);
    }
  }
  if (c.places) *reinterpret_cast<std::int64_t*>(c.places + at.at[1] + i * c.step[1]) = place;
}
struct write_sorted {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const LinesCall& c, const SortItem* items, std::int64_t first,
                                    std::int64_t count) const {
    each_of_grid(lane, c.lines.count * count, [&](std::int64_t k) {
      std::int64_t line = k / count, i = k % count;
      write_placed(c, Offsets<3>(c.lines, line), i, items[line * c.size + first + i].place);
    });
  }
};
struct write_medians {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const LinesCall& c, const SortItem* items, bool ignores_nan) const {
    each_of_grid(lane, c.lines.count, [&](std::int64_t line) {
      const SortItem* item = items + line * c.size;
      // Not-a-numbers are behind all others.
      std::int64_t low = 0, high = c.size;
      while (is_floating_type(c.dtype) && low < high) {
        std::int64_t middle = (low + high) / 2;
        if (item[middle].key == ~std::uint64_t{0})
          high = middle;
        else
          low = middle + 1;
      }
      std::int64_t numbers = is_floating_type(c.dtype) ? low : c.size;
      std::int64_t i = numbers == 0 || (numbers < c.size && !ignores_nan) ? numbers : (numbers - 1) / 2;
      write_placed(c, Offsets<3>(c.lines, line), 0, item[i].place);
    });
  }
};

}  // namespace tenon::cuda
