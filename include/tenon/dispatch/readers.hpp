// Which calls may still use a table that was replaced: the epochs of the threads that are inside such a call.
#pragma once
#include <cstdint>

#include <tenon/base/atomic.hpp>
#include <tenon/base/shared_object.hpp>

namespace tenon::detail {

/// One thread's mark. Marks are never freed: a thread that ends leaves its own to the next one.
struct Reader {
  Atomic<std::uint64_t> epoch{0};  ///< 0 outside of calls
  Atomic<bool> used{true};
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
  bool passed(std::uint64_t epoch, bool but_mine = false) const;
  /// Waits until those calls have ended; gives up after ten seconds, so that a thread that never returns does not
  /// keep the program from ending.
  bool wait(std::uint64_t epoch) const;

 private:
  struct Leave {
    Reader* reader;
    ~Leave() {
      reader->epoch.store(0);
      reader->used.store(false);
      current_reader = nullptr;
    }
  };
  static Reader& join(Readers& all);
  // By a pointer to the code of whoever owns the registry: a thread's destructors would keep a plugin from unloading.
  Reader& (*join_)(Readers&) = &join;
  Atomic<std::uint64_t> epoch_{1};
  Atomic<Reader*> first_{nullptr};
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
    if (--reader_.depth == 0) reader_.epoch.store(0, MemoryOrder::Release);
  }

 private:
  Reader& reader_;
};

}  // namespace tenon::detail
