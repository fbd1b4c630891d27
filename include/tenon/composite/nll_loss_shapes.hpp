// Shapes and errors of the negative log likelihood's kernels, and how losses are reduced.
#pragma once
#include <tenon/ops/loss.hpp>
#include <tenon/structured/structured.hpp>

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
void check_nll_shapes(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                      bool backward = false) {
  TENON_CHECK(self.dim() == 1 || self.dim() == 2, ValueError, "input tensor should be 1D or 2D");
  TENON_CHECK(target.dim() <= 1, ValueError, "0D or 1D target tensor expected, multi-target not supported");
  // PyTorch takes one row with a list of one target, and refuses its gradient.
  if (self.dim() == 1 && target.dim() == 1 && !backward)
    TENON_CHECK(sizes_of<Int>(target)[0] == Int(1), ValueError,
                "For 1D input, 1D target must have size 1, but got target size: ", target.sym_size(0));
  else
    TENON_CHECK((self.dim() == 1 && target.dim() == 0) ||
                    (target.dim() == 1 && sizes_of<Int>(self)[0] == sizes_of<Int>(target)[0]),
                ValueError, "size mismatch (got input: ", self.sym_sizes(), ", target: ", target.sym_sizes(), ")");
  check_class_weight<Int>(weight, sizes_of<Int>(self).back());
}
inline void check_target_dtype(const Tensor& target) {
  TENON_CHECK(target.dtype() == kLong || target.dtype() == kByte, TypeError,
              "expected target dtype to be int64 or uint8, but got ", target.dtype());
}
inline void check_class_weight_dtype(const Tensor& weight, ScalarType dtype) {
  TENON_CHECK(weight.dtype() == dtype, TypeError, "expected weight to have the dtype of self, ", dtype, ", but got ",
              weight.dtype());
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
    check_nll_shapes<Int>(self, target, weight, true);
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

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(nll_loss_forward_base, composite::nll_loss_forward_meta);
TENON_STRUCTURED_OF(nll_loss_backward_base, composite::nll_loss_backward_meta);

}  // namespace tenon::ops
