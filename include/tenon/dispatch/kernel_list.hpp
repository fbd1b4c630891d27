// The kernels of one operator: most have one or a few.
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include <tenon/boxing/kernel.hpp>

namespace tenon {

struct KeyedKernel {
  DispatchKey key;
  intrusive_ptr<Kernel::State> kernel;
};

/// A list in which one element takes no memory of its own. Neither copied nor moved.
class KernelList {
 public:
  KernelList() = default;
  KernelList(const KernelList&) = delete;
  KernelList& operator=(const KernelList&) = delete;
  ~KernelList() {
    for (KeyedKernel& k : *this) k.~KeyedKernel();
    if (room_ > 1) ::operator delete(begin());
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  KeyedKernel* begin() { return room_ > 1 ? many_ : reinterpret_cast<KeyedKernel*>(one_); }
  KeyedKernel* end() { return begin() + size_; }
  const KeyedKernel* begin() const { return const_cast<KernelList*>(this)->begin(); }
  const KeyedKernel* end() const { return begin() + size_; }

  /// Before `at`. If there is no memory nothing changes.
  void insert(const KeyedKernel* at, KeyedKernel kernel) {
    std::size_t i = static_cast<std::size_t>(at - begin());
    if (size_ == room_) grow();
    KeyedKernel* items = begin();
    new (items + size_) KeyedKernel(std::move(kernel));
    for (std::size_t j = size_++; j > i; --j) std::swap(items[j], items[j - 1]);
  }
  void erase(const KeyedKernel* at) {
    KeyedKernel* last = end() - 1;
    for (auto* k = const_cast<KeyedKernel*>(at); k != last; ++k) std::swap(k[0], k[1]);
    --size_;
    last->~KeyedKernel();
  }

 private:
  void grow() {
    std::uint32_t room = room_ > 1 ? 2 * room_ : 3;
    auto* more = static_cast<KeyedKernel*>(::operator new(room * sizeof(KeyedKernel)));
    KeyedKernel* before = begin();
    for (std::uint32_t i = 0; i < size_; ++i) {
      new (more + i) KeyedKernel(std::move(before[i]));
      before[i].~KeyedKernel();
    }
    if (room_ > 1) ::operator delete(before);
    many_ = more;
    room_ = room;
  }
  std::uint32_t size_ = 0, room_ = 1;
  union {
    alignas(KeyedKernel) unsigned char one_[sizeof(KeyedKernel)];
    KeyedKernel* many_;
  };
};

}  // namespace tenon
