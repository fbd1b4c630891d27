// Second names of operators.
#pragma once
#include <tenon/library/library.hpp>
#include <tenon/library/operators.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

/// A kernel that is another operator's call, for a second name.
template <auto Target, class Sig>
struct alias_kernel;
template <auto Target, class R, class... A>
struct alias_kernel<Target, R(A...)> {
  static R call(A... args) { return Target(args...); }
};
template <auto Op, auto Target>
void add_alias(Library& m) {
  using O = std::remove_const_t<decltype(Op)>;
  using T = std::remove_const_t<decltype(Target)>;
  define_forms(m, Op);
  m.impl<Op, &alias_kernel<Target, signature_of_t<O>>::call>();
  if constexpr (O::has_inplace)
    m.impl<typename O::inplace{}, &alias_kernel<typename T::inplace{}, signature_of_t<typename O::inplace>>::call>();
  if constexpr (O::has_out)
    m.impl<typename O::out{}, &alias_kernel<typename T::out{}, signature_of_t<typename O::out>>::call>();
}

}  // namespace tenon::composite
