// Small memory blocks: what a thread keeps, and what the system gives.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/error.hpp>
#include <tenon/tensor/blocks.hpp>

namespace tenon::detail {

/// Returns what a thread kept when it ends; blocks freed later in its end go straight to the system.
struct BlockCacheOwner {
  BlockCacheOwner() {
    for (unsigned c = 0; c < kBlockClasses; ++c)
      block_cache.room[c] = static_cast<std::uint32_t>(kKeptPerClass / block_bytes(c));
  }
  ~BlockCacheOwner() {
    for (unsigned c = 0; c < kBlockClasses; ++c) {
      block_cache.room[c] = 0;
      for (auto* block = block_cache.head[c]; block;) {
        auto* next = block->next;
        std::free(block);
        block = next;
      }
      block_cache.head[c] = nullptr;
    }
    block_cache.ended = true;
  }
};

TENON_BODY void* system_block(std::size_t bytes) {
  void* block = std::aligned_alloc(kBlockAlignment, (bytes + kBlockAlignment - 1) & ~(kBlockAlignment - 1));
  if (!block) fail<OutOfMemoryError>("cannot allocate ", bytes, " bytes");
  return block;
}
TENON_BODY void give_uncached_block(void* block, unsigned cls) noexcept {
  if (!TENON_NO_FREE_LISTS && !block_cache.ended && !block_cache.head[cls]) {
    // The first block that this thread frees.
    static thread_local BlockCacheOwner owner;
    (void)owner;
    if (block_cache.room[cls] != 0) return give_block_of(block, cls);
  }
  std::free(block);
}

}  // namespace tenon::detail
