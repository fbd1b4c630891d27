// Operators over lists of tensors, for every back end: one call of the operator of one tensor for each element.
#pragma once
#include <vector>

#include <tenon/base/promote_types.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/foreach.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/special.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::composite {

/// What the i-th call takes of an argument: the i-th element of a list, of anything else all.
template <class A>
struct in_call {
  using type = A;
  static A at(A a, std::size_t) { return a; }
};
template <class T>
struct in_call<ArrayRef<T>> {
  using type = const T&;
  static const T& at(ArrayRef<T> list, std::size_t i) { return list[i]; }
};

/// The number of calls. A tensor beside lists counts as a number.
template <class... A>
std::size_t number_of_calls(const A&... args) {
  std::size_t lengths[sizeof...(A)], lists = 0, longest = 0;
  auto note = [&]<class T>(const T& a) {
    if constexpr (std::is_same_v<T, TensorList>) longest = std::max(longest, lengths[lists++] = a.size());
  };
  (note(args), ...);
  TENON_CHECK(longest > 0, ValueError, "Tensor list must have at least one tensor.");
  for (std::size_t i = 1; i < lists; ++i)
    TENON_CHECK(lengths[i] == lengths[0], ValueError, "Tensor lists must have the same number of tensors, got ",
                lengths[0], " and ", lengths[i]);
  auto check = [&]<class T>([[maybe_unused]] const T& a) {
    if constexpr (std::is_same_v<T, ArrayRef<Scalar>>)
      TENON_CHECK(a.size() == lengths[0], ValueError, "Tensor list must have same number of elements as scalar list.");
    else if constexpr (std::is_same_v<T, Tensor>)
      TENON_CHECK(a.dim() == 0, ValueError, "scalar tensor expected to be 0 dim but it has ", a.dim(),
                  " dimensions and ", a.sym_numel(), " elements.");
  };
  (check(args), ...);
  return lengths[0];
}

/// The kernel of an operator over lists of signature `Sig`; its data is the call of one tensor.
template <class Sig>
struct over_lists;
template <class... A>
struct over_lists<std::vector<Tensor>(A...)> {
  using Call = Tensor(typename in_call<A>::type...);
  template <class F>
  static Tensor one(typename in_call<A>::type... args) {
    return F{}(args...);
  }
  static std::vector<Tensor> call(void* data, KeySet, A... args) {
    Call* one = *static_cast<Call* const*>(data);
    std::size_t n = number_of_calls(args...);
    std::vector<Tensor> out;
    out.reserve(n);
    for (std::size_t i = 0; i < n; ++i) out.push_back(one(in_call<A>::at(args, i)...));
    return out;
  }
};
template <class... A>
struct over_lists<void(TensorList, A...)> {
  using Call = void(Tensor, typename in_call<A>::type...);
  template <class F>
  static void one(Tensor self, typename in_call<A>::type... args) {
    F{}(self, args...);
  }
  static void call(void* data, KeySet, TensorList self, A... args) {
    Call* one = *static_cast<Call* const*>(data);
    std::size_t n = number_of_calls(self, args...);
    for (std::size_t i = 0; i < n; ++i) one(self[i], in_call<A>::at(args, i)...);
  }
};
/// A number for each tensor, given as the elements of one tensor.
inline std::vector<Scalar> unpacked(const Tensor& scalars, std::size_t n) {
  TENON_CHECK(scalars.dim() == 1, ValueError, "Expected packed scalar Tensor to be of dimension 1. Got ", scalars.dim(),
              " instead.");
  TENON_CHECK(scalars.is_contiguous(), ValueError, "Expected scalars to be contiguous.");
  TENON_CHECK(static_cast<std::size_t>(scalars.size(0)) == n, ValueError,
              "Expected length of scalars to match input of length ", n, " but got ", scalars.size(0), " instead.");
  std::vector<Scalar> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(ops::select(scalars, 0, static_cast<std::int64_t>(i)).item());
  return out;
}
template <class Sig>
struct unpacking : over_lists<Sig> {};
template <class R>
struct unpacking<R(TensorList, TensorList, TensorList, const Tensor&)>
    : over_lists<R(TensorList, TensorList, TensorList, ArrayRef<Scalar>)> {
  using base = over_lists<R(TensorList, TensorList, TensorList, ArrayRef<Scalar>)>;
  static R call(void* data, KeySet keys, TensorList self, TensorList a, TensorList b, const Tensor& scalars) {
    return base::call(data, keys, self, a, b, unpacked(scalars, self.size()));
  }
};

