// The schedules of torch.optim.lr_scheduler and torch.optim.swa_utils. Names, defaults and results are PyTorch's.
#pragma once
#include <optional>

#include <tenon/base/owned_ptr.hpp>
#include <tenon/base/shared_function.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/optim/lr_scheduler.hpp>

namespace tenon::optim {

/// A factor by epoch, from any callable.
using LRLambda = SharedFunction<double(double)>;

/// The first rate times a factor; one function, or one per group.
class LambdaLR : public LRScheduler {
 public:
  LambdaLR(Optimizer& optimizer, std::vector<LRLambda> lr_lambda, std::int64_t last_epoch = -1);

 protected:
  std::vector<double> get_lr() override;
  std::vector<LRLambda> lambdas_;
  LambdaLR(Optimizer& optimizer, std::vector<LRLambda> lr_lambda, std::int64_t last_epoch, bool);
};
/// The last rate times a factor.
class MultiplicativeLR : public LambdaLR {
 public:
  MultiplicativeLR(Optimizer& optimizer, std::vector<LRLambda> lr_lambda, std::int64_t last_epoch = -1);

 protected:
  std::vector<double> get_lr() override;
};

/// A number that must be given.
class GivenNumber {
 public:
  constexpr GivenNumber(double value) : value_(value) {}
  constexpr operator double() const { return value_; }

 private:
  double value_;
};

// Of each schedule: `last_epoch` is the epoch after which it goes on, on an optimiser that was loaded; -1 begins it.
struct StepLROptions {
  nn::Count step_size;
  double gamma = 0.1;
  std::int64_t last_epoch = -1;
  TENON_FIELDS(step_size, gamma, last_epoch)
};
struct MultiStepLROptions {
  std::vector<std::int64_t> milestones;
  double gamma = 0.1;
  std::int64_t last_epoch = -1;
  TENON_FIELDS(milestones, gamma, last_epoch)
};
struct ConstantLROptions {
  double factor = 1.0 / 3;
  std::int64_t total_iters = 5;
  std::int64_t last_epoch = -1;
  TENON_FIELDS(factor, total_iters, last_epoch)
};
struct LinearLROptions {
  double start_factor = 1.0 / 3;
  double end_factor = 1;
  std::int64_t total_iters = 5;
  std::int64_t last_epoch = -1;
  TENON_FIELDS(start_factor, end_factor, total_iters, last_epoch)
};
struct ExponentialLROptions {
  GivenNumber gamma;
  std::int64_t last_epoch = -1;
  TENON_FIELDS(gamma, last_epoch)
};
struct PolynomialLROptions {
  std::int64_t total_iters = 5;
  double power = 1;
  std::int64_t last_epoch = -1;
  TENON_FIELDS(total_iters, power, last_epoch)
};
struct CosineAnnealingLROptions {
  nn::Count T_max;
  double eta_min = 0;
  std::int64_t last_epoch = -1;
  TENON_FIELDS(T_max, eta_min, last_epoch)
};
struct CosineAnnealingWarmRestartsOptions {
  nn::Count T_0;
  std::int64_t T_mult = 1;
  double eta_min = 0;
  std::int64_t last_epoch = -1;
  TENON_FIELDS(T_0, T_mult, eta_min, last_epoch)
};
struct CyclicLROptions {
  std::vector<double> base_lr, max_lr;  // here and below: one value, or one per group
  std::int64_t step_size_up = 2000;
  std::optional<std::int64_t> step_size_down = {};
  std::string mode = "triangular";  ///< or `triangular2`, `exp_range`; not read where `scale_fn` is given
  double gamma = 1;
  std::optional<LRLambda> scale_fn = {};  ///< of the cycle's number, from 1 on, or of the steps taken
  std::string scale_mode = "cycle";       ///< or `iterations`: what `scale_fn` is given
  bool cycle_momentum = true;
  std::vector<double> base_momentum = {0.8}, max_momentum = {0.9};
  std::int64_t last_epoch = -1;
  TENON_FIELDS(base_lr, max_lr, step_size_up, step_size_down, mode, gamma, scale_mode, cycle_momentum, base_momentum,
               max_momentum, last_epoch)
};
struct OneCycleLROptions {
  std::vector<double> max_lr;
  std::optional<std::int64_t> total_steps = {}, epochs = {}, steps_per_epoch = {};
  double pct_start = 0.3;
  std::string anneal_strategy = "cos";  ///< or `linear`
  bool cycle_momentum = true;
  std::vector<double> base_momentum = {0.85}, max_momentum = {0.95};
  double div_factor = 25, final_div_factor = 1e4;
  bool three_phase = false;
  std::int64_t last_epoch = -1;
  TENON_FIELDS(max_lr, total_steps, epochs, steps_per_epoch, pct_start, anneal_strategy, cycle_momentum, base_momentum,
               max_momentum, div_factor, final_div_factor, three_phase, last_epoch)
};
struct SWALROptions {
  std::vector<double> swa_lr;
  std::int64_t anneal_epochs = 10;
  std::string anneal_strategy = "cos";  ///< or `linear`
  std::int64_t last_epoch = -1;
  TENON_FIELDS(swa_lr, anneal_epochs, anneal_strategy, last_epoch)
};
struct ReduceLROnPlateauOptions {
  std::string mode = "min";  ///< or `max`
  double factor = 0.1;
  std::int64_t patience = 10;
  double threshold = 1e-4;
  std::string threshold_mode = "rel";  ///< or `abs`
  std::int64_t cooldown = 0;
  std::vector<double> min_lr = {0};
  double eps = 1e-8;
  TENON_FIELDS(mode, factor, patience, threshold, threshold_mode, cooldown, min_lr, eps)
};

#define TENON_INTERNAL_SCHEDULE(NAME, ...)             \
  class NAME : public LRScheduler {                    \
   public:                                             \
    using options_type = NAME##Options;                \
    NAME(Optimizer& optimizer, NAME##Options options); \
                                                       \
   protected:                                          \
    std::vector<double> get_lr() override;             \
    NAME##Options o_;                                  \
    __VA_ARGS__                                        \
  }
#define TENON_INTERNAL_CLOSED                            \
  bool has_closed_form() const override { return true; } \
  std::vector<double> closed_form() override;

TENON_INTERNAL_SCHEDULE(StepLR, TENON_INTERNAL_CLOSED);
TENON_INTERNAL_SCHEDULE(MultiStepLR, TENON_INTERNAL_CLOSED);
TENON_INTERNAL_SCHEDULE(ConstantLR, TENON_INTERNAL_CLOSED);
TENON_INTERNAL_SCHEDULE(LinearLR, TENON_INTERNAL_CLOSED);
TENON_INTERNAL_SCHEDULE(ExponentialLR, TENON_INTERNAL_CLOSED);
TENON_INTERNAL_SCHEDULE(PolynomialLR, TENON_INTERNAL_CLOSED);
TENON_INTERNAL_SCHEDULE(CosineAnnealingLR, TENON_INTERNAL_CLOSED);
TENON_INTERNAL_SCHEDULE(CyclicLR, double scale(double x) const;);
TENON_INTERNAL_SCHEDULE(OneCycleLR, double total_ = 0;);
TENON_INTERNAL_SCHEDULE(SWALR);
#undef TENON_INTERNAL_CLOSED
#undef TENON_INTERNAL_SCHEDULE

class CosineAnnealingWarmRestarts : public LRScheduler {
 public:
  using options_type = CosineAnnealingWarmRestartsOptions;
  CosineAnnealingWarmRestarts(Optimizer& optimizer, CosineAnnealingWarmRestartsOptions options);
  void step() override;
  /// Also fractions of an epoch.
  void step(double epoch) override;

