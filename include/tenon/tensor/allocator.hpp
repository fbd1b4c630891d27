// Who gives memory to tensors: the interface, and the settings of the CPU's allocator.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tenon/base/atomic.hpp>
#include <tenon/base/device.hpp>
#include <tenon/base/shared_object.hpp>
#include <tenon/tensor/blocks.hpp>

namespace tenon {

/// Owned memory: a pointer, and a context that a function returns when the owner ends. Move-only.
class DataPtr {
 public:
  using Deleter = void (*)(void* context);
  DataPtr() = default;
  DataPtr(void* data, void* context, Deleter ender, Device device)
      : data_(data), context_(context), deleter_(ender), device_(device) {}
  /// Memory that somebody else owns.
  DataPtr(void* data, Device device) : data_(data), device_(device) {}
  DataPtr(DataPtr&& o) noexcept { take(o); }
  DataPtr& operator=(DataPtr&& o) noexcept {
    if (this != &o) {
      clear();
      take(o);
    }
    return *this;
  }
  ~DataPtr() { clear(); }
  void clear() noexcept {
    Deleter ender = deleter_;
    void* ends = context_;
    forget();
    if (ender) ender(ends);
  }
  void* get() const { return data_; }
  void* context() const { return context_; }
  Deleter deleter() const { return deleter_; }
  Device device() const { return device_; }
  explicit operator bool() const { return data_ != nullptr || context_ != nullptr; }

 private:
  void forget() noexcept {
    data_ = context_ = nullptr;
    deleter_ = nullptr;
  }
  void take(DataPtr& o) noexcept {
    data_ = o.data_;
    context_ = o.context_;
    deleter_ = o.deleter_;
    device_ = o.device_;
    o.forget();
  }

  void* data_ = nullptr;
  void* context_ = nullptr;
  Deleter deleter_ = nullptr;
  Device device_;
};

/// Where memory of one device type comes from. Implementations must be safe to call from any thread.
class Allocator {
 public:
  virtual ~Allocator() = default;
  /// `bytes` bytes, aligned for any element type; for 0 bytes a null pointer is fine. Throws OutOfMemoryError.
  virtual DataPtr allocate(std::size_t bytes) = 0;
};

/// What fresh CPU memory holds: whatever was there, zeros, or a pattern that makes reads of unset memory visible.
enum class CpuFill : std::uint8_t { None, Zero, Junk };

namespace detail {

/// What the CPU's own allocator fills fresh memory with.
TENON_PROCESS_WORD(Atomic<CpuFill>, cpu_fill, CpuFill::None);
void fill_fresh(void* data, std::size_t bytes);

using Allocators = Atomic<Allocator*>[static_cast<int>(DeviceType::PrivateUse1) + 1];
TENON_PROCESS_WORD(Allocators, custom_allocators);

}  // namespace detail

/// The allocator of a device type. Throws NotImplementedError for a device without one.
Allocator& allocator(DeviceType device);
/// Installs an allocator, which must outlive its use, and returns the one before; null gives the CPU its own back.
Allocator* set_allocator(DeviceType device, Allocator* allocator);
inline bool has_custom_allocator(DeviceType device) {
  return detail::custom_allocators[static_cast<int>(device)].load(MemoryOrder::Relaxed) != nullptr;
}

namespace detail {
/// Whether small CPU memory comes from blocks and stays as it was found.
inline bool plain_cpu_memory() {
  return !TENON_NO_FREE_LISTS && !has_custom_allocator(DeviceType::CPU) &&
         cpu_fill.load(MemoryOrder::Relaxed) == CpuFill::None;
}
}  // namespace detail

/// What fresh CPU memory holds from now on, in every thread.
inline void set_cpu_fill(CpuFill fill) { detail::cpu_fill.store(fill, MemoryOrder::Relaxed); }
/// Bounds the bytes of freed large blocks that the process keeps for reuse (1 GiB at first); 0 keeps none.
void set_cpu_cache_limit(std::size_t bytes);
/// Returns every kept block to the system.
void empty_cpu_cache();
/// The NUMA node whose memory large blocks (2 MiB and more) that come from the system are asked from, by preference;
/// -1, as at first, leaves it to the system. A hint: where there is no such node nothing changes.
void set_cpu_numa_node(int node);

}  // namespace tenon
