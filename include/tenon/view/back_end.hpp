// The views whose kernels are each back end's own, for one of a program whose memory has strides.
#pragma once
#include <tenon/ops/view.hpp>
#include <tenon/view/geometries.hpp>
#include <tenon/view/kernels.hpp>

namespace tenon {

/// Registers `view`, `_reshape_alias` and `as_strided` for a back end whose tensors are strided memory, as the CPU's
/// are: `TENON_LIBRARY_IMPL(aten, PrivateUse1, m) { register_strided_views(m); }`. All other views serve it already.
inline void register_strided_views(Library& m, CallSite here = CallSite::now()) {
  auto add = [&]<auto Op, class G, bool Checked>() {
    m.impl<Op, &detail::view_kernels<G, signature_of_t<std::remove_const_t<decltype(Op)>>, Checked>::call>(here);
  };
  add.template operator()<ops::view_base, geometries::view, false>();
  add.template operator()<ops::_reshape_alias_base, geometries::reshape_alias, false>();
  add.template operator()<ops::as_strided_base, geometries::as_strided, true>();
}

}  // namespace tenon
