// Softmax and its logarithm in another dtype than that of the tensor.
#pragma once
#include <limits>

#include <tenon/composite/out_by_copy.hpp>
#include <tenon/composite/softmax_shapes.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

/// The operand of a softmax that was asked for in another dtype.
inline Tensor as_dtype(const Tensor& self, std::optional<ScalarType> dtype) {
  return dtype && *dtype != self.dtype() ? Tensor(ops::to(self, *dtype)) : self;
}
inline Tensor softmax_int(const Tensor& self, std::int64_t dim, std::optional<ScalarType> dtype) {
  return ops::_softmax(as_dtype(self, dtype), dim, false);
}
inline Tensor& softmax_int_out(const Tensor& self, std::int64_t dim, std::optional<ScalarType> dtype, Tensor& out) {
  return ops::_softmax(as_dtype(self, dtype), dim, false, "out"_a = out);
}
inline Tensor log_softmax_int(const Tensor& self, std::int64_t dim, std::optional<ScalarType> dtype) {
  return ops::_log_softmax(as_dtype(self, dtype), dim, false);
}
inline Tensor& log_softmax_int_out(const Tensor& self, std::int64_t dim, std::optional<ScalarType> dtype, Tensor& out) {
  return ops::_log_softmax(as_dtype(self, dtype), dim, false, "out"_a = out);
}
/// Rows of nothing but -infinity, which have no softmax, become 0.
inline Tensor safe_softmax(const Tensor& self, std::int64_t dim, std::optional<ScalarType> dtype) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Tensor out = softmax_int(self, dim, dtype), none = ops::eq(self, Scalar(-infinity));
  return ops::masked_fill(out, self.dim() == 0 ? none : Tensor(ops::all(none, dim, true)), Scalar(0));
}
/// The mask with the shape of the input: type 0 has a row and a column for each place of a sequence, type 1 a row for
/// each sequence, type 2 one truth for each element.
inline Tensor mask_of_type(const Tensor& self, const Tensor& mask, std::optional<std::int64_t> given) {
  TENON_CHECK(mask.dtype() == kBool, TypeError, "Mask should be a boolean tensor");
  TENON_CHECK(!given || (*given >= 0 && *given <= 2), ValueError,
              "Mask Type should be 0 (src_mask), 1 (src_key_padding_mask), or 2 (default_mask)");
  std::int64_t type = mask.dim() == 2 && self.dim() == 4 ? given.value_or(2) : 2;
  auto sizes = self.sym_sizes(), of_mask = mask.sym_sizes();
  if (type == 2) TENON_CHECK(sizes == of_mask, ValueError, "For mask_type == 2 mask shape should match input shape");
  if (type == 1) {
    TENON_CHECK(sizes[0] == of_mask[0] && sizes[2] == of_mask[1], ValueError,
                "For mask_type == 1 mask shape should be (B, L)");
    SymInt shape[] = {sizes[0], 1, 1, sizes[2]};
    return ops::expand(ops::view(mask, SymIntArrayRef(shape, 4)), sizes);
  }
  if (type == 0) {
    TENON_CHECK(sizes[2] == of_mask[0] && sizes[2] == of_mask[1], ValueError,
                "For mask_type == 0 mask shape should be (L, L)");
    return ops::expand(mask, sizes);
  }
  return mask;
}
inline Tensor masked_softmax(const Tensor& self, const Tensor& mask, std::optional<std::int64_t> dim,
                             std::optional<std::int64_t> type) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return ops::_softmax(ops::masked_fill(self, mask_of_type(self, mask, type), Scalar(-infinity)), dim.value_or(-1),
                       false);
}
inline Tensor masked_softmax_backward(const Tensor& grad, const Tensor& output, const Tensor& mask,
                                      std::optional<std::int64_t> dim) {
  TENON_CHECK(mask.dtype() == kBool, TypeError, "Mask should be a boolean tensor");
  TENON_CHECK(grad.sym_sizes() == mask.sym_sizes(), ValueError, "Mask shape should match grad shape");
  Tensor kept = ops::masked_fill(grad, mask, Scalar(0)), shown = ops::masked_fill(output, mask, Scalar(0));
  // Infinities and NaN elsewhere in a row must not reach what is masked.
  return ops::masked_fill(ops::_softmax_backward_data(kept, shown, dim.value_or(-1), output.dtype()), mask, Scalar(0));
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::_safe_softmax_base>();
  define_forms(m, ops::_masked_softmax_base);
  define_forms(m, ops::_masked_softmax_backward_base);
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  m.impl<ops::_safe_softmax_base, &safe_softmax>(all).impl<ops::_masked_softmax_base, &masked_softmax>(all);
  m.impl<ops::_masked_softmax_backward_base, &masked_softmax_backward>();
  implement_out_by_copy<ops::_masked_softmax_base_op>(m, CallSite::now());
  implement_out_by_copy<ops::_masked_softmax_backward_base_op>(m, CallSite::now());

  m.def<ops::softmax_int>().def<ops::softmax_int_out>().def<ops::log_softmax_int>().def<ops::log_softmax_int_out>();
  m.impl<ops::softmax_int, &softmax_int>().impl<ops::log_softmax_int, &log_softmax_int>();
  m.impl<ops::softmax_int_out, &softmax_int_out>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::log_softmax_int_out, &log_softmax_int_out>(DispatchKey::CompositeExplicitAutograd);
}

}  // namespace tenon::composite
