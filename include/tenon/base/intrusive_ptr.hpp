// Shared ownership by a count inside the object; strong references keep the object, weak ones its memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tenon/base/atomic.hpp>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define TENON_INTERNAL_ONE_THREAD __libc_single_threaded
#else
#define TENON_INTERNAL_ONE_THREAD 0
#endif

namespace tenon {

/// Base of everything that an `intrusive_ptr` may own. A new object counts one strong reference, which
/// `intrusive_ptr::adopt` takes over. All strong references together hold one weak one.
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) : RefCounted() {}
  RefCounted& operator=(const RefCounted&) { return *this; }

  std::uint32_t use_count() const noexcept { return static_cast<std::uint32_t>(counts_.load(MemoryOrder::Acquire)); }
  std::uint32_t weak_use_count() const noexcept {
    return static_cast<std::uint32_t>(counts_.load(MemoryOrder::Acquire) >> 32);
  }
  /// Whether both counts are these, at one time.
  bool has_counts(std::uint32_t strong, std::uint32_t weak) const noexcept {
    return counts_.load(MemoryOrder::Acquire) == (kOneWeak * weak | strong);
  }
  /// Adds a strong reference; the caller must already hold one.
  [[gnu::always_inline]] void retain() const noexcept { add(1, MemoryOrder::Relaxed); }
  /// Gives up a strong reference. A lone owner is released by a load, not by a locked operation.
  void release() const noexcept {
    if (has_counts(1, 1)) {
      counts_.store(kOneWeak, MemoryOrder::Relaxed);
      const_cast<RefCounted*>(this)->destroy();
      return;
    }
    if (static_cast<std::uint32_t>(add(std::uint64_t{0} - 1, MemoryOrder::AcqRel)) == 1) last_strong_gone();
  }
  void retain_weak() const noexcept { add(kOneWeak, MemoryOrder::Relaxed); }
  void release_weak() const noexcept {
    if (add(0 - kOneWeak, MemoryOrder::AcqRel) >> 32 == 1) const_cast<RefCounted*>(this)->destroy();
  }
  /// A strong reference from a weak one, or false when the object is gone.
  bool try_retain() const noexcept {
    auto counts = counts_.load(MemoryOrder::Relaxed);
    while (static_cast<std::uint32_t>(counts) != 0)
      if (counts_.compare_exchange_weak(counts, counts + 1, MemoryOrder::AcqRel)) return true;
    return false;
  }

 protected:
  /// An object whose memory others already need: `weak` counts them and the one for all strong references.
  explicit RefCounted(std::uint32_t weak) : counts_(kOneWeak * weak | 1) {}
  virtual ~RefCounted() = default;
  /// Gives up what the object holds once no strong reference is left; weak ones may still exist.
  virtual void release_resources() noexcept {}
  /// Ends the object and returns its memory.
  virtual void destroy() noexcept { delete this; }

 private:
  // Out of line: what is left of release() ends in a call, so that it saves no register.
  [[gnu::noinline]] void last_strong_gone() const noexcept {
    const_cast<RefCounted*>(this)->release_resources();
    release_weak();
  }
  /// Changes both counts at once and returns them as they were. A locked operation costs as much as the rest of a call,
  /// so a process without a second thread does without.
  [[gnu::always_inline]] std::uint64_t add(std::uint64_t by, MemoryOrder order) const noexcept {
    if (TENON_INTERNAL_ONE_THREAD) {
      std::uint64_t before = counts_.load(MemoryOrder::Relaxed);
      counts_.store(before + by, MemoryOrder::Relaxed);
      return before;
    }
    return counts_.fetch_add(by, order);
  }

  // In one word, the weak ones in its upper half: who asks for both reads what was written whole, which costs the
  // processor nothing.
  static constexpr std::uint64_t kOneWeak = std::uint64_t{1} << 32;
  mutable Atomic<std::uint64_t> counts_{kOneWeak | 1};
};

template <class T>
class intrusive_ptr {
 public:
  using element_type = T;
  constexpr intrusive_ptr() noexcept = default;
  constexpr intrusive_ptr(std::nullptr_t) noexcept {}
  intrusive_ptr(const intrusive_ptr& other) noexcept : object_(other.object_) {
    if (object_) object_->retain();
  }
  intrusive_ptr(intrusive_ptr&& other) noexcept : object_(other.release()) {}
  template <class U>
    requires(std::is_convertible_v<U*, T*>)
  intrusive_ptr(intrusive_ptr<U> other)
  noexcept : object_(other.release()) {}
  intrusive_ptr& operator=(intrusive_ptr other) noexcept {
    swap(other);
    return *this;
  }
  ~intrusive_ptr() {
    if (object_) object_->release();
  }

  /// Takes over the reference that the caller holds.
  static intrusive_ptr adopt(T* object) noexcept {
    intrusive_ptr p;
    p.object_ = object;
    return p;
  }
  /// Adds a reference to an object that somebody else holds.
  static intrusive_ptr share(T* object) noexcept {
    if (object) object->retain();
    return adopt(object);
  }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  /// Gives the reference to the caller.
  [[nodiscard]] T* release() noexcept {
    T* object = object_;
    object_ = nullptr;
    return object;
  }
  void reset() noexcept { intrusive_ptr().swap(*this); }
  // By hand: what std::exchange and std::swap check of each T is a part of what every unit compiles.
  void swap(intrusive_ptr& other) noexcept {
    T* object = object_;
    object_ = other.object_;
    other.object_ = object;
  }
  friend void swap(intrusive_ptr& a, intrusive_ptr& b) noexcept { a.swap(b); }
  friend bool operator==(const intrusive_ptr& a, const intrusive_ptr& b) noexcept { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

template <class T, class... Args>
intrusive_ptr<T> make_intrusive(Args&&... args) {
  return intrusive_ptr<T>::adopt(new T(std::forward<Args>(args)...));
}

template <class T>
class weak_intrusive_ptr {
 public:
  weak_intrusive_ptr() noexcept = default;
  explicit weak_intrusive_ptr(const intrusive_ptr<T>& p) noexcept : object_(p.get()) {
    if (object_) object_->retain_weak();
  }
  weak_intrusive_ptr(const weak_intrusive_ptr& other) noexcept : object_(other.object_) {
    if (object_) object_->retain_weak();
  }
  weak_intrusive_ptr(weak_intrusive_ptr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  weak_intrusive_ptr& operator=(weak_intrusive_ptr other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~weak_intrusive_ptr() {
    if (object_) object_->release_weak();
  }

  /// The object, or null when its last strong reference is gone.
  intrusive_ptr<T> lock() const noexcept {
    return object_ && object_->try_retain() ? intrusive_ptr<T>::adopt(object_) : intrusive_ptr<T>();
  }
  bool expired() const noexcept { return !object_ || object_->use_count() == 0; }
  T* unsafe_get() const noexcept { return object_; }
  void swap(weak_intrusive_ptr& other) noexcept { std::swap(object_, other.object_); }
  friend void swap(weak_intrusive_ptr& a, weak_intrusive_ptr& b) noexcept { a.swap(b); }

 private:
  T* object_ = nullptr;
};

}  // namespace tenon

#undef TENON_INTERNAL_ONE_THREAD
