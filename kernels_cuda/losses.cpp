// Registers losses and their gradients on CUDA.
#include <tenon/composite/mse_loss.hpp>
#include <tenon/composite/nll_loss_shapes.hpp>
#include <tenon/composite/smooth_loss.hpp>
#include <tenon/ops/reduce.hpp>

#include "fault.hpp"
#include "support.hpp"

namespace tenon::cuda {
namespace {

using MaybeTensor = std::optional<Tensor>;

/// Runs a call over the shape of `out`; weight and gradient may be undefined.
void run_losses(const char* name, LossCall call, const Tensor& self, const Tensor& target, const Tensor& weight,
                const Tensor& grad, const Tensor& out) {
  ScalarType dtype = result_type(self, target);
  if (!is_floating_type(dtype) || !has_arithmetic(dtype)) not_implemented_for(name, dtype);
  if (out.numel() == 0) return;
  Elementwise& c = call.elements;
  const Tensor* given[] = {&out, &self, &target, &weight, &grad};
  for (c.operands = 0; c.operands < 5; ++c.operands) {
    const Tensor& t = *given[c.operands];
    c.at[c.operands] = t.defined() ? operand_of(t) : operand_of(Scalar(1), dtype);
    if (!t.defined() || t.is_cpu()) given[c.operands] = nullptr;
  }
  walk_elements(c, out.sizes(), given);
  losses(call, runtime::current_stream());
  runtime::check_launch(name);
}
void run_value(const char* name, Loss what, double parameter, const Tensor& self, const Tensor& target,
               const Tensor& weight, std::int64_t reduction, const Tensor& out) {
  LossCall call{};
  call.what = what, call.parameter = parameter;
  std::optional<Fault> fault;
  if (what == Loss::CrossEntropy) fault.emplace(out.device()), call.fault = fault->data();
  if (reduction == composite::kNoReduction) {
    run_losses(name, call, self, target, weight, {}, out);
  } else {
    Tensor each =
        make_tensor(broadcast_shapes(self.sizes(), target.sizes()), {}, result_type(self, target), out.device());
    run_losses(name, call, self, target, weight, {}, each);
    AutoDispatchBelowADInplaceOrView below;
    copy_elements(out, reduction == composite::kMeanReduction ? Tensor(ops::mean(each)) : Tensor(ops::sum(each)));
  }
  if (fault) TENON_CHECK(fault->told() == 0, ValueError, "all elements of input should be between 0 and 1");
}
void run_slope(const char* name, Loss what, double parameter, const Tensor& grad, const Tensor& self,
               const Tensor& target, const Tensor& weight, std::int64_t reduction, const Tensor& out) {
  LossCall call{};
  call.what = what, call.parameter = parameter, call.slope = true;
  call.norm = reduction == composite::kMeanReduction ? 1.0 / static_cast<double>(self.numel()) : 1.0;
  run_losses(name, call, self, target, weight, grad, out);
}

void mse_loss(const Tensor& self, const Tensor& target, std::int64_t reduction, const Tensor& out) {
  run_value("mse_cuda", Loss::Squared, 0, self, target, {}, reduction, out);
}
void mse_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                       const Tensor& out) {
  run_slope("mse_backward_cuda", Loss::Squared, 0, grad, self, target, {}, reduction, out);
}
template <Loss What>
void bounded_loss(const Tensor& self, const Tensor& target, std::int64_t reduction, double bound, const Tensor& out) {
  run_value(What == Loss::Huber ? "huber_cuda" : "smooth_l1_cuda", What, bound, self, target, {}, reduction, out);
}
template <Loss What>
void bounded_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                           double bound, const Tensor& out) {
  run_slope(What == Loss::Huber ? "huber_backward_cuda_out" : "smooth_l1_backward_cuda_out", What, bound, grad, self,
            target, {}, reduction, out);
}
void soft_margin(const Tensor& self, const Tensor& target, std::int64_t reduction, const Tensor& out) {
  run_value("soft_margin_cuda", Loss::SoftMargin, 0, self, target, {}, reduction, out);
}
void soft_margin_backward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                          const Tensor& out) {
  run_slope("soft_margin_backward_cuda", Loss::SoftMargin, 0, grad, self, target, {}, reduction, out);
}
void cross_entropy(const Tensor& self, const Tensor& target, const MaybeTensor& weight, std::int64_t reduction,
                   const Tensor& out) {
  run_value("binary_cross_entropy", Loss::CrossEntropy, 0, self, target, weight.value_or(Tensor()), reduction, out);
}
void cross_entropy_backward(const Tensor& grad, const Tensor& self, const Tensor& target, const MaybeTensor& weight,
                            std::int64_t reduction, const Tensor& out) {
  run_slope("binary_cross_entropy_backward", Loss::CrossEntropy, 0, grad, self, target, weight.value_or(Tensor()),
            reduction, out);
}

