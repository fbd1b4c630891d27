// What the registry keeps for itself.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include <tenon/dispatch/bodies/name_index.hpp>
#include <tenon/dispatch/bodies/operator_state.hpp>
#include <tenon/dispatch/module.hpp>
#include <tenon/dispatch/registry.hpp>

namespace tenon {
namespace detail {

/// The runtime key of each table entry.
constexpr std::array<DispatchKey, kTableSize> make_key_of_slot() {
  std::array<DispatchKey, kTableSize> keys{};
  KeySet::full().for_each([&](DispatchKey k) { keys[table_index(k)] = k; });
  return keys;
}
inline constexpr std::array<DispatchKey, kTableSize> key_of_slot = make_key_of_slot();

/// Memory for words that is never given back, in blocks.
class LastingMemory {
 public:
  char* take(std::size_t size) {
    size = (size + alignof(void*) - 1) & ~(alignof(void*) - 1);
    if (size > left_) {
      left_ = size > kBlock ? size : kBlock;
      next_ = static_cast<char*>(::operator new(left_));
    }
    left_ -= size;
    return std::exchange(next_, next_ + size);
  }

 private:
  static constexpr std::size_t kBlock = 16 * 1024 - 64;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

/// Memory for definitions, which come and go: what one gives back serves the next of its size.
class DefinitionMemory {
 public:
  void* take(std::size_t size) {
    std::size_t at = (size + 7) / 8;
    if (at >= kSizes) return ::operator new(size);
    if (void* block = free_[at]) return free_[at] = *static_cast<void**>(block), block;
    return memory_.take(size);
  }
  void give(void* block, std::size_t size) noexcept {
    std::size_t at = (size + 7) / 8;
    if (at >= kSizes) return ::operator delete(block);
    *static_cast<void**>(block) = std::exchange(free_[at], block);
  }
  /// A block that goes back unless it is kept.
  class Block {
   public:
    Block(DefinitionMemory& memory, std::size_t size)
        : memory_(memory), size_(size), block_(size != 0 ? memory.take(size) : nullptr) {}
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    ~Block() {
      if (block_) memory_.give(block_, size_);
    }
    void* keep() { return std::exchange(block_, nullptr); }

   private:
    DefinitionMemory& memory_;
    std::size_t size_;
    void* block_;
  };

 private:
  static constexpr std::size_t kSizes = 129;  // larger ones than 1 KiB are rare
  LastingMemory memory_;
  void* free_[kSizes] = {};
};

/// A kernel object at one of several statements: the same function and functor, a place of its own.
struct PlacedKernel final : Kernel::State {
  PlacedKernel(intrusive_ptr<Kernel::State>&& of, Place&& at) : origin(std::move(of)) {
    record = origin->record;
    type = origin->type;
    place = std::move(at);
    is_fallthrough = origin->is_fallthrough;
    overrides = origin->overrides;
  }
  intrusive_ptr<Kernel::State> origin;
};
/// A kernel that somebody still holds may be registered again: each statement has a place of its own.
inline intrusive_ptr<Kernel::State> at_place(intrusive_ptr<Kernel::State> kernel, Place&& place) {
  if (!kernel->place.empty()) return kernel;
  if (kernel->use_count() > 1) return make_intrusive<PlacedKernel>(std::move(kernel), std::move(place));
  kernel->place = std::move(place);
  return kernel;
}
/// The first word of an object with virtual functions leads to the code that made it.
inline const void* maker_of(const Kernel::State& kernel) {
  const auto* placed = dynamic_cast<const PlacedKernel*>(&kernel);
  return *reinterpret_cast<const void* const*>(placed ? placed->origin.get() : &kernel);
}

}  // namespace detail

/// What only few kinds of registrations need.
struct Registration::More {
  std::string name;
};

/// A table that nothing points to any more, until the calls of its epoch have ended.
struct Registry::Garbage {
  std::uint64_t epoch;
  std::unique_ptr<detail::TableOwner> table;
};

struct Registry::State {
  std::recursive_mutex mutex;
  detail::NameIndex names;
  detail::LastingMemory memory;
  detail::DefinitionMemory definitions;
  // What was registered as a key's fallback, oldest first; no kernel: as if there were none.
  struct Fallback {
    std::uint32_t number;
    unsigned slot;
    KernelState kernel;
  };
  std::vector<Fallback> all_fallbacks;
  std::array<KernelState, kTableSize> fallbacks{};  // the newest of each key
  /// After a change of `all_fallbacks`.
  void settle_fallback(unsigned slot) {
    auto at = std::find_if(all_fallbacks.rbegin(), all_fallbacks.rend(), [&](const auto& f) { return f.slot == slot; });
    bool none = at == all_fallbacks.rend();
    fallbacks[slot] = none ? nullptr : at->kernel;
    falls_through[slot] = none && passed_by[slot];
  }
  /// Ends the fallbacks that `ends` says true of, the newest first. Returns whether there were any.
  template <class F>
  bool end_fallbacks(F ends) {
    bool any = false;
    for (std::size_t i = all_fallbacks.size(); i-- > 0;) {
      if (!ends(all_fallbacks[i])) continue;
      unsigned slot = all_fallbacks[i].slot;
      all_fallbacks.erase(all_fallbacks.begin() + static_cast<std::ptrdiff_t>(i));
      settle_fallback(slot);
      any = true;
    }
    return any;
  }
  std::map<std::string, std::string, std::less<>> libraries;
  struct Listener {
    std::uint32_t number;
    OwnedPtr<RegistryListener> listener;
    bool ended = false;
  };
  std::vector<Listener> listeners;
  int telling = 0;  // listeners keep their places meanwhile
  struct RecordedError {
    std::string ns, message;
    bool reported;
  };
  std::vector<RecordedError> errors;
  std::vector<detail::ModuleRange> modules;  // those that may be unloaded
  std::vector<Garbage> garbage;
  std::vector<std::pair<std::uint64_t, const schema::SchemaView*>> retired_schemas;  // likewise
  void give(const schema::SchemaView& schema) noexcept {
    definitions.give(schema::placed_at(schema), schema::placed_size(schema));
  }
  // What slots point to while there is no table that they may use, in memory that no unloading takes away.
  detail::DispatchTable empty_table;
  KernelState ambiguous_autograd_other, default_fallthrough;
  std::array<bool, kTableSize> passed_by{};      // keys that calls pass by if nobody registers a fallback
  std::array<bool, kTableSize> falls_through{};  // those of them that nobody did
  std::atomic<bool> has_errors{false}, strict{false};
  std::atomic<OverridePolicy> override_policy{OverridePolicy::Warn};
  std::uint32_t next_number = 0;
  int tracers = 0;
  bool main_program_known = false;
};

}  // namespace tenon
