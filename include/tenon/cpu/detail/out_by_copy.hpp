// The out form of an operator that has none of its own: its functional form, then a copy.
#pragma once
#include <tenon/cpu/options.hpp>

namespace tenon::cpu::detail {

/// The kernel for an out form of signature `Sig`; its data is the slot of the functional operator.
template <class Sig, class OutSig>
struct out_by_copy;
template <class... A, class OutSig>
struct out_by_copy<Tensor(A...), OutSig> {
  static Tensor& call(void* functional, KeySet, A... args, Tensor& out) {
    auto& slot = *static_cast<tenon::detail::OperatorSlot*>(functional);
    AutoDispatchBelowADInplaceOrView guard;
    return copy_to_out(tenon::detail::call_path<Tensor(A...)>::call(slot, static_cast<A>(args)...), out);
  }
};

/// Registers that kernel for an operator's out form.
template <class Op>
TENON_COLD void implement_out_by_copy(Library& m, const Place& place) {
  using Kernel = out_by_copy<signature_of_t<Op>, signature_of_t<typename Op::out>>;
  m.impl_slot<typename Op::out, &Kernel::call>(DispatchKey::CompositeExplicitAutograd, &tenon::detail::slot_of<Op>,
                                               place);
}

}  // namespace tenon::cpu::detail
