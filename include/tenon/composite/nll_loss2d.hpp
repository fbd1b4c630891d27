// Negative log likelihood of images: their elements join the batch.
#pragma once
#include <tenon/composite/nll_loss.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/factory.hpp>

namespace tenon::composite {

template <class Int>
void check_nll2d_shapes(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight) {
  TENON_CHECK(target.dim() == 3, ValueError,
              "only batches of spatial targets supported (3D tensors) but got targets of dimension: ", target.dim());
  TENON_CHECK(self.dim() == 4, ValueError,
              "only batches of spatial inputs supported (4D tensors), but got input of dimension: ", self.dim());
  ArrayRef<Int> in = sizes_of<Int>(self), at = sizes_of<Int>(target);
  TENON_CHECK(in[0] == at[0] && in[2] == at[1] && in[3] == at[2], ValueError,
              "size mismatch (got input: ", self.sym_sizes(), " , target: ", target.sym_sizes());
  check_class_weight<Int>(weight, in[1]);
}
/// (n, c, h, w) as rows of classes.
template <class Int>
Tensor pixels_as_rows(const Tensor& self) {
  Int shape[] = {Int(-1), sizes_of<Int>(self)[1]};
  return ops::reshape(ops::permute(self, {0, 2, 3, 1}), ArrayRef<Int>(shape));
}
template <class Int>
std::tuple<Tensor, Tensor> nll_loss2d_forward(const Tensor& self, const Tensor& target,
                                              const std::optional<Tensor>& weight, std::int64_t reduction,
                                              std::int64_t ignore_index) {
  check_nll2d_shapes<Int>(self, target, weight);
  std::tuple<Tensor, Tensor> loss =
      ops::nll_loss_forward(pixels_as_rows<Int>(self), ops::reshape(target, {-1}), weight, reduction, ignore_index);
  if (reduction == kNoReduction) std::get<0>(loss) = ops::view(std::get<0>(loss), sizes_of<Int>(target));
  return loss;
}
template <class Int>
Tensor nll_loss2d_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                           const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index,
                           const Tensor& total_weight) {
  check_nll2d_shapes<Int>(self, target, weight);
  Tensor rows =
      ops::nll_loss_backward(reduction == kNoReduction ? ops::reshape(grad, {-1}) : grad, pixels_as_rows<Int>(self),
                             ops::reshape(target, {-1}), weight, reduction, ignore_index, total_weight);
  ArrayRef<Int> sizes = sizes_of<Int>(self);
  Int shape[] = {sizes[0], sizes[2], sizes[3], sizes[1]};
  return ops::contiguous(ops::permute(ops::view(rows, ArrayRef<Int>(shape)), {0, 3, 1, 2}));
}
inline Tensor nll_loss2d(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                         std::int64_t reduction, std::int64_t ignore_index) {
  return std::get<0>(ops::nll_loss2d_forward(self, target, weight, reduction, ignore_index));
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, ops::nll_loss2d_base);
  define_forms(m, ops::nll_loss2d_forward_base);
  define_forms(m, ops::nll_loss2d_backward_base);
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  m.impl<ops::nll_loss2d_base, &nll_loss2d>();
  m.impl<ops::nll_loss2d_forward_base, &nll_loss2d_forward<std::int64_t>>(all);
  m.impl<ops::nll_loss2d_backward_base, &nll_loss2d_backward<std::int64_t>>(all);
  Place here{__FILE__, __LINE__};
  implement_out_by_copy<ops::nll_loss2d_base_op>(m, here);
  implement_out_by_copy<ops::nll_loss2d_forward_base_op>(m, here);
  implement_out_by_copy<ops::nll_loss2d_backward_base_op>(m, here);
}

TENON_SYMBOLIC_LIBRARY_IMPL(aten, m) {
  m.impl<ops::nll_loss2d_forward_base, &nll_loss2d_forward<SymInt>>();
  m.impl<ops::nll_loss2d_backward_base, &nll_loss2d_backward<SymInt>>();
}

}  // namespace tenon::composite
