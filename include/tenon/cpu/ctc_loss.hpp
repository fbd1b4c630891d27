// Connectionist temporal classification on the CPU: the forward and the backward recursion, in logarithms.
#pragma once
#include <algorithm>
#include <vector>

#include <tenon/composite/ctc_loss.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/math/ctc.hpp>

namespace tenon::cpu::detail {

using math::CtcStates;
using math::kLogZero;

/// The arguments of both kernels, checked and in a row.
struct CtcBatch {
  CtcBatch(const Tensor& log_probs, const Tensor& targets_, IntArrayRef inputs_, IntArrayRef lengths_,
           std::int64_t blank_)
      : longest(composite::ctc::check<std::int64_t>(log_probs, targets_, inputs_, lengths_, blank_)),
        time(log_probs.size(0)),
        batch(log_probs.size(1)),
        classes(log_probs.size(2)),
        blank(blank_),
        inputs(inputs_),
        lengths(lengths_),
        targets(row_major(targets_, kLong)),
        probs(row_major(log_probs)) {
    std::int64_t at = 0;
    for (std::int64_t b = 0; b < batch; ++b) {
      starts.push_back(at);
      auto labels = static_cast<const std::int64_t*>(targets.data_ptr()) + at;
      for (std::int64_t k = 0; k < lengths[b]; ++k)
        TENON_CHECK(labels[k] >= 0 && labels[k] < classes, IndexError, "ctc_loss(): label ", labels[k], " of example ",
                    b, " is out of range [0, ", classes, ")");
      at += targets.dim() == 2 ? targets.size(1) : lengths[b];
    }
  }
  CtcStates states(std::int64_t b) const {
    auto i = static_cast<std::size_t>(b);
    return {static_cast<const std::int64_t*>(targets.data_ptr()) + starts[i], lengths[i], blank};
  }
  std::int64_t width() const { return 2 * longest + 1; }
  /// The classes of example b at time t, in a tensor of the shape of log_probs.
  template <class T>
  T* row(const Tensor& t, std::int64_t at, std::int64_t b) const {
    return static_cast<T*>(t.data_ptr()) + (at * batch + b) * classes;
  }

  std::int64_t longest, time, batch, classes, blank;
  IntArrayRef inputs, lengths;
  Tensor targets, probs;
  std::vector<std::int64_t> starts;
};
template <class F>
void visit_ctc_type(const char* name, ScalarType dtype, F f) {
  if (dtype == kFloat)
    f(type_tag<float>{});
  else if (dtype == kDouble)
    f(type_tag<double>{});
  else
    not_implemented_for(name, dtype);
}

/// The losses of the batch, and for each example the logarithm of the probability of all paths to a state at a time.
inline composite::ctc::Results ctc_loss_cpu(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                                            IntArrayRef target_lengths, std::int64_t blank, bool) {
  CtcBatch c(log_probs, targets, input_lengths, target_lengths, blank);
  Tensor loss = make_tensor({c.batch}, {}, log_probs.dtype());
  Tensor alphas = make_tensor({c.batch, c.time, c.width()}, {}, log_probs.dtype());
  visit_ctc_type("ctc_loss_cpu", log_probs.dtype(), [&]<class T>(type_tag<T>) {
    auto out = static_cast<T*>(loss.data_ptr());
    parallel_for(0, c.batch, 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t b = first; b < last; ++b) {
        CtcStates states = c.states(b);
        std::int64_t end = c.inputs[b], n = states.count();
        T* alpha = static_cast<T*>(alphas.data_ptr()) + b * c.time * c.width();
        std::fill_n(alpha, c.time * c.width(), kLogZero<T>);
        for (std::int64_t t = 0; t < end; ++t, alpha += c.width()) {
          const T* p = c.row<const T>(c.probs, t, b);
          if (t == 0) {
            for (std::int64_t s = 0; s < std::min<std::int64_t>(n, 2); ++s) alpha[s] = p[states[s]];
            continue;
          }
          const T* before = alpha - c.width();
          for (std::int64_t s = 0; s < n; ++s) alpha[s] = states.came_to(s, before) + p[states[s]];
        }
        out[b] = states.loss(end, alpha - (end == 0 ? 0 : c.width()));
      }
    });
  });
  return {loss, alphas};
}

/// One example's gradient by log_probs, PyTorch's: that behind a log_softmax.
template <class T>
void ctc_backward_example(const CtcBatch& c, std::int64_t b, const T* alpha, T loss, T by, const Tensor& out) {
  CtcStates states = c.states(b);
  std::int64_t end = c.inputs[b], n = states.count(), width = c.width();
  // Beta holds the paths from a state to the end; the gradient first the paths through a class.
  std::vector<T> beta(static_cast<std::size_t>(n), kLogZero<T>), next;
  for (std::int64_t t = end - 1; t >= 0; --t) {
    const T* p = c.row<const T>(c.probs, t, b);
    T* g = c.row<T>(out, t, b);
    std::fill_n(g, c.classes, kLogZero<T>);
    next.swap(beta);
    beta.assign(static_cast<std::size_t>(n), kLogZero<T>);
    for (std::int64_t s = n - 1; s >= (t == end - 1 ? std::max<std::int64_t>(n - 2, 0) : 0); --s) {
      auto k = static_cast<std::size_t>(s);
      beta[k] = (t == end - 1 ? T(0) : states.go_on_from(s, next.data())) + p[states[s]];
      T through = alpha[t * width + s] + beta[k];
      // PyTorch takes the last two states for different classes, though a label be the blank.
      g[states[s]] = t == end - 1 ? through : math::log_sum(g[states[s]], through);
    }
    for (std::int64_t k = 0; k < c.classes; ++k) g[k] = math::ctc_slope(p[k], g[k], loss, by);
  }
  for (std::int64_t t = end; t < c.time; ++t) std::fill_n(c.row<T>(out, t, b), c.classes, T(0));
}
inline Tensor ctc_loss_backward_cpu(const Tensor& grad, const Tensor& log_probs, const Tensor& targets,
                                    IntArrayRef input_lengths, IntArrayRef target_lengths, const Tensor& loss,
                                    const Tensor& log_alpha, std::int64_t blank, bool zero_infinity) {
  CtcBatch c(log_probs, targets, input_lengths, target_lengths, blank);
  composite::ctc::check_backward(grad, log_probs, loss, log_alpha, c.longest);
  Tensor out = make_tensor(log_probs.sizes(), {}, log_probs.dtype());
  visit_ctc_type("ctc_loss_backward_cpu", log_probs.dtype(), [&]<class T>(type_tag<T>) {
    Tensor by = row_major(grad), losses = row_major(loss), alphas = row_major(log_alpha);
    auto data = [](const Tensor& t) { return static_cast<const T*>(t.data_ptr()); };
    parallel_for(0, c.batch, 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t b = first; b < last; ++b)
        if (zero_infinity && data(losses)[b] == -kLogZero<T>)
          for (std::int64_t t = 0; t < c.time; ++t) std::fill_n(c.row<T>(out, t, b), c.classes, T(0));
        else
          ctc_backward_example(c, b, data(alphas) + b * c.time * c.width(), data(losses)[b], data(by)[b], out);
    });
  });
  return out;
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels<&KernelTables::copy>();
  m.impl<ops::_ctc_loss_base, &detail::ctc_loss_cpu>(DispatchKey::CPU)
      .impl<ops::_ctc_loss_backward_base, &detail::ctc_loss_backward_cpu>(DispatchKey::CPU);
}

}  // namespace tenon::cpu
