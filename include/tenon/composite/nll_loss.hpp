// Negative log likelihood with dimensions behind the classes, and the shapes of its kernels.
#pragma once
#include <tenon/ops/copy.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::composite {

/// What a loss does with the losses of its elements; PyTorch's numbers.
enum LossReduction : std::int64_t { kNoReduction = 0, kMeanReduction = 1, kSumReduction = 2 };
template <class Int>
void check_class_weight(const std::optional<Tensor>& weight, const Int& classes) {
  if (weight && weight->defined())
    TENON_CHECK(weight->dim() == 1 && sizes_of<Int>(*weight)[0] == classes, ValueError,
                "weight tensor should be defined either for all ", classes,
                " classes or no classes but got weight tensor of shape: ", weight->sym_sizes());
}
template <class Int>
void check_nll_shapes(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight) {
  TENON_CHECK(self.dim() == 1 || self.dim() == 2, ValueError, "input tensor should be 1D or 2D");
  TENON_CHECK(target.dim() <= 1, ValueError, "0D or 1D target tensor expected, multi-target not supported");
  TENON_CHECK((self.dim() == 1 && target.dim() == 0) ||
                  (target.dim() == 1 && sizes_of<Int>(self)[0] == sizes_of<Int>(target)[0]),
              ValueError, "size mismatch (got input: ", self.sym_sizes(), ", target: ", target.sym_sizes(), ")");
  check_class_weight<Int>(weight, sizes_of<Int>(self).back());
}
struct nll_loss_forward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                  std::int64_t reduction, const SymInt&) const {
    check_nll_shapes<Int>(self, target, weight);
    if (reduction == kNoReduction && self.dim() == 2)
      out.set_output_raw_strided(0, sizes_of<Int>(self).slice(0, 1), {}, self.dtype(), self.device());
    else
      out.set_output_raw_strided(0, {}, {}, self.dtype(), self.device());
    out.set_output_raw_strided(1, {}, {}, self.dtype(), self.device());
  }
};
struct nll_loss_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, const Tensor& target,
                  const std::optional<Tensor>& weight, std::int64_t reduction, const SymInt&,
                  const Tensor& total_weight) const {
    check_nll_shapes<Int>(self, target, weight);
    TENON_CHECK(numel_of<Int>(total_weight) == 1, ValueError,
                "expected total_weight to be a  single element tensor, got: ", total_weight.sym_sizes(), " (",
                numel_of<Int>(total_weight), " elements)");
    if (reduction == kNoReduction && self.dim() == 2)
      TENON_CHECK(grad.dim() == 1 && sizes_of<Int>(grad)[0] == sizes_of<Int>(self)[0], ValueError,
                  "Expected a tensor of dimension 1 and tensor.size[0] == ", sizes_of<Int>(self)[0],
                  " but got: dimension ", grad.dim(), " and tensor.size = ", grad.sym_sizes());
    else
      TENON_CHECK(grad.dim() <= 1 && numel_of<Int>(grad) == 1, ValueError,
                  "Expected a single element grad_output tensor, but got: ", grad.sym_sizes());
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
  }
};
inline Tensor nll_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                       std::int64_t reduction, std::int64_t ignore_index) {
  return std::get<0>(ops::nll_loss_forward(self, target, weight, reduction, ignore_index));
}
inline Tensor& nll_loss_out(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                            std::int64_t reduction, std::int64_t ignore_index, Tensor& out) {
  Tensor total = make_tensor({}, {}, self.dtype(), self.device());
  ops::nll_loss_forward_base_out(self, target, weight, reduction, ignore_index, out, total);
  return out;
}
/// Any number of dimensions behind the classes; they join the batch.
template <class Int>
Tensor nll_loss_nd(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                   std::int64_t reduction, std::int64_t ignore_index) {
  if (self.dim() <= 2) {
    TENON_CHECK(self.dim() > 0, ValueError, "Expected 1 or more dimensions (got 0)");
    if (self.dim() == 2 || target.dim() > 0)
      TENON_CHECK(target.dim() > 0 && sizes_of<Int>(self)[0] == sizes_of<Int>(target)[0], ValueError,
                  "Expected input batch_size (", self.sym_size(0), ") to match target batch_size (",
                  target.dim() ? target.sym_size(0) : SymInt(1), ").");
    return ops::nll_loss(self, target, weight, reduction, ignore_index);
  }
  ArrayRef<Int> expected = sizes_of<Int>(self);
  DimVector order;
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (d != 1) order.push_back(d);
  order.push_back(1);
  dims_t<Int> positions;
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (d != 1) positions.push_back(expected[d]);
  TENON_CHECK(sizes_of<Int>(target) == ArrayRef<Int>(positions), ValueError, "Expected target size ", positions,
              ", got ", target.sym_sizes());
  Int folded[] = {count_elements(positions), expected[1]};
  Tensor flat = ops::reshape(ops::permute(self, order), ArrayRef<Int>(folded));
  Tensor loss = ops::nll_loss(flat, ops::reshape(target, ArrayRef<Int>(folded, 1)), weight, reduction, ignore_index);
  return reduction == kNoReduction ? Tensor(ops::view(loss, positions)) : loss;
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::nll_loss_base>().def<ops::nll_loss_base_out>().def<ops::nll_loss_nd_base>();
  m.impl<ops::nll_loss_base, &nll_loss>().impl<ops::nll_loss_nd_base, &nll_loss_nd<std::int64_t>>();
  m.impl<ops::nll_loss_base_out, &nll_loss_out>(DispatchKey::CompositeExplicitAutograd);
}

TENON_SYMBOLIC_LIBRARY_IMPL(aten, m) { m.impl<ops::nll_loss_nd_base, &nll_loss_nd<SymInt>>(); }

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(nll_loss_forward_base, composite::nll_loss_forward_meta);
TENON_STRUCTURED_OF(nll_loss_backward_base, composite::nll_loss_backward_meta);

}  // namespace tenon::ops
