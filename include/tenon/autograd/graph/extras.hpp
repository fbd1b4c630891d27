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

namespace tenon::autograd {

namespace detail {

/// Functions in the order in which they came. Those who call them take no lock; what is taken away while another thread
/// calls it may run once more there.
template <class F>
class HookList {
 public:
  struct Entry {
    std::uint64_t id;
    F call;
  };
  HookList() = default;
  HookList(const HookList&) = delete;
  HookList& operator=(const HookList&) = delete;
  ~HookList() { clear(); }

  void add(std::uint64_t id, F call) {
    auto entry = std::make_shared<const Entry>(Entry{id, std::move(call)});
    edit([&](List& list) { list.push_back(std::move(entry)); });
  }
  void remove(std::uint64_t id) {
    if (!empty()) edit([&](List& list) { std::erase_if(list, [&](const auto& e) { return e->id == id; }); });
  }
  void clear() {
    edit([](List& list) { list.clear(); });
  }
  bool empty() const { return !current_.load(MemoryOrder::Acquire); }
  /// Calls `visit(function)` for each.
  template <class Visit>
  void each(Visit&& visit) const {
    if (empty()) return;
    Reader reader{readers_};
    if (const List* list = current_.load())
      for (const auto& entry : *list) visit(entry->call);
  }

 private:
  using List = std::vector<std::shared_ptr<const Entry>>;
  struct Reader {
    explicit Reader(Atomic<int>& c) : count(c) { count.fetch_add(1); }
    Reader(const Reader&) = delete;
    ~Reader() { count.fetch_sub(1); }
    Atomic<int>& count;
  };
  // A list that was replaced ends once nobody reads: who comes after the exchange sees the new one.
  template <class Change>
  void edit(Change&& change) {
    std::vector<std::unique_ptr<const List>> ended;
    std::lock_guard lock(mutex_);
    const List* before = current_.load();
    auto next = before ? std::make_unique<List>(*before) : std::make_unique<List>();
    change(*next);
    if (next->empty()) next.reset();
    current_.exchange(next.release());
    if (before) retired_.emplace_back(before);
    if (readers_.load() == 0) ended.swap(retired_);
  }

  std::mutex mutex_;
  Atomic<const List*> current_{nullptr};
  mutable Atomic<int> readers_{0};
  std::vector<std::unique_ptr<const List>> retired_;
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

  std::mutex mutex;  ///< of `metadata`
  std::map<std::string, std::any, std::less<>> metadata;
  std::vector<detail::PackedTensor> packed;  ///< written while the node is made

  // In anomaly mode.
  std::any call_site;          ///< of the forward call
  intrusive_ptr<Node> parent;  ///< the node whose backward pass made this one

  void remove(std::uint64_t id) {
    tensor_hooks.remove(id);
    retains.remove(id);
    before.remove(id);
    after.remove(id);
    after_accumulation.remove(id);
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
