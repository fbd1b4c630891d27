// Many registrations, to be undone newest first.
#pragma once
#include <cstddef>
#include <utility>

#include <tenon/dispatch/registration.hpp>

namespace tenon {

/// Grows by blocks, so that nothing moves. Move-only; undoes what it holds when it ends.
class RegistrationStack {
 public:
  RegistrationStack() = default;
  RegistrationStack(RegistrationStack&& o) noexcept
      : top_(std::exchange(o.top_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  RegistrationStack& operator=(RegistrationStack&& o) noexcept {
    if (this != &o) {
      undo_to(0);
      std::swap(top_, o.top_);
      std::swap(size_, o.size_);
    }
    return *this;
  }
  ~RegistrationStack() { undo_to(0); }
  std::size_t size() const { return size_; }
  /// If there is no memory the registration is undone.
  void push(Registration&& registration);
  /// Undoes the newest until `size` are left.
  void undo_to(std::size_t size) noexcept;

 private:
  struct Block;
  Block* top_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tenon
