// Bodies of the stack of registrations.
#pragma once
#include <algorithm>
#include <memory>
#include <new>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/registration_stack.hpp>

namespace tenon {

/// The head of one block of memory: registrations follow.
struct RegistrationStack::Block {
  Block* before;
  std::size_t used, room;
  Registration* items() { return reinterpret_cast<Registration*>(this + 1); }
};

TENON_BODY void RegistrationStack::push(Registration&& registration) {
  static_assert(sizeof(Block) % alignof(Registration) == 0);
  if (!top_ || top_->used == top_->room) {
    std::size_t room = top_ ? std::min<std::size_t>(2 * top_->room, 128) : 4;
    void* memory = ::operator new(sizeof(Block) + room * sizeof(Registration));
    top_ = new (memory) Block{top_, 0, room};
  }
  new (top_->items() + top_->used) Registration(std::move(registration));
  ++top_->used;
  ++size_;
}

TENON_BODY void RegistrationStack::undo_to(std::size_t size) noexcept {
  while (size_ > size) {
    // Off the stack first: undoing may run a kernel's destructor.
    Registration last = std::move(top_->items()[--top_->used]);
    std::destroy_at(top_->items() + top_->used);
    --size_;
    if (top_->used == 0) ::operator delete(std::exchange(top_, top_->before));
  }
}

}  // namespace tenon