/// What forward and backward share; the tensors live as long as it does.
struct Likelihood {
  LikelihoodCall call{};
  Tensor target, weight;
  Fault fault;
  Likelihood(const Tensor& self, const Tensor& classes, const MaybeTensor& weights, std::int64_t reduction,
             std::int64_t ignored)
      : fault(self.device()) {
    composite::check_target_dtype(classes);
    target = row_major(classes, kLong);
    if (weights && weights->defined()) {
      composite::check_class_weight_dtype(*weights, self.dtype());
      weight = row_major(*weights);
      call.weight = weight.data_ptr();
    }
    call.dtype = self.dtype(), call.n = classes.numel(), call.classes = self.sizes().back(), call.ignored = ignored;
    call.target = static_cast<const std::int64_t*>(target.data_ptr());
    call.each = reduction == composite::kNoReduction && self.dim() == 2;
    call.mean = reduction == composite::kMeanReduction;
    call.fault = fault.data();
  }
  void check(const char* name, bool known) const {
    if (!known) not_implemented_for(name, call.dtype);
    runtime::check_launch(name);
    std::int64_t bad = fault.told();
    if (bad == 0) return;
    std::int64_t given = 0;
    runtime::copy_to_host(&given, call.target + (bad - 1), sizeof given);
    fail<IndexError>("Target ", given, " is out of bounds.");
  }
};
void nll_loss(const Tensor& self, const Tensor& target, const MaybeTensor& weight, std::int64_t reduction,
              std::int64_t ignored, const Tensor& out, const Tensor& total_weight) {
  Likelihood l(self, target, weight, reduction, ignored);
  Tensor from = row_major(self);
  Result to(out, self.dtype());
  fill_elements(total_weight, operand_of(Scalar(0), total_weight.dtype()));
  l.call.in = from.data_ptr(), l.call.out = to.data(), l.call.total_weight = total_weight.data_ptr();
  if (l.call.each && l.call.n == 0) return;
  l.check("nll_loss_forward_reduce_cuda_kernel", likelihood(l.call, runtime::current_stream()));
  to.done();
}
void nll_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target, const MaybeTensor& weight,
                       std::int64_t reduction, std::int64_t ignored, const Tensor& total_weight, const Tensor& out) {
  for (const Tensor* t : {&grad, &total_weight})
    TENON_CHECK(t->dtype() == self.dtype(), TypeError, "expected scalar type ", enumerator_name(self.dtype()),
                " but found ", enumerator_name(t->dtype()));
  Likelihood l(self, target, weight, reduction, ignored);
  Result to(out, self.dtype());
  fill_elements(to.tensor(), operand_of(Scalar(0), self.dtype()));
  Tensor from = row_major(grad);
  l.call.grad = from.data_ptr(), l.call.total = total_weight.data_ptr(), l.call.out = to.data();
  if (l.call.n != 0)
    l.check("nll_loss_backward_reduce_cuda_kernel", likelihood_back(l.call, runtime::current_stream()));
  to.done();
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(mse_loss_base, CUDA, cuda::mse_loss);
TENON_STRUCTURED_KERNEL(mse_loss_backward_base, CUDA, cuda::mse_loss_backward);
TENON_STRUCTURED_KERNEL(smooth_l1_loss_base, CUDA, cuda::bounded_loss<cuda::Loss::SmoothL1>);
TENON_STRUCTURED_KERNEL(smooth_l1_loss_backward_base, CUDA, cuda::bounded_loss_backward<cuda::Loss::SmoothL1>);
TENON_STRUCTURED_KERNEL(huber_loss_base, CUDA, cuda::bounded_loss<cuda::Loss::Huber>);
TENON_STRUCTURED_KERNEL(huber_loss_backward_base, CUDA, cuda::bounded_loss_backward<cuda::Loss::Huber>);
TENON_STRUCTURED_KERNEL(soft_margin_loss_base, CUDA, cuda::soft_margin);
TENON_STRUCTURED_KERNEL(soft_margin_loss_backward_base, CUDA, cuda::soft_margin_backward);
TENON_STRUCTURED_KERNEL(binary_cross_entropy_base, CUDA, cuda::cross_entropy);
TENON_STRUCTURED_KERNEL(binary_cross_entropy_backward_base, CUDA, cuda::cross_entropy_backward);
TENON_STRUCTURED_KERNEL(nll_loss_forward_base, CUDA, cuda::nll_loss);
TENON_STRUCTURED_KERNEL(nll_loss_backward_base, CUDA, cuda::nll_loss_backward);

}  // namespace tenon::ops
