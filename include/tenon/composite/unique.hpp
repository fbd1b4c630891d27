// Elements and slices without repetitions: the forms, and tensors without data, for every back end.
#pragma once
#include <type_traits>

#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/unique.hpp>

namespace tenon::composite {

template <class Sig>
struct no_unique;
template <class R, class... A>
struct no_unique<R(A...)> {
  [[noreturn]] static R meta(A...) {
    fail<NotImplementedError>("unique(): the shape of the result depends on data, which Meta tensors have not");
  }
};
template <auto Op>
TENON_COLD void define_unique(Library& m) {
  using Type = std::remove_const_t<decltype(Op)>;
  define_forms(m, Op);
  m.impl<Op, &no_unique<signature_of_t<Type>>::meta>(DispatchKey::Meta);
  implement_out_by_copy<Type>(m, CallSite::now());
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_unique<ops::_unique_base>(m);
  define_unique<ops::_unique2_base>(m);
  define_unique<ops::unique_consecutive_base>(m);
  define_unique<ops::unique_dim_base>(m);
  define_unique<ops::unique_dim_consecutive_base>(m);
}

}  // namespace tenon::composite
