// Memory of the lists of a run.
#pragma once
#include <cstddef>

#include <tenon/tensor/blocks.hpp>

namespace tenon::autograd::detail {

/// Of the blocks that the thread keeps, where a graph is small.
template <class T>
struct BlockAllocator {
  using value_type = T;
  BlockAllocator() = default;
  template <class U>
  BlockAllocator(const BlockAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(tenon::detail::take_block(n * sizeof(T))); }
  void deallocate(T* block, std::size_t n) noexcept { tenon::detail::give_block(block, n * sizeof(T)); }
  friend bool operator==(const BlockAllocator&, const BlockAllocator&) { return true; }
};

}  // namespace tenon::autograd::detail
