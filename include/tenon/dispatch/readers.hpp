// Which calls may still use a table that was replaced: the epochs of the threads that are inside such a call.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include <tenon/base/shared_object.hpp>

namespace tenon::detail {

/// One thread's mark. Marks are never freed: a thread that ends leaves its own to the next one.
struct Reader {
  std::atomic<std::uint64_t> epoch{0};  ///< 0 outside of calls
  std::atomic<bool> used{true};
  std::uint32_t depth = 0;
  Reader* next = nullptr;
};
TENON_THREAD_WORD(Reader*, current_reader, nullptr);

/// Only calls by way of a special table mark their thread. A table that calls reach without a mark is never freed, and
/// an operator keeps at most a few of those before it goes over to special ones.
class Readers {
 public:
  Reader& mine() { return current_reader ? *current_reader : join_(*this); }
  std::uint64_t epoch() const { return epoch_.load(); }
  /// After something became unreachable: a call that may still use it has a mark of at most this epoch.
  std::uint64_t advance() { return epoch_.fetch_add(1); }
  /// Whether every call of that epoch or before has ended, those of this thread left out if asked.
  bool passed(std::uint64_t epoch, bool but_mine = false) const {
    for (Reader* r = first_.load(); r; r = r->next) {
      std::uint64_t at = r->epoch.load();
      if (at != 0 && at <= epoch && !(but_mine && r == current_reader)) return false;
    }
    return true;
  }
  /// Waits until those calls have ended; gives up after ten seconds, so that a thread that never returns does not
  /// keep the program from ending.
  bool wait(std::uint64_t epoch) const {
    for (int i = 0; i < 100'000; ++i) {
      if (passed(epoch, true)) return true;
      if (i < 64)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    return false;
  }

 private:
  struct Leave {
    Reader* reader;
    ~Leave() {
      reader->epoch.store(0);
      reader->used.store(false);
      current_reader = nullptr;
    }
  };
  static Reader& join(Readers& all) {
    Reader* mine = nullptr;
    for (Reader* r = all.first_.load(); r && !mine; r = r->next)
      if (bool free = false; r->used.compare_exchange_strong(free, true)) mine = r;
    if (!mine) {
      mine = new Reader;
      mine->next = all.first_.load();
      while (!all.first_.compare_exchange_weak(mine->next, mine)) {}
    }
    mine->depth = 0;
    current_reader = mine;
    static thread_local Leave leave{mine};
    leave.reader = mine;
    return *mine;
  }
  // By a pointer to the code of whoever owns the registry: a thread's destructors would keep a plugin from unloading.
  Reader& (*join_)(Readers&) = &join;
  std::atomic<std::uint64_t> epoch_{1};
  std::atomic<Reader*> first_{nullptr};
};

/// Marks the thread for as long as a call lasts.
class CallSection {
 public:
  explicit CallSection(Readers& readers) : reader_(readers.mine()) {
    if (reader_.depth++ == 0) reader_.epoch.store(readers.epoch());
  }
  CallSection(const CallSection&) = delete;
  CallSection& operator=(const CallSection&) = delete;
  ~CallSection() {
    if (--reader_.depth == 0) reader_.epoch.store(0, std::memory_order_release);
  }

 private:
  Reader& reader_;
};

}  // namespace tenon::detail
