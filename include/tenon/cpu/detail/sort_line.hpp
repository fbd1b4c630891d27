// Sorting a line of elements by numbers that stand for their values; equal elements keep their order.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tenon/base/scalar_type.hpp>

namespace tenon::cpu::detail {

/// Turns the bits of a value into a number that is larger the later it sorts: the
/// two zeros are equal; not-a-numbers are equal and behind all others, or before them if descending.
template <class Key>
class KeyOf {
 public:
  KeyOf(ScalarType type, bool descending)
      : infinity_(type == kHalf       ? static_cast<Key>(0x7c00)
                  : type == kBFloat16 ? static_cast<Key>(0x7f80)
                  : type == kFloat    ? static_cast<Key>(0x7f800000)
                  : type == kDouble   ? static_cast<Key>(0x7ff0000000000000)
                                      : Key{0}),
        bias_(is_signed_type(type) ? kTop : Key{0}),
        flip_(descending ? static_cast<Key>(~Key{0}) : Key{0}) {}
  Key operator()(Key bits) const {
    if (infinity_) {
      auto magnitude = static_cast<Key>(bits & ~kTop);
      if (magnitude > infinity_) return static_cast<Key>(~flip_);
      bits = magnitude == 0 ? Key{0} : bits & kTop ? static_cast<Key>(bits ^ ~kTop) : bits;
    }
    return static_cast<Key>(bits ^ bias_ ^ flip_);
  }

 private:
  static constexpr Key kTop = static_cast<Key>(Key{1} << (8 * sizeof(Key) - 1));
  Key infinity_, bias_, flip_;  // infinity_: its bits, 0 for whole numbers
};

/// An element of a line: what it sorts by and its place in the line.
template <class Key, class Place>
struct Sorted {
  Key key;
  Place place;
  friend bool operator<(const Sorted& a, const Sorted& b) { return a.key < b.key; }
};
/// The elements of a line, and room for as many.
template <class Key, class Place>
struct SortedLine {
  Sorted<Key, Place>*items, *spare;
  std::size_t size;
};

/// By insertion below 64 elements, where clearing and adding up counters would cost more; else by the key's bytes, the
/// least significant first (Knuth, The Art of Computer Programming 3, 5.2.5).
/// Cost: for each byte of Key one pass, or none if it is the same in all keys.
template <class Key, class Place>
void sort_line(SortedLine<Key, Place>& line) {
  const std::size_t n = line.size;
  if (n < 64) {
    const auto items = line.items;
    for (std::size_t i = 1; i < n; ++i) {
      const auto item = items[i];
      std::size_t to = i;
      for (; to > 0 && item < items[to - 1]; --to) items[to] = items[to - 1];
      items[to] = item;
    }
    return;
  }
  auto byte = [](Key key, std::size_t i) { return static_cast<std::size_t>(key >> 8 * i & 0xff); };
  std::array<std::array<Place, 256>, sizeof(Key)> counts{};
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < sizeof(Key); ++i) ++counts[i][byte(line.items[k].key, i)];
  for (std::size_t i = 0; i < sizeof(Key); ++i) {
    auto& next = counts[i];
    if (next[byte(line.items[0].key, i)] == n) continue;
    Place first = 0;
    for (Place& count : next) first += std::exchange(count, first);
    const auto from = line.items, to = line.spare;
    for (std::size_t k = 0; k < n; ++k) to[next[byte(from[k].key, i)]++] = from[k];
    std::swap(line.items, line.spare);
  }
}

}  // namespace tenon::cpu::detail
