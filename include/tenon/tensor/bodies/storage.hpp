// The memory that tensors share: what is too large for a block, somebody else's, or resized.
#pragma once
#include <cstring>

#include <tenon/base/body.hpp>
#include <tenon/base/error.hpp>
#include <tenon/tensor/devices_allocator.hpp>
#include <tenon/tensor/storage.hpp>

namespace tenon {

namespace detail {
inline DataPtr allocate_from(Allocator& from, std::size_t bytes, Device device) {
  auto* several = device.is_cpu() ? nullptr : dynamic_cast<DevicesAllocator*>(&from);
  return several ? several->allocate_on(bytes, device) : from.allocate(bytes);
}
}  // namespace detail

TENON_BODY intrusive_ptr<StorageImpl> StorageImpl::create(std::size_t bytes, Device device) {
  if (device.is_cpu() && bytes <= detail::kLargestBlock - kHeader && !has_custom_allocator(DeviceType::CPU)) {
    auto* block = static_cast<char*>(detail::take_block(kHeader + bytes));
    auto* storage = new (block) StorageImpl(block + kHeader, bytes);
    detail::fill_fresh(block + kHeader, bytes);
    return intrusive_ptr<StorageImpl>::adopt(storage);
  }
  if (device.is_meta()) return adopt(DataPtr(nullptr, device), bytes, nullptr);
  auto storage = adopt(detail::allocate_from(allocator(device.type), bytes, device), bytes, nullptr);
  storage->follows_device_ = true;
  return storage;
}
TENON_BODY intrusive_ptr<StorageImpl> StorageImpl::adopt(DataPtr data, std::size_t bytes, Allocator* resize_with) {
  auto* storage = new (detail::take_block(sizeof(StorageImpl))) StorageImpl(std::move(data), bytes, resize_with);
  return intrusive_ptr<StorageImpl>::adopt(storage);
}

TENON_BODY void StorageImpl::resize(std::size_t bytes) {
  if (bytes == bytes_) return;
  if (!resizable())
    fail<ValueError>("storage of ", bytes_, " bytes cannot be resized to ", bytes,
                     ": its memory belongs to somebody else");
  if (device().is_meta()) {
    bytes_ = bytes;
    return;
  }
  Allocator& from = allocator_ ? *allocator_ : allocator(device().type);
  DataPtr fresh = detail::allocate_from(from, bytes, device());
  if (data_ && fresh.get() && device().is_cpu()) std::memcpy(fresh.get(), data_, bytes < bytes_ ? bytes : bytes_);
  owned_ = std::move(fresh);
  data_ = static_cast<char*>(owned_.get());
  follows_device_ = !allocator_;
  bytes_ = bytes;
  // The block stays as it was allocated; only the data moved out of it.
  in_block_ = false;
}

}  // namespace tenon
