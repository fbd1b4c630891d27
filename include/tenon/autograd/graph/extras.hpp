// What few nodes have: hooks, metadata, and what saved-tensor hooks made of their tensors.
#pragma once
#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tenon/autograd/meta.hpp>
#include <tenon/dispatch/readers.hpp>

namespace tenon::detail {
class CallStack;
}

namespace tenon::autograd {

namespace detail {

/// One function of a list. Those who read follow `next` without a lock.
struct HookEntry {
  explicit HookEntry(std::uint64_t of) : id(of) {}
  HookEntry(const HookEntry&) = delete;
  HookEntry& operator=(const HookEntry&) = delete;
  virtual ~HookEntry() = default;
  const std::uint64_t id;
  Atomic<std::uint64_t> number{0};  ///< in the list, from 1; 0 once it was taken out
  Atomic<HookEntry*> next{nullptr};
};
/// What is read of a list, two words: a node's five lists lie side by side.
struct HookListHead {
  Atomic<HookEntry*> first{nullptr};
  Atomic<std::uint64_t> last_number{0};
};

/// The one lock of a node's lists, and what was taken out of them: it ends with a later change, once those who may
/// still read it have left their sections.
class HookChanges {
 public:
  void append(HookListHead& list, std::unique_ptr<HookEntry> entry);
  void remove(HookListHead& list, std::uint64_t id);
  /// Ends the list's entries; only where nobody else knows them any more.
  static void clear(HookListHead& list) noexcept;

 private:
  struct Removed {
    std::uint64_t epoch;  ///< of the last sections that may have seen it
    std::unique_ptr<HookEntry> entry;
  };
  std::mutex mutex_;
  std::vector<Removed> removed_;
};

/// Functions in the order in which they came. Those who call them take no lock and change nothing: their thread's mark
/// says that they may read. What is taken away while another thread is about to call it may run once more there.
template <class F>
class HookList : HookListHead {
 public:
  HookList() = default;
  HookList(const HookList&) = delete;
  HookList& operator=(const HookList&) = delete;
  ~HookList() { clear(); }

  void add(HookChanges& changes, std::uint64_t id, F call) {
    changes.append(*this, std::make_unique<Entry>(id, std::move(call)));
  }
  void remove(HookChanges& changes, std::uint64_t id) {
    if (!empty()) changes.remove(*this, id);
  }
  /// Only where nobody else knows the list any more.
  void clear() noexcept { HookChanges::clear(*this); }
  bool empty() const { return !first.load(MemoryOrder::Acquire); }
  /// Calls `visit(function)` for each that is there when it begins, and still when its turn comes; inside a section of
  /// the caller.
  template <class Visit>
  void each(const tenon::detail::CallSection&, Visit&& visit) const {
    const HookEntry* entry = first.load();
    if (!entry) return;
    std::uint64_t last = last_number.load(MemoryOrder::Acquire);
    for (; entry; entry = entry->next.load(MemoryOrder::Acquire)) {
      std::uint64_t number = entry->number.load(MemoryOrder::Relaxed);
      if (number > last) return;
      if (number != 0) visit(static_cast<const Entry*>(entry)->call);
    }
  }

 private:
  struct Entry final : HookEntry {
    Entry(std::uint64_t of, F function) : HookEntry(of), call(std::move(function)) {}
    F call;
  };
};

/// A pair of functions that keep saved tensors in another form; graphs hold it beyond its scope.
struct SavedHookPair : RefCounted {
  std::function<std::any(const Tensor&)> pack;
  std::function<Tensor(const std::any&)> unpack;
};
struct PackedTensor {
  intrusive_ptr<SavedHookPair> hooks;
  std::any value;
  Edge edge;  ///< where gradients of an argument go
};

}  // namespace detail

/// Hooks of a node. Accumulation into a leaf keeps them when the leaf's shape changes.
class NodeExtras final : public RefCounted {
 public:
  /// Of one result; gets its gradient, a defined tensor it returns replaces that.
  struct ResultHook {
    std::uint32_t index;
    std::function<Tensor(const Tensor&)> call;
  };
  detail::HookList<ResultHook> tensor_hooks, retains;
  detail::HookList<std::function<std::vector<Tensor>(TensorList)>> before;
  detail::HookList<std::function<std::vector<Tensor>(TensorList, TensorList)>> after;
  detail::HookList<std::function<void(const Tensor&)>> after_accumulation;
  detail::HookChanges changes;

  std::mutex mutex;  ///< of `metadata`
  std::map<std::string, std::any, std::less<>> metadata;
  std::vector<detail::PackedTensor> packed;  ///< written while the node is made

  // In anomaly mode.
  std::shared_ptr<const tenon::detail::CallStack> call_site;  ///< of the forward call
  intrusive_ptr<Node> parent;                                 ///< the node whose backward pass made this one

  void remove(std::uint64_t id) {
    tensor_hooks.remove(changes, id);
    retains.remove(changes, id);
    before.remove(changes, id);
    after.remove(changes, id);
    after_accumulation.remove(changes, id);
  }

 private:
  void release_resources() noexcept override {
    tensor_hooks.clear();
    retains.clear();
    before.clear();
    after.clear();
    after_accumulation.clear();
    metadata.clear();
    packed.clear();
    parent.reset();
  }
};

}  // namespace tenon::autograd
