// The function that an optimiser calls for a loss and its gradients.
#pragma once
#include <type_traits>
#include <utility>

#include <tenon/tensor/tensor.hpp>

namespace tenon::optim {

/// Refers to a callable that returns a loss; it must live as long as the call it is passed to.
class Closure {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, Closure> && std::is_invocable_r_v<Tensor, F&>)
  Closure(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(__builtin_addressof(f)))),
        call_([](void* object) -> Tensor { return (*static_cast<std::remove_reference_t<F>*>(object))(); }) {}
  /// Calls it with grad mode on.
  Tensor operator()() const;

 private:
  void* object_;
  Tensor (*call_)(void*);
};

}  // namespace tenon::optim
