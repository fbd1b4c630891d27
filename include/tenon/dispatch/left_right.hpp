// Two copies of a value, so that readers never wait: Ramalhete and Correia, "Left-Right", 2015.
#pragma once
#include <sched.h>

#include <utility>

#include <tenon/base/mutex.hpp>

namespace tenon {

/// Readers see one copy while a writer changes the other; then they change places and the writer does its work again.
template <class T>
class LeftRight {
 public:
  LeftRight() = default;
  explicit LeftRight(const T& value) : copies_{value, value} {}
  LeftRight(const LeftRight&) = delete;
  LeftRight& operator=(const LeftRight&) = delete;
  ~LeftRight() {
    Writer lock(writer_);
    wait_for(0);
    wait_for(1);
  }

  /// Calls `f(const T&)`; never blocks, may nest, passes exceptions on. Must not call `write`.
  template <class F>
  decltype(auto) read(F&& f) const {
    struct Count {
      Atomic<int>& n;
      explicit Count(Atomic<int>& counter) : n(counter) { n.fetch_add(1); }
      Count(const Count&) = delete;
      Count& operator=(const Count&) = delete;
      ~Count() { n.fetch_sub(1); }
    } count(readers_[phase_.load()]);
    return std::forward<F>(f)(copies_[front_.load()]);
  }

  /// Calls `f(T&)` twice, once for each copy; it must do the same both times. If the first call throws, nothing
  /// changed; if the second does, the change stays. Writers exclude each other. Returns what the second call returns.
  template <class F>
  auto write(F&& f) {
    Writer lock(writer_);
    int front = front_.load();
    try {
      f(copies_[1 - front]);
    } catch (...) {
      copies_[1 - front] = copies_[front];
      throw;
    }
    front_.store(1 - front);
    // Readers that counted themselves in either phase before the change may still read the old copy.
    int phase = phase_.load();
    wait_for(1 - phase);
    phase_.store(1 - phase);
    wait_for(phase);
    try {
      return f(copies_[front]);
    } catch (...) {
      copies_[front] = copies_[1 - front];
      throw;
    }
  }

 private:
  struct Writer {
    Mutex& mutex;
    explicit Writer(Mutex& m) : mutex(m) { mutex.lock(); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { mutex.unlock(); }
  };
  void wait_for(int phase) const {
    while (readers_[phase].load() != 0) sched_yield();
  }
  mutable Atomic<int> readers_[2]{};
  Atomic<int> phase_{0}, front_{0};
  Mutex writer_;
  T copies_[2]{};
};

}  // namespace tenon
