// The memory that tensors share: an owned block with its size and the counter of writes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include <tenon/base/atomic.hpp>
#include <tenon/base/intrusive_ptr.hpp>
#include <tenon/tensor/allocator.hpp>

namespace tenon {

class TensorImpl;

/// Memory with an owner. Small CPU memory lies in the same block as this object, if it was made with its first tensor
/// also with that; everything else is a DataPtr.
class StorageImpl final : public RefCounted {
 public:
  /// Memory from the device's allocator. Throws OutOfMemoryError; nothing is kept then.
  static intrusive_ptr<StorageImpl> create(std::size_t bytes, Device device);
  /// Takes over memory. With an allocator, which outlives it, it may be resized later.
  static intrusive_ptr<StorageImpl> adopt(DataPtr data, std::size_t bytes, Allocator* resize_with);

  char* data() const { return data_; }
  std::size_t nbytes() const { return bytes_; }
  Device device() const { return in_block_ ? kCPU : owned_.device(); }
  bool resizable() const { return in_block_ || follows_device_ || allocator_ || owned_.device().is_meta(); }
  /// How often the memory was written through an in-place operator; shared by all views of it.
  std::uint32_t version() const { return version_.load(MemoryOrder::Relaxed); }
  /// `writer`: the registry's entry of the operator that wrote, which error messages name.
  void bump_version(const void* writer = nullptr) {
    version_.store(version() + 1, MemoryOrder::Relaxed);
    writer_.store(writer, MemoryOrder::Relaxed);
  }
  const void* writer() const { return writer_.load(MemoryOrder::Relaxed); }

  /// Ends with `owner` from now on, of the memory that somebody else owned until now.
  void give_owner(DataPtr owner) noexcept { owned_ = std::move(owner); }
  /// Grows or shrinks, keeping the common part. Throws ValueError if the memory is somebody else's.
  void resize(std::size_t bytes);

 private:
  friend class TensorImpl;
  StorageImpl(char* data, std::size_t bytes)
      : data_(data),
        bytes_(bytes),
        block_class_(static_cast<std::uint8_t>(detail::block_class(kHeader + bytes))),
        in_block_(true) {}
  /// Behind a tensor in its block: the tensor counts as a weak reference, since its memory is here.
  StorageImpl(char* data, std::size_t bytes, unsigned block_class, std::size_t lead)
      : RefCounted(2),
        data_(data),
        bytes_(bytes),
        lead_(static_cast<std::uint16_t>(lead)),
        block_class_(static_cast<std::uint8_t>(block_class)),
        in_block_(true) {}
  StorageImpl(DataPtr data, std::size_t bytes, Allocator* resize_with)
      : data_(static_cast<char*>(data.get())),
        bytes_(bytes),
        owned_(std::move(data)),
        allocator_(resize_with),
        block_class_(static_cast<std::uint8_t>(detail::block_class(sizeof(StorageImpl)))) {}
  ~StorageImpl() override = default;
  void release_resources() noexcept override { owned_.clear(); }
  void destroy() noexcept override {
    unsigned cls = block_class_, lead = lead_;
    this->~StorageImpl();
    detail::give_block_of(reinterpret_cast<char*>(this) - lead, cls);
  }

  char* data_;
  std::size_t bytes_;
  DataPtr owned_;
  Allocator* allocator_ = nullptr;  // of its own; else, if it follows the device, the one that serves then
  Atomic<const void*> writer_{nullptr};
  Atomic<std::uint32_t> version_{0};
  std::uint16_t lead_ = 0;    // bytes of the block before this object
  std::uint8_t block_class_;  // of the block that this object lies in
  bool in_block_ = false, follows_device_ = false;

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
