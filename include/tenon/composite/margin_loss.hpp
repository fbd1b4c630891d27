// Losses by margins between the scores of classes, with their gradients, made of other operators.
#pragma once
#include <array>
#include <tuple>

#include <tenon/composite/loss.hpp>

namespace tenon::composite {

/// Scores of (n, c) or (c) as a matrix.
template <class Int>
std::array<Int, 2> rows_and_classes(const Tensor& self) {
  ArrayRef<Int> sizes = sizes_of<Int>(self);
  TENON_CHECK(sizes.size() <= 2 && (sizes.empty() || sizes.back() != 0), ValueError,
              "Expected non-empty vector or matrix with optional 0-dim batch size, but got: ", self.sym_sizes());
  return {sizes.size() == 2 ? sizes[0] : Int(1), sizes.empty() ? Int(1) : sizes.back()};
}
/// The mean over the classes of what `rows` holds for each: one number where the scores were one row.
inline Tensor loss_of_rows(const Tensor& self, const Tensor& rows, std::int64_t reduction) {
  return reduced_loss(self.dim() == 2 ? rows : Tensor(ops::squeeze(rows, 0)), reduction);
}
/// The gradient of a loss by its slopes of (n, c).
template <class Int>
Tensor gradient_of_rows(const Tensor& grad, const Tensor& self, const Tensor& slopes, std::array<Int, 2> shape,
                        std::int64_t reduction) {
  bool rows = reduction == kNoReduction && self.dim() == 2;
  if (rows)
    TENON_CHECK(grad.dim() == 1 && sizes_of<Int>(grad)[0] == shape[0], ValueError,
                "inconsistent gradient size, expected ", shape[0], " but got ", grad.sym_sizes());
  else
    TENON_CHECK(numel_of<Int>(grad) == 1, ValueError, "inconsistent gradient size, expected one element but got ",
                grad.sym_sizes());
  Tensor each = rows ? Tensor(ops::unsqueeze(grad, 1)) : Tensor(ops::reshape(grad, IntArrayRef()));
  // A row's loss is a mean over its classes.
  Int count = reduction == kMeanReduction ? shape[0] * shape[1] : shape[1];
  double divisor;
  if constexpr (std::is_same_v<Int, SymInt>)
    divisor = static_cast<double>(count.guard_int());
  else
    divisor = static_cast<double>(count);
  Tensor shared = slopes * each / divisor;
  return ops::reshape(shared, self.sym_sizes());
}

/// PyTorch counts only what is seen to be above 0: no NaN.
inline Tensor above_zero(const Tensor& t) { return ops::where(t > 0, t, 0); }

/// Scores against that of one class per row.
template <class Int>
struct Margins {
  std::array<Int, 2> shape;
  Tensor gap, own;  ///< (n, c): how far a score is within the margin; where the target is
  Tensor weight;    ///< (n, 1), or undefined
  bool squared;

  Margins(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
          const std::optional<Tensor>& weights)
      : shape(rows_and_classes<Int>(self)), squared(p.to_double() == 2) {
    TENON_CHECK(squared || p.to_double() == 1, ValueError, "only p == 1 and p == 2 supported");
    TENON_CHECK(target.dim() <= 1 && numel_of<Int>(target) == shape[0], ValueError,
                "inconsistent target size, expected ", shape[0], " but got ", target.sym_sizes());
    bool weighted = weights && weights->defined();
    if (weighted)
      TENON_CHECK(weights->dim() <= 1 && numel_of<Int>(*weights) == shape[1], ValueError,
                  "inconsistent weight size, expected ", shape[1], " but got ", weights->sym_sizes());
    Int column[] = {shape[0], Int(1)};
    Tensor x = ops::reshape(self, ArrayRef<Int>(shape)), t = ops::reshape(target, ArrayRef<Int>(column));
    gap = above_zero(margin.to_double() - ops::gather(x, 1, t) + x);
    own = ops::scatter(ops::new_zeros(self, ArrayRef<Int>(shape), kBool), 1, t, true);
    if (weighted)
      weight = ops::unsqueeze(ops::index_select(ops::reshape(*weights, {-1}), 0, ops::reshape(target, {-1})), 1);
  }
  /// Without what the targets themselves give, and weighted.
  Tensor counted(const Tensor& t) const { return ops::masked_fill(weight.defined() ? t * weight : t, own, 0); }
};
template <class Int>
Tensor multi_margin_loss(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                         const std::optional<Tensor>& weight, std::int64_t reduction) {
  Margins<Int> m(self, target, p, margin, weight);
  return loss_of_rows(self, ops::mean(m.counted(m.squared ? m.gap * m.gap : m.gap), {1}), reduction);
}
template <class Int>
Tensor multi_margin_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target, const Scalar& p,
                                  const Scalar& margin, const std::optional<Tensor>& weight, std::int64_t reduction) {
  Margins<Int> m(self, target, p, margin, weight);
  Tensor slopes = m.counted(m.squared ? m.gap * 2 : Tensor(ops::to(m.gap > 0, self.dtype())));
  slopes = ops::where(m.own, ops::neg(ops::sum(slopes, {1}, true)), slopes);
  return gradient_of_rows<Int>(grad, self, slopes, m.shape, reduction);
}

