// Operators made of others: the out form of one that has none of its own, and what is made of a view.
#pragma once
#include <tenon/cpu/options.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::cpu::detail {

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

/// Defines an operator whose kernel is `Kernel` of a view's signature, with that view's slot as data.
template <template <class> class Kernel, class Op, class View>
TENON_COLD void define_by_view([[maybe_unused]] Library& m, [[maybe_unused]] Op op, View,
                               [[maybe_unused]] const char* file = __builtin_FILE(),
                               [[maybe_unused]] int line = __builtin_LINE()) {
  if constexpr (tenon::detail::is_any_form_selected<Op>()) {
    Place place{file, line};
    define_forms(m, op, {}, file, line);
    m.impl_slot<Op, &Kernel<signature_of_t<View>>::call>(DispatchKey::CompositeExplicitAutograd,
                                                         &tenon::detail::slot_of<View>, place);
    implement_out_by_copy<Op>(m, place);
  }
}

}  // namespace tenon::cpu::detail
