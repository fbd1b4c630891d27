// Places repeated as often as a tensor says: shapes, dtypes and errors, for every back end.
#pragma once
#include <optional>
#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/composite/repeat_checks.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/repeat.hpp>

namespace tenon::composite {

inline Tensor repeat_interleave_meta(const Tensor& repeats, std::optional<SymInt> output_size) {
  check_repeats("repeat_interleave_cpu", repeats);
  TENON_CHECK(
      output_size, NotImplementedError,
      "repeat_interleave(): the shape of the result depends on data, which Meta tensors have not; give output_size");
  return ops::new_empty(repeats, SymIntArrayRef(SymDimVector{*output_size}));
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, ops::repeat_interleave_Tensor);
  implement_out_by_copy<ops::repeat_interleave_Tensor_op>(m, CallSite::now());
}
TENON_LIBRARY_IMPL(aten, Meta, m) { m.impl<ops::repeat_interleave_Tensor, &repeat_interleave_meta>(); }

}  // namespace tenon::composite

namespace tenon::ops {

TENON_NOT_DIFFERENTIABLE(repeat_interleave_Tensor);

}  // namespace tenon::ops
