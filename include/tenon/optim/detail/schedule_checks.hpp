// What schedules of learning rates refuse, before they change anything of their optimiser.
#pragma once
#include <string>
#include <vector>

#include <tenon/optim/lr_schedules.hpp>

namespace tenon::optim::detail {

inline void check_strategy(const char* schedule, const std::string& s) {
  TENON_CHECK(s == "cos" || s == "linear", ValueError, schedule,
              ": expected an anneal_strategy of 'cos' or 'linear', got '", s, "'");
}
inline void check_each(const char* schedule, const char* option, const std::vector<double>& values,
                       const Optimizer& optimizer) {
  TENON_CHECK(values.size() == 1 || values.size() == optimizer.group_count(), ValueError, schedule,
              ": expected one number as ", option, ", or one for each of the optimizer's ", optimizer.group_count(),
              " groups, got ", values.size());
}
/// Of the two schedules that move a momentum against the rate.
template <class Options>
void check_momenta(const char* schedule, const Options& o, Optimizer& optimizer) {
  check_each(schedule, "base_momentum", o.base_momentum, optimizer);
  check_each(schedule, "max_momentum", o.max_momentum, optimizer);
  for (std::size_t g = 0; o.cycle_momentum && g < optimizer.group_count(); ++g)
    TENON_CHECK(optimizer.number(g, "momentum") || optimizer.number(g, "betas"), ValueError, schedule,
                ": cycle_momentum needs an optimizer with momentum or betas, group ", g,
                " has neither; set cycle_momentum = false");
}
inline void check_closed_form(const char* schedule, double total_iters) {
  TENON_CHECK(total_iters > 0, ValueError, schedule, ": step(epoch) needs positive total_iters, got ", total_iters);
}

/// The optimiser, unless a schedule of these options cannot be made. Throws ValueError.
template <class Options>
Optimizer& checked(Optimizer& optimizer, const Options&) {
  return optimizer;
}
inline Optimizer& checked(Optimizer& optimizer, const std::vector<LRLambda>& lr_lambda) {
  TENON_CHECK(lr_lambda.size() == 1 || lr_lambda.size() == optimizer.group_count(), ValueError,
              "lr_lambda: expected one function, or one for each of the optimizer's ", optimizer.group_count(),
              " groups, got ", lr_lambda.size());
  return optimizer;
}
inline Optimizer& checked(Optimizer& optimizer, const StepLROptions& o) {
  TENON_CHECK(o.step_size > 0, ValueError, "StepLR: expected a positive step_size, got ", std::int64_t{o.step_size});
  return optimizer;
}
inline Optimizer& checked(Optimizer& optimizer, const ConstantLROptions& o) {
  TENON_CHECK(o.factor >= 0 && o.factor <= 1, ValueError, "ConstantLR: expected a factor between 0 and 1, got ",
              o.factor);
  return optimizer;
}
inline Optimizer& checked(Optimizer& optimizer, const LinearLROptions& o) {
  TENON_CHECK(o.start_factor > 0 && o.start_factor <= 1, ValueError,
              "LinearLR: expected a start_factor above 0 and of at most 1, got ", o.start_factor);
  TENON_CHECK(o.end_factor >= 0 && o.end_factor <= 1, ValueError,
              "LinearLR: expected an end_factor between 0 and 1, got ", o.end_factor);
  return optimizer;
}
inline Optimizer& checked(Optimizer& optimizer, const CosineAnnealingLROptions& o) {
  TENON_CHECK(o.T_max != 0, ValueError, "CosineAnnealingLR: T_max must not be 0");
  return optimizer;
}
inline Optimizer& checked(Optimizer& optimizer, const CyclicLROptions& o) {
  constexpr const char* name = "CyclicLR";
  TENON_CHECK(o.scale_fn || o.mode == "triangular" || o.mode == "triangular2" || o.mode == "exp_range", ValueError,
              name, ": expected a mode of 'triangular', 'triangular2' or 'exp_range', or a scale_fn, got '", o.mode,
              "'");
  TENON_CHECK(o.scale_mode == "cycle" || o.scale_mode == "iterations", ValueError, name,
              ": expected a scale_mode of 'cycle' or 'iterations', got '", o.scale_mode, "'");
  const std::int64_t down = o.step_size_down.value_or(o.step_size_up);
  TENON_CHECK(o.step_size_up > 0 && down >= 0, ValueError, name,
              ": expected a positive step_size_up and a step_size_down from 0 up, got ", o.step_size_up, " and ", down);
  check_each(name, "base_lr", o.base_lr, optimizer);
  check_each(name, "max_lr", o.max_lr, optimizer);
  check_momenta(name, o, optimizer);
  return optimizer;
}
inline Optimizer& checked(Optimizer& optimizer, const OneCycleLROptions& o) {
  constexpr const char* name = "OneCycleLR";
  check_strategy(name, o.anneal_strategy);
  TENON_CHECK(o.total_steps || (o.epochs && o.steps_per_epoch), ValueError, name,
              ": expected total_steps, or epochs and steps_per_epoch");
  const std::int64_t total = o.total_steps ? *o.total_steps : *o.epochs * *o.steps_per_epoch;
  TENON_CHECK(total > 0 && o.pct_start >= 0 && o.pct_start <= 1, ValueError, name,
              ": expected positive steps and pct_start in [0, 1], got ", total, " and ", o.pct_start);
  TENON_CHECK(o.div_factor != 0 && o.final_div_factor != 0, ValueError, name,
              ": rates are divided by div_factor and final_div_factor, which must not be 0, got ", o.div_factor,
              " and ", o.final_div_factor);
  check_each(name, "max_lr", o.max_lr, optimizer);
  check_momenta(name, o, optimizer);
  return optimizer;
}
inline Optimizer& checked(Optimizer& optimizer, const SWALROptions& o) {
  check_strategy("SWALR", o.anneal_strategy);
  check_each("SWALR", "swa_lr", o.swa_lr, optimizer);
  TENON_CHECK(o.anneal_epochs >= 0, ValueError, "SWALR: expected anneal_epochs from 0 up, got ", o.anneal_epochs);
  return optimizer;
}
inline Optimizer& checked(Optimizer& optimizer, const CosineAnnealingWarmRestartsOptions& o) {
  constexpr const char* name = "CosineAnnealingWarmRestarts";
  TENON_CHECK(o.T_0 > 0, ValueError, name, ": expected a positive T_0, got ", std::int64_t{o.T_0});
  TENON_CHECK(o.T_mult >= 1, ValueError, name, ": expected a T_mult of at least 1, got ", o.T_mult);
  return optimizer;
}
inline Optimizer& checked(Optimizer& optimizer, const ReduceLROnPlateauOptions& o) {
  constexpr const char* name = "ReduceLROnPlateau";
  TENON_CHECK(o.factor < 1, ValueError, name, ": expected a factor below 1, got ", o.factor);
  TENON_CHECK(o.mode == "min" || o.mode == "max", ValueError, name, ": expected a mode of 'min' or 'max', got '",
              o.mode, "'");
  TENON_CHECK(o.threshold_mode == "rel" || o.threshold_mode == "abs", ValueError, name,
              ": expected a threshold_mode of 'rel' or 'abs', got '", o.threshold_mode, "'");
  check_each(name, "min_lr", o.min_lr, optimizer);
  return optimizer;
}

}  // namespace tenon::optim::detail
