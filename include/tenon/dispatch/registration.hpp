// What a registration returns: the means to undo it.
#pragma once
#include <utility>

#include <tenon/dispatch/operator_entry.hpp>

namespace tenon {

/// Undoes one registration when it ends. Move-only; assigning over a live one undoes that first.
class Registration {
 public:
  Registration() = default;
  Registration(Registration&& o) noexcept { swap(o); }
  Registration& operator=(Registration&& o) noexcept {
    if (this != &o) {
      reset();
      swap(o);
    }
    return *this;
  }
  ~Registration() { reset(); }
  void reset() noexcept;
  explicit operator bool() const { return what_ != What::Nothing; }

 private:
  friend class Registry;
  // Data and no function: whoever ends the registration runs its own code, so that a plugin's need not be there.
  enum class What : std::uint8_t { Nothing, Definition, Implementation, Fallback, Library, Listener };
  using KernelState = OperatorEntry::KernelState;
  Registration(What what, void* subject) : what_(what), subject_(subject) {}
  void swap(Registration& o) noexcept {
    std::swap(what_, o.what_);
    std::swap(key_, o.key_);
    std::swap(number_, o.number_);
    std::swap(subject_, o.subject_);
    std::swap(kernel_, o.kernel_);
  }
  struct More;  // what only few kinds need

  What what_ = What::Nothing;
  DispatchKey key_{};
  std::uint32_t number_ = 0;
  void* subject_ = nullptr;  // the operator's entry; of libraries a More, which ends with the registration
  KernelState kernel_;
};

/// Told of definitions as they come and go; on adding one it hears of all that exist. It may end its own registration
/// meanwhile. What `on_registered` throws refuses the definition; what `on_unregistered` throws becomes a warning.
class RegistryListener {
 public:
  virtual ~RegistryListener() = default;
  virtual void on_registered(const OperatorHandle& op) = 0;
  virtual void on_unregistered(const OperatorHandle& op) = 0;
};

}  // namespace tenon

#include <tenon/dispatch/registry.hpp>