template <class Op, class F>
TENON_COLD void implement_over_lists([[maybe_unused]] Library& m, [[maybe_unused]] const Place& place) {
  if constexpr (tenon::detail::is_operator_selected_v<Op>) {
    using Kernel = unpacking<signature_of_t<Op>>;
    static constexpr typename Kernel::Call* one = &Kernel::template one<F>;
    m.impl_slot<Op, &Kernel::call>(DispatchKey::CompositeImplicitAutograd, &one, place);
  }
}
template <class F, class InPlace, class Op>
TENON_COLD void add_over_lists(Library& m, const Place& place) {
  define_forms(m, Op{}, {}, place.file(), place.line());
  implement_over_lists<Op, F>(m, place);
  if constexpr (Op::has_inplace && !std::is_void_v<InPlace>)
    implement_over_lists<typename Op::inplace, InPlace>(m, place);
  if constexpr (Op::has_out) implement_out_by_copy<Op>(m, place);
}
template <class F, class InPlace, class Function, class... Ops>
TENON_COLD void add_each_over_lists(Library& m, const Place& place, declared_operators<Function, Ops...>) {
  (add_over_lists<F, InPlace, Ops>(m, place), ...);
}
/// Defines all operators of the function `Lists`: each is as many calls of F, in place of InPlace.
template <class F, class InPlace = void, class Lists>
TENON_COLD void define_over_lists(Library& m, Lists, CallSite here = CallSite::now()) {
  add_each_over_lists<F, InPlace>(m, Place{here.file, here.line}, typename Lists::operators{});
}

// Operators of one tensor where those of this name are not what the lists' forms call.

/// With a number, too.
template <class F>
struct with_number {
  Tensor operator()(const Tensor& a, const Tensor& b) const { return F{}(a, b); }
  Tensor operator()(const Tensor& a, const Scalar& b) const { return F{}(a, wrapped_scalar_tensor(b)); }
};
/// In place, of an operator that has no such form: nothing is written before all results are there.
template <auto Op, class B>
void write_back(TensorList self, B other) {
  const std::vector<Tensor> results = Op(self, other);
  for (std::size_t i = 0; i < self.size(); ++i) check_can_cast(results[i].dtype(), self[i].dtype());
  for (std::size_t i = 0; i < self.size(); ++i) {
    Tensor written = self[i];
    ops::copy_(written, results[i]);
  }
}
struct norm_of_one {
  Tensor operator()(const Tensor& self, const Scalar& ord, std::optional<ScalarType> dtype) const {
    TENON_CHECK(!ord.is_complex() && !ord.is_boolean(), TypeError,
                "foreach_tensor_norm_slow expects ord to be integer or float");
    return ops::linalg_vector_norm(self, ord, std::nullopt, false, dtype);
  }
};
struct powsum_of_one {
  Tensor operator()(const Tensor& self, const Scalar& ord, std::optional<ScalarType> dtype) const {
    return ops::linalg__powsum(self, ord, std::nullopt, false, dtype);
  }
};
struct max_of_one {
  Tensor operator()(const Tensor& self) const {
    TENON_CHECK(self.sym_numel() != 0, ValueError,
                "_foreach_max cannot compute the maximum of an empty tensor; max over zero elements is undefined.");
    return ops::max_base(self);
  }
};

TENON_LIBRARY_FRAGMENT(aten, m) {
#define X(NAME) define_over_lists<ops::NAME##_function, ops::NAME##__function>(m, ops::_foreach_##NAME);
  TENON_INTERNAL_FOREACH_UNARY(X)
  TENON_INTERNAL_FOREACH_FACTOR(X)
  TENON_INTERNAL_FOREACH_TERNARY(X)
  X(add)
  X(sub)
  X(pow)
  X(lerp)
  X(clamp_max)
  X(clamp_min)
#undef X
  define_over_lists<with_number<ops::maximum_function>>(m, ops::_foreach_maximum);
  define_over_lists<with_number<ops::minimum_function>>(m, ops::_foreach_minimum);
#define X(NAME)                                                                  \
  m.impl<ops::NAME##_List_, &write_back<ops::NAME##_List, TensorList>>();        \
  m.impl<ops::NAME##_Scalar_, &write_back<ops::NAME##_Scalar, const Scalar&>>(); \
  m.impl<ops::NAME##_ScalarList_, &write_back<ops::NAME##_ScalarList, ArrayRef<Scalar>>>();
  X(_foreach_maximum)
  X(_foreach_minimum)
#undef X
  define_over_lists<norm_of_one>(m, ops::_foreach_norm);
  define_over_lists<powsum_of_one>(m, ops::_foreach_powsum);
  define_over_lists<max_of_one>(m, ops::_foreach_max);
  define_over_lists<ops::clone_function>(m, ops::_foreach_clone);
  define_over_lists<ops::copy_base_op, ops::copy__function>(m, ops::_foreach_copy);
  define_over_lists<ops::zero_base_op>(m, ops::_foreach_zero);
  define_over_lists<ops::zero__function>(m, ops::_foreach_zero_);
  define_over_lists<ops::mm_function>(m, ops::_foreach_mm);
}

}  // namespace tenon::composite
