// Stochastic gradient descent.
#pragma once
#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct SGDOptions {
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
  bool maximize = false;
  TENON_FIELDS(lr, momentum, dampening, weight_decay, nesterov, maximize)
};
struct SGDState {
  Tensor momentum_buffer;
  TENON_FIELDS(momentum_buffer)
};

namespace detail {

struct SGDRule {
  static constexpr const char* name = "SGD";
  static void check(const SGDOptions& o);
  static void step(const SGDOptions& o, StepWork<SGDState>& work);

 private:
  static void run(const SGDOptions& o, const StepWork<SGDState>& work, bool first);
};

}  // namespace detail

/// `p -= lr * g`, where with momentum g is a decaying sum of gradients, or with nesterov its next value.
/// Options, defaults and results are those of torch.optim.SGD. Construct by `SGD(parameters, {.lr = 0.1})`.
using SGD = RuleOptimizer<detail::SGDRule, SGDOptions, SGDState>;

}  // namespace tenon::optim
