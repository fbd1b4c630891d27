// The functional forms of operators that overwrite a whole tensor, all by one kernel: the write to a fresh tensor.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/random.hpp>

namespace tenon::composite {

/// The kernel of the functional form of signature `Sig`; its data is the slot of the operator that writes.
template <class Sig>
struct overwrite_kernel;
template <class... A>
struct overwrite_kernel<Tensor(const Tensor&, A...)> {
  static Tensor call(void* write, KeySet, const Tensor& self, A... args) {
    auto& slot = *static_cast<tenon::detail::OperatorSlot*>(write);
    AutoDispatchBelowADInplaceOrView guard;
    Tensor out = ops::empty_like(self);
    tenon::detail::call_path<Tensor&(Tensor&, A...)>::call(slot, out, static_cast<A>(args)...);
    return out;
  }
};

/// Defines a functional operator whose result is all that `Write`, in place, makes of fresh memory.
template <class Op, class Write>
TENON_COLD void define_by_overwriting(Library& m, Op op, Write, const char* file = __builtin_FILE(),
                                      int line = __builtin_LINE()) {
  define_with_copied_out(m, op, file, line);
  m.impl_slot<Op, &overwrite_kernel<signature_of_t<Op>>::call>(DispatchKey::CompositeExplicitAutograd,
                                                               &tenon::detail::slot_of<Write>, Place{file, line});
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_by_overwriting(m, ops::copy_base, ops::copy_base_);
  define_by_overwriting(m, ops::zero_base, ops::zero_base_);
  define_by_overwriting(m, ops::normal_functional_base, ops::normal_base_);
  define_by_overwriting(m, ops::uniform_base, ops::uniform_base_);
  define_by_overwriting(m, ops::random_base, ops::random_base_);
  define_by_overwriting(m, ops::random_from, ops::random_from_);
  define_by_overwriting(m, ops::random_to, ops::random_to_);
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_DERIVATIVE(copy_base, TENON_WRT((self), (grad), zeros_like(grad)),
                 TENON_WRT((src), (grad, src_geometry), to(grad, src_geometry.device, src_geometry.dtype)));
TENON_DERIVATIVE(zero_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(normal_functional_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(uniform_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(random_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(random_from, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(random_to, TENON_WRT((self), (grad), zeros_like(grad)));

}  // namespace tenon::ops
