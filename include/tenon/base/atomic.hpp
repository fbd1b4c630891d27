// A word that threads share, without <atomic>, which is a seventh of what a unit that declares operators compiles.
#pragma once
#include <type_traits>

namespace tenon {

enum class MemoryOrder : int {
  Relaxed = __ATOMIC_RELAXED,
  Acquire = __ATOMIC_ACQUIRE,
  Release = __ATOMIC_RELEASE,
  AcqRel = __ATOMIC_ACQ_REL,
  SeqCst = __ATOMIC_SEQ_CST,
};

/// `std::atomic` of a word that the processor changes at once, for headers that every operator needs; what waits
/// or notifies asks the standard's of `word()`.
template <class T>
  requires std::is_scalar_v<T>
class Atomic {
 public:
  constexpr Atomic(T value = {}) : value_(value) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load(MemoryOrder order = MemoryOrder::SeqCst) const {
    T value;
    __atomic_load(&value_, &value, static_cast<int>(order));
    return value;
  }
  void store(T value, MemoryOrder order = MemoryOrder::SeqCst) {
    __atomic_store(&value_, &value, static_cast<int>(order));
  }
  /// Returns the value before.
  T exchange(T value, MemoryOrder order = MemoryOrder::SeqCst) {
    T before;
    __atomic_exchange(&value_, &value, &before, static_cast<int>(order));
    return before;
  }
  /// Sets `value` where it finds `expected`, else `expected` to what it found, which acquires. May fail without cause.
  bool compare_exchange_weak(T& expected, T value, MemoryOrder order = MemoryOrder::SeqCst) {
    return __atomic_compare_exchange(&value_, &expected, &value, true, static_cast<int>(order), __ATOMIC_ACQUIRE);
  }
  bool compare_exchange_strong(T& expected, T value, MemoryOrder order = MemoryOrder::SeqCst) {
    return __atomic_compare_exchange(&value_, &expected, &value, false, static_cast<int>(order), __ATOMIC_ACQUIRE);
  }
  /// Both return the value before.
  T fetch_add(T by, MemoryOrder order = MemoryOrder::SeqCst) {
    return __atomic_fetch_add(&value_, by, static_cast<int>(order));
  }
  T fetch_sub(T by, MemoryOrder order = MemoryOrder::SeqCst) {
    return __atomic_fetch_sub(&value_, by, static_cast<int>(order));
  }
  /// The word itself, for what waits for it to change.
  T& word() { return value_; }

 private:
  T value_;
};

}  // namespace tenon