 protected:
  std::vector<double> get_lr() override;
  std::vector<double*> numbers() override { return {&at_, &length_}; }
  void advance();
  CosineAnnealingWarmRestartsOptions o_;
  double at_ = 0, length_;  // PyTorch's T_cur and T_i
};

/// Multiplies the rates once a metric has not become better for `patience` steps. step(double) takes the metric.
class ReduceLROnPlateau : public LRScheduler {
 public:
  using options_type = ReduceLROnPlateauOptions;
  explicit ReduceLROnPlateau(Optimizer& optimizer, ReduceLROnPlateauOptions options = {});
  /// Refused: the metric is needed.
  void step() override;
  void step(double metric) override;

 protected:
  std::vector<double> get_lr() override { return get_last_lr(); }
  std::vector<double*> numbers() override { return {&best_, &bad_, &cooling_}; }
  ReduceLROnPlateauOptions o_;
  double best_, bad_ = 0, cooling_ = 0;
};

/// Schedules that another one owns, from a list of any sole owners: `std::vector<std::unique_ptr<LRScheduler>>`.
class OwnedSchedules : public std::vector<OwnedPtr<LRScheduler>> {
 public:
  template <class Owner>
  OwnedSchedules(std::vector<Owner> owners) {
    for (Owner& owner : owners) emplace_back(std::move(owner));
  }
};
/// One schedule after another; each begins anew at its milestone.
class SequentialLR : public LRScheduler {
 public:
  SequentialLR(Optimizer& optimizer, OwnedSchedules schedulers, std::vector<std::int64_t> milestones,
               std::int64_t last_epoch = -1);
  void step() override;

 protected:
  std::vector<double> get_lr() override { return get_last_lr(); }
  std::vector<LRScheduler*> parts() override;
  void begin() override;
  std::size_t part_at(double epoch) const;
  /// Takes back the first step of every schedule without parts.
  static void undo(LRScheduler& schedule);
  OwnedSchedules parts_;
  std::vector<std::int64_t> milestones_;
};
/// Schedules that step together.
class ChainedScheduler : public LRScheduler {
 public:
  ChainedScheduler(Optimizer& optimizer, OwnedSchedules schedulers);
  void step() override;

 protected:
  std::vector<double> get_lr() override { return get_last_lr(); }
  std::vector<LRScheduler*> parts() override;
  void begin() override;
  OwnedSchedules parts_;
};

}  // namespace tenon::optim
