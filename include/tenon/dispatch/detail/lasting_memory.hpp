// Where the registry keeps names and definitions.
#pragma once
#include <cstddef>
#include <new>
#include <utility>

namespace tenon::detail {

/// Memory for words that is never given back, in blocks.
class LastingMemory {
 public:
  char* take(std::size_t size) {
    size = (size + alignof(void*) - 1) & ~(alignof(void*) - 1);
    if (size > left_) {
      std::size_t bytes = size > kBlock ? size : kBlock;
      next_ = static_cast<char*>(::operator new(bytes));
      left_ = bytes;  // last: what throws leaves the block before
    }
    left_ -= size;
    return std::exchange(next_, next_ + size);
  }

 private:
  static constexpr std::size_t kBlock = 16 * 1024 - 64;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

/// Memory for definitions, which come and go: what one gives back serves the next of its size.
class DefinitionMemory {
 public:
  void* take(std::size_t size) {
    std::size_t at = (size + 7) / 8;
    if (at >= kSizes) return ::operator new(size);
    if (void* block = free_[at]) return free_[at] = *static_cast<void**>(block), block;
    return memory_.take(size);
  }
  void give(void* block, std::size_t size) noexcept {
    std::size_t at = (size + 7) / 8;
    if (at >= kSizes) return ::operator delete(block);
    *static_cast<void**>(block) = std::exchange(free_[at], block);
  }
  /// A block that goes back unless it is kept.
  class Block {
   public:
    Block(DefinitionMemory& memory, std::size_t size)
        : memory_(memory), size_(size), block_(size != 0 ? memory.take(size) : nullptr) {}
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    ~Block() {
      if (block_) memory_.give(block_, size_);
    }
    void* keep() { return std::exchange(block_, nullptr); }

   private:
    DefinitionMemory& memory_;
    std::size_t size_;
    void* block_;
  };

 private:
  static constexpr std::size_t kSizes = 129;  // larger ones than 1 KiB are rare
  LastingMemory memory_;
  void* free_[kSizes] = {};
};

}  // namespace tenon::detail