/// Scores against those of several classes per row; these end at the first negative one.
template <class Int>
struct LabelMargins {
  std::array<Int, 2> shape;
  Tensor place, is_target;  ///< (n, c): the targets, 0 where there are no more; which classes are targets
  Tensor gap, counts;       ///< (n, target, other): how far each other class comes near a target; whether it counts

  LabelMargins(const Tensor& self, const Tensor& target) : shape(rows_and_classes<Int>(self)) {
    TENON_CHECK(sizes_of<Int>(target) == sizes_of<Int>(self), ValueError,
                "inconsistent target size: ", target.sym_sizes(), " for input of size: ", self.sym_sizes());
    Tensor x = ops::reshape(self, ArrayRef<Int>(shape)), t = ops::reshape(target, ArrayRef<Int>(shape));
    Tensor valid = ops::cumprod(ops::to(t >= 0, kLong), 1);
    place = t * valid;
    is_target = ops::scatter_add(ops::zeros_like(valid), 1, place, valid) > 0;
    gap = 1 - ops::unsqueeze(ops::gather(x, 1, place), 2) + ops::unsqueeze(x, 1);
    counts = ops::logical_and(ops::unsqueeze(valid > 0, 2), ops::unsqueeze(ops::logical_not(is_target), 1));
  }
};
template <class Int>
std::tuple<Tensor, Tensor> multilabel_margin_loss_forward(const Tensor& self, const Tensor& target,
                                                          std::int64_t reduction) {
  LabelMargins<Int> m(self, target);
  Tensor loss = ops::where(m.counts, above_zero(m.gap), 0);
  return {loss_of_rows(self, ops::mean(ops::sum(loss, {1}), {1}), reduction),
          ops::to(ops::reshape(m.is_target, target.sym_sizes()), self.dtype())};
}
template <class Int>
Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, std::int64_t reduction) {
  return std::get<0>(multilabel_margin_loss_forward<Int>(self, target, reduction));
}
template <class Int>
Tensor multilabel_margin_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                       std::int64_t reduction, const Tensor& is_target) {
  LabelMargins<Int> m(self, target);
  TENON_CHECK(sizes_of<Int>(is_target) == sizes_of<Int>(target), ValueError,
              "multilabel_margin_loss_backward(): expected target and is_target of one size, got ", target.sym_sizes(),
              " and ", is_target.sym_sizes());
  Tensor hits = ops::to(ops::logical_and(m.counts, m.gap > 0), self.dtype());
  Tensor slopes = ops::scatter_add(ops::sum(hits, {1}), 1, m.place, ops::neg(ops::sum(hits, {2})));
  return gradient_of_rows<Int>(grad, self, slopes, m.shape, reduction);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, ops::multi_margin_loss_base);
  define_forms(m, ops::multi_margin_loss_backward_base);
  define_forms(m, ops::multilabel_margin_loss_base);
  define_forms(m, ops::multilabel_margin_loss_forward_base);
  define_forms(m, ops::multilabel_margin_loss_backward_base);
  m.impl<ops::multi_margin_loss_base, &multi_margin_loss<std::int64_t>>();
  m.impl<ops::multi_margin_loss_backward_base, &multi_margin_loss_backward<std::int64_t>>();
  m.impl<ops::multilabel_margin_loss_base, &multilabel_margin_loss<std::int64_t>>();
  m.impl<ops::multilabel_margin_loss_forward_base, &multilabel_margin_loss_forward<std::int64_t>>();
  m.impl<ops::multilabel_margin_loss_backward_base, &multilabel_margin_loss_backward<std::int64_t>>();
  Place here{__FILE__, __LINE__};
  implement_out_by_copy<ops::multi_margin_loss_base_op>(m, here);
  implement_out_by_copy<ops::multi_margin_loss_backward_base_op>(m, here);
  implement_out_by_copy<ops::multilabel_margin_loss_base_op>(m, here);
  implement_out_by_copy<ops::multilabel_margin_loss_forward_base_op>(m, here);
  implement_out_by_copy<ops::multilabel_margin_loss_backward_base_op>(m, here);
}
TENON_SYMBOLIC_LIBRARY_IMPL(aten, m) {
  m.impl<ops::multi_margin_loss_base, &multi_margin_loss<SymInt>>();
  m.impl<ops::multi_margin_loss_backward_base, &multi_margin_loss_backward<SymInt>>();
  m.impl<ops::multilabel_margin_loss_base, &multilabel_margin_loss<SymInt>>();
  m.impl<ops::multilabel_margin_loss_forward_base, &multilabel_margin_loss_forward<SymInt>>();
  m.impl<ops::multilabel_margin_loss_backward_base, &multilabel_margin_loss_backward<SymInt>>();
}

}  // namespace tenon::composite
