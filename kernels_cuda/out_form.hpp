// Out forms of operators whose kernels on CUDA make their results: by a copy.
#pragma once
#include <tenon/composite/out_by_copy.hpp>

namespace tenon::cuda {

template <auto... Ops>
void implement_out_by_copy(Library& m, const Place& place) {
  auto one = [&]<class Op>(Op) {
    if constexpr (tenon::detail::is_operator_selected_v<typename Op::out>)
      m.impl_slot<typename Op::out, &composite::out_by_copy<signature_of_t<Op>>::call>(
          DispatchKey::CUDA, &tenon::detail::slot_of<Op>, place);
  };
  (one(Ops), ...);
}

}  // namespace tenon::cuda
