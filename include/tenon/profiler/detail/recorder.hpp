// What a profile is collected by: a recorder for each thread, and an allocator that tells it of memory.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tenon/autograd/graph/callback.hpp>
#include <tenon/boxing/each_tensor.hpp>
#include <tenon/boxing/stack.hpp>
#include <tenon/dispatch/observer.hpp>
#include <tenon/ops/flops.hpp>
#include <tenon/profiler/detail/memory_log.hpp>
#include <tenon/profiler/detail/ticks.hpp>
#include <tenon/profiler/options.hpp>
#include <tenon/profiler/profile.hpp>
#include <tenon/tensor/allocator.hpp>

namespace tenon::profiler::detail {

/// What the threads of one profile share: names, each once.
class Names {
 public:
  std::uint32_t of(std::string_view text) {
    std::lock_guard lock(mutex_);
    auto [at, fresh] = numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(list_.size()));
    if (fresh) list_.push_back(at->first);
    return at->second;
  }
  explicit Names(std::vector<std::string> first = {}) : list_(std::move(first)) {
    for (std::uint32_t i = 0; i < list_.size(); ++i) numbers_[list_[i]] = i;
  }
  std::vector<std::string> list() {
    std::lock_guard lock(mutex_);
    return list_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> list_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

struct Shared {
  Moment start = Moment::now();
  Names names, shapes{std::vector<std::string>{""}};
  std::shared_ptr<MemoryLog> log;  // null where memory is not asked for
};

/// Events in blocks that stay where they are: nothing is copied as they become more.
class EventLog {
 public:
  Event& operator[](std::size_t i) { return blocks_[i / kBlock][i % kBlock]; }
  std::size_t size() const { return size_; }
  /// One more, at the end.
  Event& add() {
    if (size_ == blocks_.size() * kBlock) {
      std::vector<Event> block;
      block.reserve(kBlock);
      blocks_.push_back(std::move(block));
    }
    Event& event = blocks_.back().emplace_back();
    ++size_;
    return event;
  }
  std::vector<Event> all() const {
    std::vector<Event> list;
    list.reserve(size_);
    for (const std::vector<Event>& block : blocks_) list.insert(list.end(), block.begin(), block.end());
    return list;
  }

 private:
  static constexpr std::size_t kBlock = 1024;
  std::vector<std::vector<Event>> blocks_;
  std::size_t size_ = 0;
};

/// One thread's events while they are collected.
class Recorder final : public CallObserver {
 public:
  Recorder(Shared& shared, Options options, std::string name, std::uint32_t track)
      : shared_(shared), options_(options), number_(track) {
    name_ = std::move(name);
  }
  void begin(const ObservedCall& call) override {
    const Known& op = known(call.op);
    std::uint32_t shapes = 0;
    std::int64_t flops = 0;
    if (call.inputs && options_.shapes) shapes = shared_.shapes.of(text_of(*call.inputs));
    if (call.inputs && options_.flops && op.flops) flops = op.flops(*call.inputs);
    // Written where it stays: a copy would wait for what has just been written.
    Event& event = open(op.name);
    event.shapes = shapes;
    event.flops = flops;
    if (const Node* node = autograd::current_node()) event.differentiates = node->sequence();
    // Until the call ends, the last node that was made before it.
    event.recorded = ::tenon::detail::last_sequence;
    event.begin = ticks();
  }
  void end(const ObservedCall&) noexcept override { close(); }
  void begin_range(std::string_view name) {
    Event& event = open(shared_.names.of(name));
    event.range = true;
    event.begin = ticks();
  }
  void close() noexcept {
    if (open_.empty()) return;  // the profile stopped inside
    Event& event = events_[open_.back()];
    event.end = ticks();
    std::uint64_t last = ::tenon::detail::last_sequence;
    event.recorded = event.range || event.recorded == last ? 0 : last;
    open_.pop_back();
  }
  /// Where memory of that size is taken now.
  Block allocated(std::size_t bytes) noexcept {
    Block block{.taken = ticks(), .bytes = static_cast<std::int64_t>(bytes), .track = number_};
    if (!open_.empty()) {
      events_[open_.back()].bytes += block.bytes;
      block.event = static_cast<std::int64_t>(open_.back());
    }
    return block;
  }
  /// Ends what has not ended.
  void finish() noexcept {
    while (!open_.empty()) close();
  }
  Track track() const { return {name_, events_.all()}; }
  const std::shared_ptr<MemoryLog>& log() const { return shared_.log; }

 private:
  struct Known {
    const OperatorEntry* op = nullptr;
    std::uint32_t name = 0;
    ::tenon::detail::FlopFormula flops = nullptr;
  };
  const Known& known(const OperatorHandle& op) {
    const OperatorEntry* entry = &op.entry();
    Known& near = near_[reinterpret_cast<std::uintptr_t>(entry) / sizeof(void*) % near_.size()];
    if (near.op == entry) [[likely]]
      return near;
    auto [at, fresh] = known_.try_emplace(entry);
    if (fresh) at->second = {entry, shared_.names.of(op.name()), ::tenon::detail::flop_formula(op.name())};
    return near = at->second;
  }
  Event& open(std::uint32_t name) {
    if (open_.size() == open_.capacity()) open_.reserve(2 * open_.size() + 16);
    Event& event = events_.add();
    event.name = name;
    event.depth = static_cast<std::uint32_t>(open_.size());
    open_.push_back(events_.size() - 1);
    return event;
  }
  static std::string text_of(const Stack& inputs) {
    std::string out;
    for (const Value& v : inputs)
      ::tenon::detail::each_tensor(v, [&](const Tensor& t) {
        if (!out.empty()) out += ", ";
        ::tenon::detail::append(out, t.sym_sizes());
      });
    return out;
  }

  Shared& shared_;
  Options options_;
  std::uint32_t number_;
  std::string name_;
  EventLog events_;                // times in ticks
  std::vector<std::size_t> open_;  // places of the events that have not ended
  std::unordered_map<const OperatorEntry*, Known> known_;
  std::array<Known, 64> near_;  // of those, what most calls find at once
};

/// The innermost profile of this thread, or null.
inline Recorder* recorder_of_thread() {
  for (auto* frame = ::tenon::detail::call_observers; frame; frame = frame->outer)
    if (auto* recorder = dynamic_cast<Recorder*>(frame->observer)) return recorder;
  return nullptr;
}

/// Tells the asking thread's profile what is taken, and its log when it comes back, and passes on. One for the process,
/// in place as long as any profile asks for memory: those of several threads end in any order.
class CountingAllocator final : public Allocator {
 public:
  class User {
   public:
    User() { get().add(); }
    User(const User&) = delete;
    User& operator=(const User&) = delete;
    ~User() { get().remove(); }
  };
  DataPtr allocate(std::size_t bytes) override {
    DataPtr memory = next_.load(std::memory_order_acquire)->allocate(bytes);
    Recorder* recorder = recorder_of_thread();
    if (!recorder || !recorder->log()) return memory;
    std::shared_ptr<MemoryLog> log = recorder->log();
    std::size_t block = log->taken(recorder->allocated(bytes));
    return LoggedMemory::wrap(std::move(memory), std::move(log), block);
  }

 private:
  // Never ends: a thread may be inside when the last profile goes.
  static CountingAllocator& get() {
    static auto* one = new CountingAllocator;
    return *one;
  }
  void add() {
    std::lock_guard lock(mutex_);
    if (users_++ != 0) return;
    next_.store(&allocator(DeviceType::CPU), std::memory_order_release);
    before_ = set_allocator(DeviceType::CPU, this);
  }
  void remove() {
    std::lock_guard lock(mutex_);
    if (--users_ == 0) set_allocator(DeviceType::CPU, before_);
  }

  std::mutex mutex_;
  int users_ = 0;
  std::atomic<Allocator*> next_{nullptr};
  Allocator* before_ = nullptr;
};

}  // namespace tenon::profiler::detail
