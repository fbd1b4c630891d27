// Connectionist temporal classification as kernels: a block for each example, a lane for each state.
#pragma once
#include <cstdint>

#include <tenon/base/scalar_type.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>
#include <tenon/math/ctc.hpp>

namespace tenon::cuda {

/// Row-major log_probs (time, batch, classes) and paths to the states (batch, time, width).
struct CtcCall {
  ScalarType dtype;
  std::int64_t time, batch, classes, width, blank;
  const std::int64_t *inputs, *lengths, *starts, *targets;  ///< starts: where an example's labels begin
  const void* probs;
  void *alphas, *losses;
  const void* grads;    ///< backward
  void *betas, *out;    ///< backward: two rows of states for each example, and the gradient
  bool zero_infinity;   ///< backward
  std::int64_t* fault;  ///< 1 + an example that has a label that is no class
};
/// Tells `fault` of a label that is no class, which the others may not meet.
void check_ctc_labels(const CtcCall& call, void* stream);
/// False for a dtype that it is not made for.
bool ctc_loss(const CtcCall& call, void* stream);
bool ctc_loss_backward(const CtcCall& call, void* stream);

/// Lanes for the states of an example.
inline Shape ctc_shape(const CtcCall& c) { return {c.batch < 1 ? 1 : c.batch, threads_for(c.width, 256)}; }

TENON_HOST_DEVICE inline math::CtcStates ctc_states(const CtcCall& c, std::int64_t b) {
  return math::CtcStates(c.targets + c.starts[b], c.lengths[b], c.blank);
}

struct find_bad_labels {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const CtcCall& c) const {
    for (std::int64_t b = lane.block(); b < c.batch; b += lane.blocks())
      each_of_block(lane, c.lengths[b], [&](std::int64_t k) {
        std::int64_t label = c.targets[c.starts[b] + k];
        if (label < 0 || label >= c.classes) *c.fault = 1 + b;  // any of them will do
      });
  }
};

template <class T>
struct ctc_losses {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const CtcCall& c) const {
    for (std::int64_t b = lane.block(); b < c.batch; b += lane.blocks()) {
      const math::CtcStates states = ctc_states(c, b);
      const std::int64_t end = c.inputs[b], n = states.count();
      T* alpha = static_cast<T*>(c.alphas) + b * c.time * c.width;
      each_of_block(lane, c.time * c.width, [&](std::int64_t i) { alpha[i] = math::kLogZero<T>; });
      for (std::int64_t t = 0; t < end; ++t) {
        lane.sync();
        const T* p = static_cast<const T*>(c.probs) + (t * c.batch + b) * c.classes;
        T* now = alpha + t * c.width;
        each_of_block(lane, t == 0 && n > 2 ? 2 : n, [&](std::int64_t s) {
          now[s] = t == 0 ? p[states[s]] : states.came_to(s, now - c.width) + p[states[s]];
        });
      }
      lane.sync();
      if (lane.thread() == 0)
        static_cast<T*>(c.losses)[b] = states.loss(end, alpha + (end == 0 ? 0 : end - 1) * c.width);
    }
  }
};

/// Beta holds the paths from a state to the end. The first state of each class adds up the paths through the class, so
/// that the bits are the same each run.
template <class T>
struct ctc_slopes {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const CtcCall& c) const {
    for (std::int64_t b = lane.block(); b < c.batch; b += lane.blocks()) {
      math::CtcStates states = ctc_states(c, b);
      T loss = static_cast<const T*>(c.losses)[b], grad = static_cast<const T*>(c.grads)[b];
      bool none = c.zero_infinity && loss == -math::kLogZero<T>;
      std::int64_t end = none ? 0 : c.inputs[b], n = states.count();
      auto row = [&](std::int64_t t) { return (t * c.batch + b) * c.classes; };
      for (std::int64_t t = end; t < c.time; ++t)
        each_of_block(lane, c.classes, [&](std::int64_t k) { static_cast<T*>(c.out)[row(t) + k] = T(0); });
      for (std::int64_t t = end - 1; t >= 0; --t) {
        const T *p = static_cast<const T*>(c.probs) + row(t),
                *alpha = static_cast<const T*>(c.alphas) + (b * c.time + t) * c.width;
        T *g = static_cast<T*>(c.out) + row(t), *beta = static_cast<T*>(c.betas) + (2 * b + t % 2) * c.width;
        const T* after = static_cast<const T*>(c.betas) + (2 * b + (t + 1) % 2) * c.width;
        each_of_block(lane, n, [&](std::int64_t s) {
          T rest = t < end - 1 ? states.go_on_from(s, after) : s >= n - 2 ? T(0) : math::kLogZero<T>;
          beta[s] = rest + p[states[s]];
        });
        each_of_block(lane, c.classes,
                      [&](std::int64_t k) { g[k] = math::ctc_slope(p[k], math::kLogZero<T>, loss, grad); });
        lane.sync();
        each_of_block(lane, n, [&](std::int64_t s) {
          std::int64_t k = states[s];
          for (std::int64_t other = 0; other < s; ++other)
            if (states[other] == k) return;
          T through = math::kLogZero<T>;
          for (std::int64_t other = n - 1; other >= s; --other)
            if (states[other] == k) through = math::log_sum(through, alpha[other] + beta[other]);
          g[k] = math::ctc_slope(p[k], through, loss, grad);
        });
      }
    }
  }
};

}  // namespace tenon::cuda
