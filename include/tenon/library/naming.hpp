// Kernels whose errors name the operator and its arguments.
#pragma once
#include <tenon/dispatch/call_context.hpp>
#include <tenon/library/declaration.hpp>

namespace tenon {

namespace detail {
template <class Op, auto F, class Kernel = decltype(F)>
struct naming_kernel;
/// What a kernel reads, a call hands over.
template <class T>
using handed_over_t = std::conditional_t<std::is_same_v<T, const SymInt&>, SymInt, T>;
template <class Op, auto F, class R, class... A>
struct naming_kernel<Op, F, R (*)(A...)> {
  static R call(handed_over_t<A>... args) {
    try {
      return F(static_cast<A>(args)...);
    } catch (Error& e) {
      call_context<R(handed_over_t<A>...)>::add(e, name_in(Op::text()), args...);
      throw;
    }
  }
};
}  // namespace detail

/// A kernel in such a shell, `m.impl<op, naming<op, &kernel>>()`: for those that no row and no structured operator
/// calls, whose errors are named anyway. It may take symbolic integers by reference.
template <auto Op, auto F>
inline constexpr auto naming = &detail::naming_kernel<std::remove_const_t<decltype(Op)>, F>::call;

}  // namespace tenon
