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

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon;
  auto define = [&]<class Op, class Write>(Op, Write) {
    define_forms(m, Op{});
    if constexpr (Op::has_out) composite::implement_out_by_copy<Op>(m, Place{__FILE__, __LINE__});
    m.impl_slot<Op, &composite::overwrite_kernel<signature_of_t<Op>>::call>(
        DispatchKey::CompositeExplicitAutograd, &tenon::detail::slot_of<Write>, Place{__FILE__, __LINE__});
  };
  define(ops::copy_base, ops::copy_base_);
  define(ops::zero_base, ops::zero_base_);
  define(ops::normal_functional_base, ops::normal_base_);
  define(ops::uniform_base, ops::uniform_base_);
  define(ops::random_base, ops::random_base_);
  define(ops::random_from, ops::random_from_);
  define(ops::random_to, ops::random_to_);
}

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
