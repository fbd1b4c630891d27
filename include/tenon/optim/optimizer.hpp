// What all optimisers share: groups of parameters with options, gradients to clear, state by name.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/keys/local_keys.hpp>
#include <tenon/nn/module.hpp>
#include <tenon/nn/state.hpp>
#include <tenon/optim/closure.hpp>
#include <tenon/optim/options.hpp>
#include <tenon/optim/step_hooks.hpp>

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
  /// Calls `closure`, which clears the gradients, computes the loss, runs backward and returns the loss, with grad mode
  /// on; then steps. Returns the loss; of a rule that calls it several times, the first.
  virtual Tensor step(Closure closure);

  /// Calls `hook` with the optimiser at the begin of each step, before a closure, or at its end. Hooks of one kind are
  /// called in the order in which they were registered; what one throws, the step throws. Returns a number for
  /// remove_hook(), which returns whether there was such a hook. Source: torch.optim.Optimizer of PyTorch 2.15.
  std::int64_t register_step_pre_hook(StepHook hook) { return hooks_.add(true, std::move(hook)); }
  std::int64_t register_step_post_hook(StepHook hook) { return hooks_.add(false, std::move(hook)); }
  bool remove_hook(std::int64_t number) { return hooks_.remove(number); }

  /// Everything that a run needs to go on, by PyTorch's names: `0.exp_avg` is the state of the first parameter, absent
  /// before the first step, `param_groups.0.lr` an option of the first group.
  nn::NamedTensors state() const;
  /// Takes over what state() of an optimiser over like parameters gave; the steps after it are the same to the bit.
  /// Options that are not given stay. Aliasing: copies.
  /// Errors: ValueError for a name or a shape that does not fit; then nothing has changed.
  void load_state(const nn::NamedTensors& state);

  /// All parameters, group after group.
  const std::vector<Tensor>& parameters() const { return parameters_; }
  /// Drops the gradients, or with `set_to_none` false fills them with zeros.
  void zero_grad(bool set_to_none = true) const;

  /// The groups as what does not know the rule sees them: schedules and saved state.
  virtual std::size_t group_count() const = 0;
  /// The options of a group by name, each a reference into it.
  virtual std::vector<OptionRef> option_refs(std::size_t group) = 0;
  /// A group's number of this name: an option, of pairs the first part, or a note. Null if there is none.
  double* number(std::size_t group, std::string_view name);
  /// Keeps a number with a group, such as `initial_lr`, unless it is there; what schedules note is part of the state.
  double& note(std::size_t group, std::string_view name, double value);

 protected:
  Optimizer() = default;
  /// Errors: ValueError for an empty list, an undefined tensor, a non-leaf and a parameter given before.
  void add_parameters(const char* name, const std::vector<Tensor>& parameters);

  /// Runs a step with the hooks around it; one within another is part of that.
  template <class F>
  void with_hooks(F&& f) {
    if (stepping_) return f();
    struct Stepping {
      bool& on;
      explicit Stepping(bool& flag) : on(flag) { on = true; }
      ~Stepping() { on = false; }
    } stepping(stepping_);
    hooks_.call(true, *this);
    f();
    hooks_.call(false, *this);
  }

  /// The tensors of the rule's state, and their replacement, which throws before it changes anything; it takes out of
  /// `tensors` what is the rule's.
  virtual nn::NamedTensors rule_state() const = 0;
  virtual void load_rule_state(nn::NamedTensors& tensors) = 0;

  std::vector<Tensor> parameters_;

 private:
  std::vector<std::vector<std::pair<std::string, double>>> notes_;  // by group
  StepHooks hooks_;
  bool stepping_ = false;
};

namespace detail {

/// What a tensor of the state must look like.
struct StateForm {
  bool is_number;  ///< a float32 on the CPU, as counts of steps are
  DimVector sizes;
};
StateForm number_or_like(bool is_number, const Tensor& parameter);
template <class State>
StateForm form_of(const std::string& field, const Tensor& parameter) {
  if constexpr (requires { State::form_of(field, parameter); }) return State::form_of(field, parameter);
  return number_or_like(field == "step", parameter);
}

/// The gradient to step by; an undefined tensor if there is none.
Tensor gradient_of(const Tensor& parameter);
/// Throws ValueError if a tensor is left that was not taken.
void check_all_loaded(const nn::NamedTensors& left, std::size_t parameters);
/// Adds 1 to a count of steps, which is made at the first.
void count_step(Tensor& step);
/// Counts the writes of a step.
void bump_versions(const std::vector<Tensor>& parameters);
/// Makes a tensor of the shape and strides of `like` unless it is defined.
void make_filled(Tensor& t, const Tensor& like, const Scalar& value);
/// Makes a number of a state, a float32, unless it is defined.
void make_number(Tensor& t, double value);
/// Counts of steps on the devices of their parameters, where operators of PyTorch's want all of their tensors.
std::vector<Tensor> counts_beside(const std::vector<Tensor>& parameters, const std::vector<Tensor>& counts);
/// Takes the tensor of this name out of a list; undefined if there is none.
Tensor take_tensor(nn::NamedTensors& tensors, const std::string& name);
/// Takes the tensor of this name, a parameter's state, out of a list and copies it. Throws ValueError.
void load_tensor(nn::NamedTensors& tensors, const std::string& name, const Tensor& parameter, const StateForm& form,
                 Tensor& to);
void check_not_negative(const char* optimizer, const char* option, double value);
void check_betas(const char* optimizer, const std::pair<double, double>& betas);

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

  using Optimizer::step;
  void step() override {
    with_hooks([&] { update(); });
  }

  std::size_t group_count() const override { return groups_.size(); }
  std::vector<OptionRef> option_refs(std::size_t group) override {
    return detail::option_refs_of(groups_.at(group).options);
  }

 protected:
  nn::NamedTensors rule_state() const override { return nn::state(state_); }
  void load_rule_state(nn::NamedTensors& tensors) override {
    std::vector<State> loaded(state_.size());
    for (std::size_t i = 0; i < loaded.size(); ++i)
      nn::for_each_field(loaded[i], [&](const std::string& field, Tensor& to) {
        detail::load_tensor(tensors, std::to_string(i) + "." + field, parameters_[i],
                            detail::form_of<State>(field, parameters_[i]), to);
      });
    detail::check_all_loaded(tensors, state_.size());
    state_ = std::move(loaded);
  }

 private:
  void update() {
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
