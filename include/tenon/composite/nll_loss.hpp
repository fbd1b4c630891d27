// Negative log likelihood with dimensions behind the classes.
#pragma once
#include <tenon/composite/nll_loss_shapes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::composite {

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
    if (self.dim() == 2)
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
