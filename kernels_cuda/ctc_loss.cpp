// Registers connectionist temporal classification on CUDA.
#include <vector>

#include <tenon/composite/ctc_checks.hpp>
#include <tenon/cuda/ctc_loss.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/loss.hpp>

#include "fault.hpp"
#include "support.hpp"

namespace tenon::cuda {
namespace {

/// The arguments of both kernels, checked, in a row and on the device.
class Batch {
 public:
  CtcCall call{};
  std::int64_t longest;

  Batch(const char* name, const Tensor& log_probs, const Tensor& targets, IntArrayRef inputs, IntArrayRef lengths,
        std::int64_t blank)
      : longest(composite::ctc::check<std::int64_t>(log_probs, targets, inputs, lengths, blank)),
        probs_(row_major(log_probs)),
        targets_(row_major(targets, kLong)) {
    if (log_probs.dtype() != kFloat && log_probs.dtype() != kDouble) not_implemented_for(name, log_probs.dtype());
    CtcCall& c = call;
    c.dtype = log_probs.dtype();
    c.time = log_probs.size(0), c.batch = log_probs.size(1), c.classes = log_probs.size(2);
    c.width = 2 * longest + 1, c.blank = blank;
    c.probs = probs_.data_ptr();
    c.targets = static_cast<const std::int64_t*>(targets_.data_ptr());
    std::vector<std::int64_t> words(inputs.begin(), inputs.end());
    words.insert(words.end(), lengths.begin(), lengths.end());
    std::int64_t at = 0;
    for (std::int64_t n : lengths) {
      words.push_back(at);
      at += targets.dim() == 2 ? targets.size(1) : n;
    }
    auto bytes = static_cast<std::int64_t>(8 * words.size());
    lists_ = scratch_on(log_probs.device(), bytes);
    runtime::copy_to_device(lists_.data_ptr(), words.data(), 8 * words.size());
    c.inputs = static_cast<const std::int64_t*>(lists_.data_ptr());
    c.lengths = c.inputs + c.batch, c.starts = c.lengths + c.batch;
    Fault fault(log_probs.device());
    c.fault = fault.data();
    check_ctc_labels(c, runtime::current_stream());
    runtime::check_launch(name);
    std::int64_t bad = fault.told();
    TENON_CHECK(bad == 0, IndexError, "ctc_loss(): a label of example ", bad - 1, " is out of range [0, ", c.classes,
                ")");
    c.fault = nullptr;
  }

 private:
  Tensor probs_, targets_, lists_;
};

composite::ctc::Results forward(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                                IntArrayRef target_lengths, std::int64_t blank, bool) {
  DeviceGuard guard(log_probs.device());
  Batch b("ctc_loss_cuda", log_probs, targets, input_lengths, target_lengths, blank);
  Tensor loss = make_tensor({b.call.batch}, {}, log_probs.dtype(), log_probs.device());
  Tensor alphas = make_tensor({b.call.batch, b.call.time, b.call.width}, {}, log_probs.dtype(), log_probs.device());
  b.call.losses = loss.data_ptr(), b.call.alphas = alphas.data_ptr();
  ctc_loss(b.call, runtime::current_stream());
  runtime::check_launch("_ctc_loss");
  return {loss, alphas};
}
Tensor backward(const Tensor& grad, const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                IntArrayRef target_lengths, const Tensor& loss, const Tensor& log_alpha, std::int64_t blank,
                bool zero_infinity) {
  DeviceGuard guard(log_probs.device());
  Batch b("ctc_loss_backward_cuda", log_probs, targets, input_lengths, target_lengths, blank);
  composite::ctc::check_backward(grad, log_probs, loss, log_alpha, b.longest);
  CtcCall& c = b.call;
  Tensor out = make_tensor(log_probs.sizes(), {}, log_probs.dtype(), log_probs.device()), by = row_major(grad),
         losses = row_major(loss), alphas = row_major(log_alpha),
         betas = make_tensor({2, c.batch, c.width}, {}, log_probs.dtype(), log_probs.device());
  c.grads = by.data_ptr(), c.losses = losses.data_ptr(), c.alphas = alphas.data_ptr(), c.betas = betas.data_ptr();
  c.out = out.data_ptr(), c.zero_infinity = zero_infinity;
  ctc_loss_backward(c, runtime::current_stream());
  runtime::check_launch("_ctc_loss_backward");
  return out;
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl<tenon::ops::_ctc_loss_base, &tenon::cuda::forward>()
      .impl<tenon::ops::_ctc_loss_backward_base, &tenon::cuda::backward>();
}
