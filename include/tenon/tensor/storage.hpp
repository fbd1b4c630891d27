// The memory that tensors share: an owned block with its size and the counter of writes.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include <tenon/base/intrusive_ptr.hpp>
#include <tenon/tensor/allocator.hpp>

namespace tenon {

/// Memory with an owner. Small CPU memory lies in the same block as this object; everything else is a DataPtr.
class StorageImpl final : public RefCounted {
 public:
  /// Memory from the device's allocator. Throws OutOfMemoryError; nothing is kept then.
  static intrusive_ptr<StorageImpl> create(std::size_t bytes, Device device) {
    if (device.is_cpu() && bytes <= detail::kLargestBlock - kHeader && !has_custom_allocator(DeviceType::CPU))
        [[likely]] {
      auto* block = static_cast<char*>(detail::take_block(kHeader + bytes));
      auto* storage = new (block) StorageImpl(block + kHeader, bytes);
      if (detail::cpu_fill.load(std::memory_order_relaxed) != CpuFill::None) [[unlikely]]
        detail::fill_fresh(block + kHeader, bytes);
      return intrusive_ptr<StorageImpl>::adopt(storage);
    }
    return allocate(bytes, device);
  }
  /// Takes over memory. With an allocator it may be resized later.
  static intrusive_ptr<StorageImpl> adopt(DataPtr data, std::size_t bytes, Allocator* resize_with);

  char* data() const { return data_; }
  std::size_t nbytes() const { return bytes_; }
  Device device() const { return in_block_ ? kCPU : owned_.device(); }
  bool resizable() const { return in_block_ || allocator_ != nullptr || owned_.device().is_meta(); }
  /// How often the memory was written through an in-place operator; shared by all views of it.
  std::uint32_t version() const { return version_.load(std::memory_order_relaxed); }
  void bump_version() { version_.store(version() + 1, std::memory_order_relaxed); }

  /// Grows or shrinks, keeping the common part. Throws ValueError if the memory is somebody else's.
  void resize(std::size_t bytes);

 private:
  static intrusive_ptr<StorageImpl> allocate(std::size_t bytes, Device device);
  StorageImpl(char* data, std::size_t bytes)
      : data_(data), bytes_(bytes), block_(static_cast<std::uint32_t>(kHeader + bytes)), in_block_(true) {}
  StorageImpl(DataPtr data, std::size_t bytes, Allocator* resize_with)
      : data_(static_cast<char*>(data.get())),
        bytes_(bytes),
        owned_(std::move(data)),
        allocator_(resize_with),
        block_(sizeof(StorageImpl)) {}
  ~StorageImpl() override = default;
  void release_resources() noexcept override { owned_.clear(); }
  void destroy() noexcept override {
    std::size_t block = block_;
    this->~StorageImpl();
    detail::give_block(static_cast<void*>(this), block);
  }

  char* data_;
  std::size_t bytes_;
  DataPtr owned_;
  Allocator* allocator_ = nullptr;
  std::atomic<std::uint32_t> version_{0};
  std::uint32_t block_;
  bool in_block_ = false;

 public:
  static const std::size_t kHeader;  // bytes before the data in a shared block
};
inline constexpr std::size_t StorageImpl::kHeader =
    (sizeof(StorageImpl) + detail::kBlockAlignment - 1) & ~(detail::kBlockAlignment - 1);

/// A handle to shared memory.
class Storage {
 public:
  Storage() = default;
  explicit Storage(intrusive_ptr<StorageImpl> impl) : impl_(std::move(impl)) {}
  explicit operator bool() const { return static_cast<bool>(impl_); }
  void* data() const { return impl_->data(); }
  std::size_t nbytes() const { return impl_->nbytes(); }
  Device device() const { return impl_->device(); }
  std::uint32_t use_count() const { return impl_ ? impl_->use_count() : 0; }
  const intrusive_ptr<StorageImpl>& impl() const { return impl_; }
  friend bool operator==(const Storage& a, const Storage& b) { return a.impl_ == b.impl_; }

 private:
  intrusive_ptr<StorageImpl> impl_;
};

}  // namespace tenon
