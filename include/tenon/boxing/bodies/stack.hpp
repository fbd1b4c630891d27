// Bodies of the stack of boxed calls. A value moves by its bytes, which leave nothing behind to destroy.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>

#include <tenon/base/body.hpp>
#include <tenon/boxing/stack.hpp>

namespace tenon {

TENON_COLD_BODY void Stack::no_such_place(std::size_t i) const {
  fail<IndexError>("Stack::at: expected an index below ", size(), ", got ", i);
}

TENON_BODY void Stack::free_memory() {
  std::allocator<Value>().deallocate(data_, room_);
  data_ = in_place();
  room_ = kInline;
}

TENON_BODY void Stack::grow(std::size_t n) {
  const std::size_t room = std::max(n, 2 * room_);
  Value* memory = std::allocator<Value>().allocate(room);
  std::memcpy(static_cast<void*>(memory), static_cast<const void*>(data_), size_ * sizeof(Value));
  if (data_ != in_place()) free_memory();
  data_ = memory;
  room_ = room;
}

TENON_BODY Value* Stack::open(std::size_t at, std::size_t n) {
  reserve(size_ + n);
  Value* to = data_ + at;
  std::memmove(static_cast<void*>(to + n), static_cast<const void*>(to), (size_ - at) * sizeof(Value));
  std::uninitialized_default_construct_n(to, n);
  size_ += n;
  return to;
}

TENON_BODY Value* Stack::erase(const Value* first, const Value* last) {
  Value* to = data_ + (first - data_);
  std::destroy(to, to + (last - first));
  std::memmove(static_cast<void*>(to), static_cast<const void*>(last),
               static_cast<std::size_t>(end() - last) * sizeof(Value));
  size_ -= static_cast<std::size_t>(last - first);
  return to;
}

TENON_BODY void Stack::take(Stack& other) noexcept {
  if (other.data_ == other.in_place()) {
    std::memcpy(static_cast<void*>(memory_), static_cast<const void*>(other.memory_), other.size_ * sizeof(Value));
  } else {
    data_ = std::exchange(other.data_, other.in_place());
    room_ = std::exchange(other.room_, kInline);
  }
  size_ = std::exchange(other.size_, 0);
}

}  // namespace tenon
