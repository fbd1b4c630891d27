// Connectionist temporal classification (Graves et al., 2006): the shapes of its kernels, and the mean.
#pragma once
#include <limits>

#include <tenon/composite/ctc_checks.hpp>
#include <tenon/composite/nll_loss.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/in_memory.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/tensor_of.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

namespace ctc {

inline Results forward_meta(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                            IntArrayRef target_lengths, std::int64_t blank, bool) {
  std::int64_t longest = check<SymInt>(log_probs, targets, input_lengths, target_lengths, blank);
  SymInt batch = log_probs.sym_size(1), loss[] = {batch}, alpha[] = {batch, log_probs.sym_size(0), 2 * longest + 1};
  auto made = [&](SymIntArrayRef sizes) {
    return make_tensor_symbolic(sizes, {}, log_probs.dtype(), log_probs.device());
  };
  return {made(SymIntArrayRef(loss, 1)), made(SymIntArrayRef(alpha, 3))};
}
inline Tensor backward_meta(const Tensor&, const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                            IntArrayRef target_lengths, const Tensor&, const Tensor&, std::int64_t blank, bool) {
  check<SymInt>(log_probs, targets, input_lengths, target_lengths, blank);
  return make_tensor_symbolic(log_probs.sym_sizes(), {}, log_probs.dtype(), log_probs.device());
}

/// The elements of a tensor of lengths.
inline DimVector lengths(const char* name, const Tensor& t) {
  TENON_CHECK(is_integral_type(t.dtype(), false), TypeError, name, " must be integral");
  TENON_CHECK(!t.is_meta(), NotImplementedError, "_ctc_loss(): ", name,
              ": the result depends on data, which Meta tensors have not");
  Tensor list = ops::contiguous(tenon::detail::in_memory(t.to("dtype"_a = kLong, "device"_a = Device(kCPU))));
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  return DimVector(p, p + list.numel());
}
inline Results forward(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                       const Tensor& target_lengths, std::int64_t blank, bool zero_infinity) {
  return ops::_ctc_loss(log_probs, targets, lengths("input_lengths", input_lengths),
                        lengths("target_lengths", target_lengths), blank, zero_infinity);
}
inline Tensor backward(const Tensor& grad, const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                       const Tensor& target_lengths, const Tensor& loss, const Tensor& log_alpha, std::int64_t blank,
                       bool zero_infinity) {
  return ops::_ctc_loss_backward(grad, log_probs, targets, lengths("input_lengths", input_lengths),
                                 lengths("target_lengths", target_lengths), loss, log_alpha, blank, zero_infinity);
}

/// Shapes: log_probs (T, N, C), or (T, C) of one example.
inline Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                       IntArrayRef target_lengths, std::int64_t blank, std::int64_t reduction, bool zero_infinity) {
  bool batched = log_probs.dim() == 3;
  // Labels may lie on the host.
  Tensor labels = targets.device() == log_probs.device() ? targets : targets.to("device"_a = log_probs.device());
  Tensor loss = std::get<0>(ops::_ctc_loss(batched ? log_probs : ops::unsqueeze(log_probs, 1), labels, input_lengths,
                                           target_lengths, blank, zero_infinity));
  if (zero_infinity)
    loss = ops::where(ops::eq(loss, Scalar(std::numeric_limits<double>::infinity())), ops::zeros_like(loss), loss);
  if (reduction == kMeanReduction) {
    std::vector<double> counts;
    for (std::int64_t n : target_lengths) counts.push_back(n > 1 ? static_cast<double>(n) : 1.0);
    return ops::mean(ops::div(loss, tensor(counts).to("dtype"_a = loss.dtype(), "device"_a = loss.device())));
  }
  if (reduction == kSumReduction) return ops::sum(loss);
  return batched ? loss : Tensor(ops::squeeze(loss, 0));
}
inline Tensor ctc_loss_of_tensors(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                                  const Tensor& target_lengths, std::int64_t blank, std::int64_t reduction,
                                  bool zero_infinity) {
  return ctc_loss(log_probs, targets, lengths("input_lengths", input_lengths),
                  lengths("target_lengths", target_lengths), blank, reduction, zero_infinity);
}

}  // namespace ctc

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::ctc_loss_IntList>().def<ops::ctc_loss_Tensor>();
  define_forms(m, ops::_ctc_loss_base);
  define_forms(m, ops::_ctc_loss_Tensor);
  define_forms(m, ops::_ctc_loss_backward_base);
  m.def<ops::_ctc_loss_backward_Tensor>();
  m.impl<ops::ctc_loss_IntList, &ctc::ctc_loss>().impl<ops::ctc_loss_Tensor, &ctc::ctc_loss_of_tensors>();
  m.impl<ops::_ctc_loss_base, &ctc::forward_meta>(DispatchKey::Meta)
      .impl<ops::_ctc_loss_backward_base, &ctc::backward_meta>(DispatchKey::Meta)
      .impl<ops::_ctc_loss_Tensor, &ctc::forward>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::_ctc_loss_backward_Tensor, &ctc::backward>(DispatchKey::CompositeExplicitAutograd);
  implement_out_by_copy<ops::_ctc_loss_base_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::_ctc_loss_Tensor_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::_ctc_loss_backward_base_op>(m, Place{__FILE__, __LINE__});
}

}  // namespace tenon::composite
