// What all optimisers share: groups of parameters with options, gradients to clear, state by name.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include <tenon/keys/local_keys.hpp>
#include <tenon/nn/module.hpp>

namespace tenon::optim {

/// Parameters that are stepped with the same options.
template <class Options>
struct ParamGroup {
  std::vector<Tensor> parameters;
  Options options;
};

/// The part of an optimiser that does not depend on its rule.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Changes every parameter that has a gradient, in place and unrecorded; each counts as one write.
  /// Errors: ValueError if a gradient's shape is another than its parameter's; NotImplementedError on a device without
  /// kernels. Cost: one pass over parameter, gradient and state; the first step allocates the state.
  virtual void step() = 0;
  /// Every tensor of the state by name: `0.exp_avg` belongs to the first parameter. Empty before the first step.
  virtual nn::NamedTensors state() const = 0;
  /// Takes over what state() of an optimiser over like parameters gave. Aliasing: copies.
  /// Errors: ValueError for a name or a shape that does not fit; then nothing has changed.
  virtual void load_state(const nn::NamedTensors& state) = 0;

  /// All parameters, group after group.
  const std::vector<Tensor>& parameters() const { return parameters_; }
  /// Drops the gradients, or with `set_to_none` false fills them with zeros.
  void zero_grad(bool set_to_none = true) const;

 protected:
  Optimizer() = default;
  /// Errors: ValueError for an empty list, an undefined tensor, a non-leaf and a parameter given before.
  void add_parameters(const char* name, const std::vector<Tensor>& parameters);

  std::vector<Tensor> parameters_;
};

namespace detail {

/// The gradient to step by; an undefined tensor if there is none.
Tensor gradient_of(const Tensor& parameter);
/// Adds 1 to a count of steps, which is made at the first.
void count_step(Tensor& step);
/// Counts the writes of a step.
void bump_versions(const std::vector<Tensor>& parameters);
/// Makes a tensor of the shape and strides of `like` unless it is defined.
void make_filled(Tensor& t, const Tensor& like, const Scalar& value);
/// Copies the tensor of this name, a parameter's state, out of a list; whether there is one. Throws ValueError.
bool load_tensor(const nn::NamedTensors& tensors, const std::string& name, const Tensor& parameter, Tensor& to);
/// Throws ValueError unless every tensor was taken.
void check_all_loaded(std::size_t found, std::size_t given, std::size_t parameters);
void check_not_negative(const char* optimizer, const char* option, double value);

}  // namespace detail

/// The parameters of one step: those that have a gradient, with their states.
template <class State>
struct StepWork {
  std::vector<Tensor> parameters, grads;
  std::vector<State*> states;

  void add(const Tensor& parameter, const Tensor& grad, State& state) {
    parameters.push_back(parameter);
    grads.push_back(grad);
    states.push_back(&state);
  }
  /// One field of every state as a list, for an operator.
  std::vector<Tensor> field(Tensor State::*which) const {
    std::vector<Tensor> list;
    list.reserve(states.size());
    for (State* s : states) list.push_back(s->*which);
    return list;
  }
};

/// An optimiser whose rule has options and, per parameter, a state: a struct of tensors named with TENON_FIELDS, of
/// which one may be `step`, the count of steps. `Rule` gives its `name`, `static void check(const Options&)`, which
/// throws ValueError, and `static void step(const Options&, StepWork<State>&)`, which makes a first step's state and
/// updates.
template <class Rule, class Options, class State>
class RuleOptimizer : public Optimizer {
 public:
  using options_type = Options;

  explicit RuleOptimizer(std::vector<Tensor> parameters, Options options = {}) {
    add_param_group(std::move(parameters), options);
  }
  /// More parameters, with options of their own. Errors as the constructor's.
  void add_param_group(std::vector<Tensor> parameters, Options options) {
    Rule::check(options);
    add_parameters(Rule::name, parameters);
    state_.resize(parameters_.size());
    groups_.push_back({std::move(parameters), options});
  }
  /// The groups; options may be changed between steps.
  std::vector<ParamGroup<Options>>& groups() { return groups_; }
  const std::vector<ParamGroup<Options>>& groups() const { return groups_; }
  /// The options of the first group.
  Options& options() { return groups_.front().options; }
  const Options& options() const { return groups_.front().options; }

  void step() override {
    // Nothing of a step is recorded: the keys of autograd are skipped, and writes are counted here.
    AutoDispatchBelowADInplaceOrView below_autograd;
    std::size_t index = 0;
    for (auto& group : groups_) {
      StepWork<State> work;
      for (const Tensor& p : group.parameters) {
        State& s = state_[index++];
        Tensor grad = detail::gradient_of(p);
        if (!grad.defined()) continue;
        work.add(p, grad, s);
        if constexpr (requires { s.step; }) detail::count_step(s.step);
      }
      if (work.parameters.empty()) continue;
      Rule::check(group.options);
      Rule::step(group.options, work);
      detail::bump_versions(work.parameters);
    }
  }

  nn::NamedTensors state() const override { return nn::state(state_); }
  void load_state(const nn::NamedTensors& tensors) override {
    std::vector<State> loaded(state_.size());
    std::size_t found = 0;
    for (std::size_t i = 0; i < loaded.size(); ++i)
      nn::for_each_field(loaded[i], [&](const std::string& field, Tensor& to) {
        found += detail::load_tensor(tensors, std::to_string(i) + "." + field, parameters_[i], to);
      });
    detail::check_all_loaded(found, tensors.size(), state_.size());
    state_ = std::move(loaded);
  }

 private:
  std::vector<ParamGroup<Options>> groups_;
  std::vector<State> state_;
};

namespace detail {

/// Makes one field of every state, of the shape and strides of its parameter, where it is not there yet.
template <class State>
void make_state(const StepWork<State>& work, Tensor State::*field, const Scalar& value = 0) {
  for (std::size_t i = 0; i < work.states.size(); ++i) make_filled(work.states[i]->*field, work.parameters[i], value);
}

}  // namespace detail
}  // namespace tenon::optim
