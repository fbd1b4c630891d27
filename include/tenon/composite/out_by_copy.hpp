// The out form of an operator that has no kernel for it: the result, copied.
#pragma once
#include <tuple>

#include <tenon/ops/copy.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

/// Gives an out tensor its shape, with PyTorch's warning if it had another.
inline void resize_out(Tensor& out, SymIntArrayRef size) {
  auto plain = maybe_as_ints(size);
  if (plain && !out.is_symbolic()) {
    if (out->sizes() == *plain) return;
    tenon::detail::warn_resized(out, *plain);
  }
  ops::resize_(out, size);
}
/// Throws TypeError unless an out tensor has the dtype of what is to be written there.
inline void check_out_dtype(const Tensor& result, const Tensor& out) {
  TENON_CHECK(out.dtype() == result.dtype(), TypeError, "Expected out tensor to have dtype ", result.dtype(),
              ", but got ", out.dtype(), " instead");
}
/// Ends an out form that has no kernel of its own: gives `out` the shape of the result and copies it.
/// Errors: TypeError or ValueError if dtype or device differ.
inline Tensor& copy_to_out(const Tensor& result, Tensor& out) {
  check_out_dtype(result, out);
  TENON_CHECK(out.device().type == result.device().type, ValueError, "Expected out tensor to have device ",
              result.device(), ", but got ", out.device(), " instead");
  AutoDispatchBelowADInplaceOrView guard;
  resize_out(out, result.sym_sizes());
  return ops::copy_(out, result);
}

/// The kernel for the out form of an operator of signature `Sig`; its data is the operator's slot.
template <class Sig>
struct out_by_copy;
template <class... A>
struct out_by_copy<Tensor(A...)> {
  static Tensor& call(void* functional, KeySet, A... args, Tensor& out) {
    auto& slot = *static_cast<tenon::detail::OperatorSlot*>(functional);
    AutoDispatchBelowADInplaceOrView guard;
    return copy_to_out(tenon::detail::call_path<Tensor(A...)>::call(slot, static_cast<A>(args)...), out);
  }
};
template <class... R, class... A>
struct out_by_copy<std::tuple<R...>(A...)> {
  template <class>
  using written = Tensor&;
  static std::tuple<written<R>...> call(void* functional, KeySet, A... args, written<R>... out) {
    auto& slot = *static_cast<tenon::detail::OperatorSlot*>(functional);
    AutoDispatchBelowADInplaceOrView guard;
    auto results = tenon::detail::call_path<std::tuple<R...>(A...)>::call(slot, static_cast<A>(args)...);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((std::get<I>(results).defined() ? void(copy_to_out(std::get<I>(results), out)) : void()), ...);
    }
    (std::index_sequence_for<R...>{});
    return {out...};
  }
};
/// `unbind_copy.int` becomes the `unbind_copy_int_out` of PyTorch's words.
[[noreturn, gnu::cold]] inline void report_out_count(std::string_view op, std::size_t expected, std::size_t got) {
  std::string name(op.substr(op.find("::") + 2));
  if (auto dot = name.find('.'); dot != name.npos) name[dot] = '_';
  fail<ValueError>(name, "_out expected an out= argument of size ", expected, ", got size ", got);
}
template <class... A>
struct out_by_copy<std::vector<Tensor>(A...)> {
  static void call(void* functional, KeySet, A... args, TensorList out) {
    auto& slot = *static_cast<tenon::detail::OperatorSlot*>(functional);
    AutoDispatchBelowADInplaceOrView guard;
    std::vector<Tensor> results =
        tenon::detail::call_path<std::vector<Tensor>(A...)>::call(slot, static_cast<A>(args)...);
    if (results.size() != out.size()) report_out_count(slot.name, results.size(), out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      Tensor to = out[i];
      copy_to_out(results[i], to);
    }
  }
};

/// Registers that kernel for an operator's out form.
template <class Op>
TENON_COLD void implement_out_by_copy([[maybe_unused]] Library& m, [[maybe_unused]] const Place& place) {
  if constexpr (tenon::detail::is_operator_selected_v<typename Op::out>)
    m.impl_slot<typename Op::out, &out_by_copy<signature_of_t<Op>>::call>(DispatchKey::CompositeExplicitAutograd,
                                                                          &tenon::detail::slot_of<Op>, place);
}
/// Defines an operator's forms; its out form copies what the functional one returns.
template <class Op>
TENON_COLD void define_with_copied_out(Library& m, Op op, const char* file = __builtin_FILE(),
                                       int line = __builtin_LINE()) {
  define_forms(m, op, {}, file, line);
  if constexpr (Op::has_out) implement_out_by_copy<Op>(m, Place{file, line});
}

}  // namespace tenon::composite
