// Shapes and dtypes of losses that are a function of an input element and its target's.
#pragma once
#include <tenon/base/promote_types.hpp>
#include <tenon/composite/nll_loss_shapes.hpp>
#include <tenon/structured/pointwise.hpp>

namespace tenon::composite {

/// The loss of an input and a target that broadcast: their elements', or one number.
template <class Int>
void element_loss_output(Outputs& out, const Tensor& self, const Tensor& target, std::int64_t reduction,
                         std::optional<ScalarType> of = std::nullopt, OutputCast cast = OutputCast::Allowed) {
  ScalarType common = result_type(self, target), dtype = of.value_or(common);
  check_can_cast(common, dtype);
  dims_t<Int> sizes = broadcast_shapes(sizes_of<Int>(self), sizes_of<Int>(target));
  if (reduction != kNoReduction) return out.set_output_raw_strided(0, {}, {}, dtype, self.device(), cast);
  const Tensor* operands[] = {&self, &target};
  out.set_output_raw_strided(0, ArrayRef<Int>(sizes), tenon::detail::result_strides(sizes, operands, 2), dtype,
                             self.device(), cast);
}
/// Its gradient, of the shape that all three broadcast to, by rows unless it is given, as in PyTorch.
template <class Int>
void element_loss_gradient(Outputs& out, const Tensor& grad, const Tensor& self, const Tensor& target,
                           OutputCast cast = OutputCast::Allowed) {
  dims_t<Int> sizes =
      broadcast_shapes(broadcast_shapes(sizes_of<Int>(self), sizes_of<Int>(target)), sizes_of<Int>(grad));
  const Tensor* operands[] = {&self, &target, &grad};
  dims_t<Int> strides;
  if (out.form() != StructuredForm::Functional) strides = tenon::detail::result_strides(sizes, operands, 3);
  out.set_output_raw_strided(0, sizes, strides, result_type(self, target), self.device(), cast);
}

}  // namespace tenon::composite
