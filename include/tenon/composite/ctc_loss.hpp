// Connectionist temporal classification (Graves et al., 2006): its arguments, the shapes of its kernels, and the mean.
#pragma once
#include <limits>

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

inline constexpr const char* kWhere = " (while checking arguments for ctc_loss_allocate_outputs)";

/// Throws unless the arguments fit each other; returns the length of the longest target.
template <class Int>
std::int64_t check(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                   IntArrayRef target_lengths, std::int64_t blank) {
  TENON_CHECK(numel_of<Int>(log_probs) > Int(0), ValueError, "log_probs tensor must not be empty");
  TENON_CHECK(targets.dtype() == kLong || targets.dtype() == kInt, TypeError,
              "Expected tensor for argument #2 'targets' to have scalar type Int; but got ", targets.dtype(), kWhere);
  TENON_CHECK(log_probs.dim() == 3, ValueError, "Expected 3-dimensional tensor, but got ", log_probs.dim(),
              "-dimensional tensor for argument #1 'log_probs'", kWhere);
  TENON_CHECK(targets.dim() == 1 || targets.dim() == 2, ValueError, "Expected 1 to 2 dimensions, but got ",
              targets.dim(), "-dimensional tensor for argument #2 'targets'", kWhere);
  ArrayRef<Int> sizes = sizes_of<Int>(log_probs), labels = sizes_of<Int>(targets);
  TENON_CHECK(blank >= 0 && Int(blank) < sizes[2], ValueError, "blank must be in label range");
  auto count = static_cast<std::int64_t>(input_lengths.size());
  TENON_CHECK(Int(count) == sizes[1], ValueError, "input_lengths must be of size batch_size");
  TENON_CHECK(target_lengths.size() == input_lengths.size(), ValueError, "target_lengths must be of size batch_size");
  std::int64_t longest = 0, all = 0;
  for (std::int64_t n : target_lengths) {
    TENON_CHECK(n >= 0, ValueError, "Expected target_lengths to have value at least 0, but got value ", n, kWhere);
    if (n > longest) longest = n;
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    all = n > most - all ? most : all + n;
  }
  std::int64_t rows = targets.dim() == 1 ? all : count;
  TENON_CHECK(labels[0] == Int(rows), ValueError, "Expected tensor to have size ", rows,
              " at dimension 0, but got size ", labels[0], " for argument #2 'targets'", kWhere);
  if (targets.dim() == 2)
    TENON_CHECK(labels[1] >= Int(longest), ValueError, "Expected tensor to have size at least ", longest,
                " at dimension 1, but got size ", labels[1], " for argument #2 'targets'", kWhere);
  for (std::int64_t n : input_lengths) {
    TENON_CHECK(n >= 0, ValueError, "Expected input_lengths to have value at least 0, but got value ", n, kWhere);
    TENON_CHECK(Int(n) <= sizes[0], ValueError, "Expected input_lengths to have value at most ", sizes[0],
                ", but got value ", n, kWhere);
  }
  return longest;
}
using Results = std::tuple<Tensor, Tensor>;
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
  Tensor loss = std::get<0>(ops::_ctc_loss(batched ? log_probs : ops::unsqueeze(log_probs, 1), targets, input_lengths,
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
