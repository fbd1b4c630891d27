// The CPU's allocator with its cache of large blocks.
#pragma once
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <tenon/base/body.hpp>
#include <tenon/base/component.hpp>
#include <tenon/base/error.hpp>
#include <tenon/tensor/allocator.hpp>

namespace tenon {

namespace detail {

TENON_BODY void fill_fresh(void* data, std::size_t bytes) {
  switch (cpu_fill.load(MemoryOrder::Relaxed)) {
    case CpuFill::None: return;
    case CpuFill::Zero: std::memset(data, 0, bytes); return;
    case CpuFill::Junk: std::memset(data, 0x7f, bytes); return;  // a huge finite float, a NaN double, a large integer
  }
}

/// `1.5 GiB`, `300 bytes`
inline std::string byte_text(std::size_t bytes) {
  constexpr const char* units[] = {" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  int unit = 0;
  for (std::size_t rest = bytes >> 20; rest > 0; rest >>= 10) ++unit;
  std::size_t tenths = (bytes >> (10 * unit)) * 10 >> 10;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + units[unit];
}

inline constexpr std::size_t kLargeAlignment = 4096;  // bytes: operands equal modulo a page are the best case
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Asks for pages of a NUMA node before they are touched. Without <numaif.h>, which is another package's.
inline void prefer_numa_node(void* data, std::size_t bytes, int node) {
#ifdef SYS_mbind
  constexpr int kPreferred = 1;
  constexpr int kBits = 8 * sizeof(unsigned long);
  if (node < 0 || node >= kBits) return;
  unsigned long nodes = 1UL << node;
  syscall(SYS_mbind, data, bytes, kPreferred, &nodes, static_cast<unsigned long>(kBits), 0U);
#else
  (void)data, (void)bytes, (void)node;
#endif
}

/// The process's CPU allocator. Fresh pages cost more than the arithmetic on them, so freed large blocks are kept.
class CpuAllocator final : public Allocator {
 public:
  DataPtr allocate(std::size_t bytes) override {
    if (bytes == 0) return DataPtr(nullptr, kCPU);
    if (bytes > SIZE_MAX / 2) refuse(bytes, 0);
    Block* block = bytes >= kSmallest ? take_kept(bytes) : nullptr;
    if (!block) block = make_block(bytes);
    if (block->bytes >= kSmallest) in_use_.fetch_add(block->bytes, std::memory_order_relaxed);
    fill_fresh(block->data, bytes);
    return DataPtr(
        block->data, block, [](void* context) { instance().give(static_cast<Block*>(context)); }, kCPU);
  }

  static CpuAllocator& instance() {
    // Never destroyed: tensors with static storage give their memory back after every other static object is gone.
    alignas(CpuAllocator) static unsigned char memory[sizeof(CpuAllocator)];
    static CpuAllocator* allocator = new (memory) CpuAllocator;
    return *allocator;
  }

  void set_cache_limit(std::size_t bytes) {
    {
      std::lock_guard lock(mutex_);
      limit_ = bytes;
    }
    trim();
  }
  std::size_t kept_bytes() {
    std::lock_guard lock(mutex_);
    return kept_;
  }
  void empty_cache() { trim(0); }
  void set_numa_node(int node) { numa_node_.store(node, std::memory_order_relaxed); }

 private:
  struct Block {
    void* data;
    std::size_t bytes;
    bool mapped;
  };
  static constexpr std::size_t kSmallest = std::size_t{64} << 10;  // bytes; smaller blocks are malloc's business

  /// Asks again where kept blocks could be given back.
  Block* make_block(std::size_t bytes) {
    if (Block* block = system_memory(bytes)) return block;
    std::size_t returned = kept_bytes();
    if (returned == 0) refuse(bytes, 0);
    trim(0);
    if (Block* block = system_memory(bytes)) return block;
    refuse(bytes, returned);
  }
  [[noreturn, gnu::cold]] void refuse(std::size_t bytes, std::size_t returned) {
    std::string text;
    if (std::size_t held = in_use_.load(std::memory_order_relaxed))
      text = "; tensors of " + byte_text(kSmallest) + " and more hold " + byte_text(held);
    if (returned > 0) text += "; " + byte_text(returned) + " of freed memory that was kept were given back before";
    fail<OutOfMemoryError>("CPU allocator: cannot allocate ", bytes, " bytes (", byte_text(bytes), ")", text);
  }
  static std::size_t alignment_of(std::size_t bytes) {
    return bytes >= kHugePage ? kHugePage : bytes >= kLargeAlignment ? kLargeAlignment : kBlockAlignment;
  }
  /// The bytes of a block for so many.
  static std::size_t rounded_size(std::size_t bytes) {
    std::size_t alignment = alignment_of(bytes);
    return (bytes + alignment - 1) & ~(alignment - 1);
  }
  /// Fresh memory, or null.
  Block* system_memory(std::size_t bytes) {
    auto block = std::make_unique<Block>();
    std::size_t rounded = rounded_size(bytes);
    if (bytes >= kHugePage) {
      // One huge page more, to cut an aligned range out of.
      void* raw = mmap(nullptr, rounded + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (raw == MAP_FAILED) return nullptr;
      auto start = reinterpret_cast<std::uintptr_t>(raw), aligned = (start + kHugePage - 1) & ~(kHugePage - 1);
      if (aligned != start) munmap(raw, aligned - start);
      if (std::size_t tail = kHugePage - (aligned - start)) munmap(reinterpret_cast<void*>(aligned + rounded), tail);
#ifdef MADV_HUGEPAGE
      madvise(reinterpret_cast<void*>(aligned), rounded, MADV_HUGEPAGE);
#endif
      prefer_numa_node(reinterpret_cast<void*>(aligned), rounded, numa_node_.load(std::memory_order_relaxed));
      *block = {reinterpret_cast<void*>(aligned), rounded, true};
    } else {
      void* data = std::aligned_alloc(alignment_of(bytes), rounded);
      if (!data) return nullptr;
      *block = {data, rounded, false};
    }
    return block.release();
  }
  static void free_block(Block* block) {
    if (block->mapped)
      munmap(block->data, block->bytes);
    else
      std::free(block->data);
    delete block;
  }
  /// The smallest kept block that fits and wastes at most a quarter more than a fresh one.
  Block* take_kept(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    std::size_t best = blocks_.size(), most = rounded_size(bytes) + bytes / 4 + kLargeAlignment;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (blocks_[i]->bytes >= bytes && blocks_[i]->bytes <= most &&
          (best == blocks_.size() || blocks_[i]->bytes < blocks_[best]->bytes))
        best = i;
    if (best == blocks_.size()) return nullptr;
    Block* block = blocks_[best];
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(best));
    kept_ -= block->bytes;
    return block;
  }
  void give(Block* block) {
    if (block->bytes >= kSmallest) in_use_.fetch_sub(block->bytes, std::memory_order_relaxed);
    if (!TENON_NO_FREE_LISTS && block->bytes >= kSmallest) {
      std::lock_guard lock(mutex_);
      if (kept_ + block->bytes <= limit_) {
        kept_ += block->bytes;
        if (blocks_.size() < kMostBlocks) return blocks_.push_back(block);
        // The block that nobody has taken for longest makes room.
        kept_ -= blocks_.front()->bytes;
        std::rotate(blocks_.begin(), blocks_.begin() + 1, blocks_.end());
        std::swap(blocks_.back(), block);
      }
    }
    free_block(block);
  }
  void trim() { trim(limit_); }
  void trim(std::size_t limit) {
    std::vector<Block*> out;
    {
      std::lock_guard lock(mutex_);
      while (!blocks_.empty() && kept_ > limit) {
        out.push_back(blocks_.front());
        kept_ -= blocks_.front()->bytes;
        blocks_.erase(blocks_.begin());
      }
    }
    for (Block* block : out) free_block(block);
  }

  static constexpr std::size_t kMostBlocks = 64;
  CpuAllocator() { blocks_.reserve(kMostBlocks); }
  ~CpuAllocator() override = default;

  std::atomic<std::size_t> in_use_{0};
  std::atomic<int> numa_node_{-1};
  std::mutex mutex_;
  std::vector<Block*> blocks_;
  std::size_t kept_ = 0, limit_ = std::size_t{1} << 30;
};

}  // namespace detail

TENON_BODY Allocator& allocator(DeviceType device) {
  if (auto* custom = detail::custom_allocators[static_cast<int>(device)].load(MemoryOrder::Acquire)) return *custom;
  if (device == DeviceType::CPU) return detail::CpuAllocator::instance();
  TENON_CHECK(device != DeviceType::CUDA || cuda::is_built(), NotImplementedError, cuda::kNoComponent);
  fail<NotImplementedError>("no allocator for device type ", to_string(device), "; register one with set_allocator()");
}

TENON_BODY Allocator* set_allocator(DeviceType device, Allocator* allocator) {
  return detail::custom_allocators[static_cast<int>(device)].exchange(allocator, MemoryOrder::AcqRel);
}

TENON_BODY void set_cpu_cache_limit(std::size_t bytes) { detail::CpuAllocator::instance().set_cache_limit(bytes); }
TENON_BODY void set_cpu_numa_node(int node) { detail::CpuAllocator::instance().set_numa_node(node); }
TENON_BODY void empty_cpu_cache() { detail::CpuAllocator::instance().empty_cache(); }

}  // namespace tenon
