// What serves a key of every operator.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <tenon/boxing/kernel.hpp>

namespace tenon::detail {

/// The fallbacks of all keys; of one key the newest counts.
class FallbackList {
 public:
  using KernelState = intrusive_ptr<Kernel::State>;

  /// Without a layer that makes something of it, calls pass a key by.
  void pass_by(unsigned slot) { passed_by_[slot] = falls_through_[slot] = true; }
  /// The newest of a key; null where there is none, or one that says so.
  const KernelState& at(unsigned slot) const { return current_[slot]; }
  /// Whether calls pass the key by since nobody registered anything.
  bool falls_through(unsigned slot) const { return falls_through_[slot]; }

  /// No kernel: as if there were none at the keys. If there is no memory nothing changes.
  void add(std::uint32_t number, const std::vector<unsigned>& slots, const KernelState& kernel) {
    all_.reserve(all_.size() + slots.size());
    for (unsigned slot : slots) {
      all_.push_back({number, slot, kernel});
      settle(slot);
    }
  }
  /// Ends the fallbacks that `ends(number, kernel)` says true of, the newest first. Returns whether there were any.
  template <class F>
  bool end(F ends) {
    bool any = false;
    for (std::size_t i = all_.size(); i-- > 0;) {
      if (!ends(all_[i].number, all_[i].kernel)) continue;
      unsigned slot = all_[i].slot;
      all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(i));
      settle(slot);
      any = true;
    }
    return any;
  }

 private:
  struct Fallback {
    std::uint32_t number;
    unsigned slot;
    KernelState kernel;
  };
  void settle(unsigned slot) {
    auto at = std::find_if(all_.rbegin(), all_.rend(), [&](const auto& f) { return f.slot == slot; });
    bool none = at == all_.rend();
    current_[slot] = none ? nullptr : at->kernel;
    falls_through_[slot] = none && passed_by_[slot];
  }

  std::vector<Fallback> all_;  // oldest first
  std::array<KernelState, kTableSize> current_{};
  std::array<bool, kTableSize> passed_by_{}, falls_through_{};
};

}  // namespace tenon::detail
