// Operators by name: readers never wait, names are added and never removed.
#pragma once
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include <tenon/dispatch/operator_entry.hpp>

namespace tenon::detail {

/// Open addressing. A table that grew too small stays readable, for a reader may be inside; together they take no more
/// than twice the last one.
class NameIndex {
 public:
  NameIndex() { grow(1024); }

  /// Eight bytes a step: each is multiplied by an odd number near 2^64 over the golden ratio, and the high bits, on
  /// which most bytes act, fold into the low ones. A last step lets the last bytes act on all.
  static std::size_t hash(std::string_view name) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;
    std::uint64_t h = name.size(), word = 0;
    auto mix = [&] {
      h = (h ^ word) * factor;
      h ^= h >> 32;
    };
    const char *p = name.data(), *end = p + name.size();
    for (; end - p >= 8; p += 8) {
      std::memcpy(&word, p, 8);
      mix();
    }
    if (p != end && name.size() >= 8) {
      std::memcpy(&word, end - 8, 8);
      mix();
    } else {
      for (; p != end; ++p) {
        word = static_cast<unsigned char>(*p);
        mix();
      }
    }
    word = 0;
    mix();
    return static_cast<std::size_t>(h);
  }
  OperatorEntry* find(std::string_view name) const { return find(name, hash(name)); }
  OperatorEntry* find(std::string_view name, std::size_t hash) const {
    const Table& t = *table_.load(std::memory_order_acquire);
    for (std::size_t i = hash & t.last;; i = (i + 1) & t.last) {
      std::uint8_t tag = t.tags[i].load(std::memory_order_acquire);
      if (tag == 0) return nullptr;
      if (tag != tag_of(hash)) continue;
      if (OperatorEntry* entry = t.entries[i].load(std::memory_order_relaxed); entry->name() == name) return entry;
    }
  }
  /// Writers and this exclude each other by the registry's lock.
  template <class F>
  void for_each(F f) const {
    const Table& t = *table_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i <= t.last; ++i)
      if (auto* entry = t.entries[i].load(std::memory_order_relaxed)) f(*entry);
  }
  /// Makes room for one name. Writers exclude each other by the registry's lock.
  void reserve_one() {
    std::size_t last = table_.load(std::memory_order_relaxed)->last;
    if (4 * (size_ + 1) > 3 * last) grow(2 * (last + 1));
  }
  /// The name must be new, and there must be room.
  void insert(OperatorEntry& entry, std::size_t hash) noexcept {
    put(*table_.load(std::memory_order_relaxed), hash, &entry);
    ++size_;
  }

 private:
  // A byte of the hash stands for an entry while a search passes it; 0 is an empty place.
  struct Table {
    std::size_t last;
    std::unique_ptr<std::atomic<std::uint8_t>[]> tags;
    std::unique_ptr<std::atomic<OperatorEntry*>[]> entries;
    explicit Table(std::size_t size)
        : last(size - 1),
          tags(std::make_unique<std::atomic<std::uint8_t>[]>(size)),
          entries(std::make_unique<std::atomic<OperatorEntry*>[]>(size)) {}
  };
  static std::uint8_t tag_of(std::size_t hash) { return static_cast<std::uint8_t>(hash >> 56 | 0x80); }
  static void put(Table& t, std::size_t hash, OperatorEntry* entry) {
    std::size_t i = hash & t.last;
    while (t.tags[i].load(std::memory_order_relaxed) != 0) i = (i + 1) & t.last;
    t.entries[i].store(entry, std::memory_order_relaxed);
    t.tags[i].store(tag_of(hash), std::memory_order_release);
  }
  void grow(std::size_t size) {
    auto made = std::make_unique<Table>(size);
    if (table_.load(std::memory_order_relaxed))
      for_each([&](OperatorEntry& entry) { put(*made, hash(entry.name()), &entry); });
    tables_.push_back(std::move(made));
    table_.store(tables_.back().get(), std::memory_order_release);
  }

  std::atomic<Table*> table_{nullptr};
  std::vector<std::unique_ptr<Table>> tables_;
  std::size_t size_ = 0;
};

}  // namespace tenon::detail
