// Small memory blocks from thread-local free lists.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <tenon/keys/local_keys.hpp>

// Free lists hide a use after free from AddressSanitizer and a race from ThreadSanitizer.
#if !defined(TENON_NO_FREE_LISTS)
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TENON_NO_FREE_LISTS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define TENON_NO_FREE_LISTS 1
#endif
#endif
#endif
#ifndef TENON_NO_FREE_LISTS
#define TENON_NO_FREE_LISTS 0
#endif

namespace tenon::detail {

inline constexpr std::size_t kBlockAlignment = 64;       // bytes: a cache line, and the widest vector
inline constexpr std::size_t kLargestBlock = 8192;       // bytes
inline constexpr unsigned kBlockClasses = 12;            // 64 .. 512 in steps of 64, then powers of two
inline constexpr std::size_t kKeptPerClass = 128 << 10;  // bytes that one thread keeps of each class

[[gnu::always_inline]] constexpr unsigned block_class(std::size_t bytes) {
  if (bytes <= 512) return bytes == 0 ? 0 : static_cast<unsigned>((bytes - 1) / 64);
  return 7 + bit_length((bytes - 1) >> 9);
}
constexpr std::size_t block_bytes(unsigned cls) {
  return cls < 8 ? (cls + 1) * std::size_t{64} : std::size_t{512} << (cls - 7);
}
static_assert(block_class(512) == 7 && block_class(513) == 8 && block_bytes(block_class(8192)) == 8192 &&
                  block_class(8192) == kBlockClasses - 1,
              "tenon: every size up to the largest block has a class");

struct BlockCache {
  struct Free {
    Free* next;
  };
  Free* head[kBlockClasses];
  std::uint32_t room[kBlockClasses];  // how many more blocks may be kept; 0 before first use and after the thread's end
  bool ended;
};
inline constinit thread_local BlockCache block_cache TENON_TLS_MODEL{};

/// Memory from the system, at a multiple of 64; throws OutOfMemoryError.
void* system_block(std::size_t bytes);
/// Gives back a block of a class of which the thread may keep no more, or not yet any.
void give_uncached_block(void* block, unsigned cls) noexcept;

/// A block of a class that the thread has kept, or null.
[[gnu::always_inline]] inline void* take_kept_block(unsigned cls) {
  auto* block = block_cache.head[cls];
  if (TENON_NO_FREE_LISTS || !block) [[unlikely]]
    return nullptr;
  block_cache.head[cls] = block->next;
  ++block_cache.room[cls];
  return block;
}
/// A block of a class, at a multiple of 64; throws OutOfMemoryError.
[[gnu::always_inline]] inline void* take_block_of(unsigned cls) {
  void* block = take_kept_block(cls);
  return block ? block : system_block(block_bytes(cls));
}
/// Gives back a block of a class.
[[gnu::always_inline]] inline void give_block_of(void* block, unsigned cls) noexcept {
  if (TENON_NO_FREE_LISTS || block_cache.room[cls] == 0) [[unlikely]]
    return give_uncached_block(block, cls);
  --block_cache.room[cls];
  auto* freed = static_cast<BlockCache::Free*>(block);
  freed->next = block_cache.head[cls];
  block_cache.head[cls] = freed;
}
/// At least `bytes` bytes at a multiple of 64; throws OutOfMemoryError.
[[gnu::always_inline]] inline void* take_block(std::size_t bytes) {
  // The exact size lets a sanitizer see what lies behind it.
  if (TENON_NO_FREE_LISTS || bytes > kLargestBlock) return system_block(bytes);
  return take_block_of(block_class(bytes));
}
/// Gives back a block that `take_block` made with the same size.
inline void give_block(void* block, std::size_t bytes) noexcept {
  if (bytes > kLargestBlock)
    std::free(block);
  else
    give_block_of(block, block_class(bytes));
}

}  // namespace tenon::detail

/// Gives a class `operator new` and `delete` on the thread's free lists.
#define TENON_INTERNAL_BLOCK_ALLOCATED                                                        \
  static void* operator new(std::size_t bytes) { return ::tenon::detail::take_block(bytes); } \
  static void* operator new(std::size_t, void* place) noexcept { return place; }              \
  static void operator delete(void* block, std::size_t bytes) noexcept { ::tenon::detail::give_block(block, bytes); }
