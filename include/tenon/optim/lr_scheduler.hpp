// Schedules of learning rates: what all share. The rules are in lr_schedules.hpp.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <vector>

#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

/// Sets the learning rates of an optimiser's groups, once at its construction and at each step(). The optimiser must
/// outlive it. Several schedules may work on one optimiser: most multiply the rates that they find.
class LRScheduler {
 public:
  virtual ~LRScheduler() = default;
  LRScheduler(const LRScheduler&) = delete;
  LRScheduler& operator=(const LRScheduler&) = delete;

  virtual void step();
  /// Goes to an epoch, by the closed form where the schedule has one.
  virtual void step(double epoch);
  std::vector<double> get_last_lr() const;
  /// The epoch whose rates are set: 0 after the construction.
  double last_epoch() const { return last_epoch_; }
  /// Numbers by name; with the optimiser's own state a run goes on to the bit. Functions are not part of it.
  virtual nn::NamedTensors state() const;
  /// Errors: ValueError for a name or a shape that does not fit.
  virtual void load_state(const nn::NamedTensors& state);

 protected:
  /// `last_epoch`: the epoch after which the schedule goes on; -1 begins it.
  /// Errors: ValueError for an epoch from 0 on unless each group has noted its `initial_lr`, as the optimiser's state
  /// of the run before has it.
  explicit LRScheduler(Optimizer& optimizer, std::int64_t last_epoch = -1);
  /// The rates of `last_epoch`, from those of the groups.
  virtual std::vector<double> get_lr() = 0;
  virtual bool has_closed_form() const { return false; }
  virtual std::vector<double> closed_form() { return get_lr(); }
  /// More numbers of the state, in an order that stays.
  virtual std::vector<double*> numbers() { return {}; }
  virtual std::vector<LRScheduler*> parts() { return {}; }
  /// Throws ValueError unless a group has the numbers that the schedule needs to go on.
  void check_noted(std::size_t group, std::initializer_list<const char*> names) const;
  void start();
  /// Begins again, from the rates that the groups have.
  virtual void begin();
  /// The rates of an epoch, which does not count as a step.
  void go_to(double epoch);
  void set(const std::vector<double>& rates);
  double& lr(std::size_t group) const { return *optimizer_.number(group, "lr"); }
  /// `momentum`, or the first of `betas`; null if the rule has neither.
  double* momentum(std::size_t group) const;
  std::size_t groups() const { return optimizer_.group_count(); }
  /// One value for every group, or one for each. Throws ValueError for another number of them.
  std::vector<double> per_group(const char* name, std::vector<double> values) const;
  template <class F>
  std::vector<double> each(F f) {
    std::vector<double> rates;
    for (std::size_t g = 0; g < groups(); ++g) rates.push_back(f(g));
    return rates;
  }

  Optimizer& optimizer_;
  std::vector<double> base_lrs_;
  double last_epoch_, step_count_ = 0;
  bool starting_ = false;  // within start()

  friend class SequentialLR;
  friend class ChainedScheduler;
};

}  // namespace tenon::optim
