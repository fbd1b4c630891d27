// A function of any kind, kept for later, without <memory>: that is a twentieth of the time of all headers.
#pragma once
#include <type_traits>
#include <utility>

#include <tenon/base/intrusive_ptr.hpp>

namespace tenon {

/// Any callable of a signature: `SharedFunction<double(double)>`. Copies share it. Cost: one allocation; a call is one
/// through a pointer. An empty one must not be called.
template <class Sig>
class SharedFunction;
template <class R, class... A>
class SharedFunction<R(A...)> {
 public:
  SharedFunction() = default;
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, SharedFunction> && std::is_invocable_r_v<R, F&, A...>)
  SharedFunction(F f) : object_(make_intrusive<Object<F>>(std::move(f))), call_(&Object<F>::call) {}
  explicit operator bool() const { return call_ != nullptr; }
  R operator()(A... args) const { return call_(*object_, static_cast<A&&>(args)...); }

 private:
  template <class F>
  struct Object final : RefCounted {
    explicit Object(F&& f) : function(std::move(f)) {}
    static R call(RefCounted& self, A... args) {
      return static_cast<R>(static_cast<Object&>(self).function(static_cast<A&&>(args)...));
    }
    F function;
  };
  intrusive_ptr<RefCounted> object_;
  R (*call_)(RefCounted&, A...) = nullptr;
};

}  // namespace tenon
