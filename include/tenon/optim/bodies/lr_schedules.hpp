// The schedules' rules. Most are recursive, as PyTorch's: chained schedules then multiply.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include <tenon/base/body.hpp>
#include <tenon/optim/detail/schedule_checks.hpp>
#include <tenon/optim/lr_schedules.hpp>

namespace tenon::optim {

namespace detail {

inline constexpr double kPi = 3.14159265358979323846;
/// From `start` (at 0) to `end` (at 1).
inline double anneal(const std::string& strategy, double start, double end, double at) {
  return strategy == "cos" ? end + (start - end) / 2.0 * (1 + std::cos(kPi * at)) : (end - start) * at + start;
}
inline std::vector<LRScheduler*> pointers(const OwnedSchedules& owners) {
  std::vector<LRScheduler*> list;
  for (const auto& owner : owners) list.push_back(owner.get());
  return list;
}

}  // namespace detail

TENON_BODY LambdaLR::LambdaLR(Optimizer& optimizer, std::vector<LRLambda> lr_lambda, std::int64_t last_epoch, bool)
    : LRScheduler(detail::checked(optimizer, lr_lambda), last_epoch), lambdas_(std::move(lr_lambda)) {
  if (lambdas_.size() == 1) lambdas_.resize(groups(), lambdas_.front());
}
TENON_BODY LambdaLR::LambdaLR(Optimizer& optimizer, std::vector<LRLambda> lr_lambda, std::int64_t last_epoch)
    : LambdaLR(optimizer, std::move(lr_lambda), last_epoch, true) {
  start();
}
TENON_BODY std::vector<double> LambdaLR::get_lr() {
  return each([&](std::size_t g) { return base_lrs_[g] * lambdas_[g](last_epoch_); });
}
TENON_BODY MultiplicativeLR::MultiplicativeLR(Optimizer& optimizer, std::vector<LRLambda> lr_lambda,
                                              std::int64_t last_epoch)
    : LambdaLR(optimizer, std::move(lr_lambda), last_epoch, true) {
  start();
}
TENON_BODY std::vector<double> MultiplicativeLR::get_lr() {
  return each([&](std::size_t g) { return starting_ ? lr(g) : lr(g) * lambdas_[g](last_epoch_); });
}

#define TENON_INTERNAL_START(NAME)                                   \
  TENON_BODY NAME::NAME(Optimizer& optimizer, NAME##Options options) \
      : LRScheduler(detail::checked(optimizer, options), options.last_epoch), o_(std::move(options))
TENON_INTERNAL_START(StepLR) { start(); }
TENON_BODY std::vector<double> StepLR::get_lr() {
  bool falls = last_epoch_ > 0 && std::fmod(last_epoch_, static_cast<double>(o_.step_size)) == 0;
  return each([&](std::size_t g) { return falls ? lr(g) * o_.gamma : lr(g); });
}
TENON_BODY std::vector<double> StepLR::closed_form() {
  double count = std::floor(last_epoch_ / static_cast<double>(o_.step_size));
  return each([&](std::size_t g) { return base_lrs_[g] * std::pow(o_.gamma, count); });
}
TENON_INTERNAL_START(MultiStepLR) { start(); }
TENON_BODY std::vector<double> MultiStepLR::get_lr() {
  auto count = std::count(o_.milestones.begin(), o_.milestones.end(), static_cast<std::int64_t>(last_epoch_));
  return each([&](std::size_t g) { return count ? lr(g) * std::pow(o_.gamma, count) : lr(g); });
}
TENON_BODY std::vector<double> MultiStepLR::closed_form() {
  auto count = std::count_if(o_.milestones.begin(), o_.milestones.end(),
                             [&](std::int64_t m) { return static_cast<double>(m) <= last_epoch_; });
  return each([&](std::size_t g) { return base_lrs_[g] * std::pow(o_.gamma, count); });
}
TENON_INTERNAL_START(ConstantLR) { start(); }
TENON_BODY std::vector<double> ConstantLR::get_lr() {
  bool ends = last_epoch_ != 0 && last_epoch_ == static_cast<double>(o_.total_iters);
  TENON_CHECK(!ends || o_.factor != 0, ValueError, "ConstantLR: a factor of 0 cannot be taken back after total_iters");
  double f = last_epoch_ == 0 ? o_.factor : ends ? 1 / o_.factor : 1;
  return each([&](std::size_t g) { return lr(g) * f; });
}
TENON_BODY std::vector<double> ConstantLR::closed_form() {
  bool held = last_epoch_ < static_cast<double>(o_.total_iters);
  return each([&](std::size_t g) { return base_lrs_[g] * (o_.factor + (held ? 0 : 1 - o_.factor)); });
}
TENON_INTERNAL_START(LinearLR) { start(); }
TENON_BODY std::vector<double> LinearLR::get_lr() {
  double from = o_.start_factor, rise = o_.end_factor - from, total = static_cast<double>(o_.total_iters);
  double f = last_epoch_ == 0 ? from : 1;
  if (last_epoch_ != 0 && !starting_ && last_epoch_ <= total) f += rise / (total * from + (last_epoch_ - 1) * rise);
  return each([&](std::size_t g) { return lr(g) * f; });
}
TENON_BODY std::vector<double> LinearLR::closed_form() {
  double total = static_cast<double>(o_.total_iters);
  detail::check_closed_form("LinearLR", total);
  double f = o_.start_factor + (o_.end_factor - o_.start_factor) * std::min(total, last_epoch_) / total;
  return each([&](std::size_t g) { return base_lrs_[g] * f; });
}
TENON_INTERNAL_START(ExponentialLR) { start(); }
TENON_BODY std::vector<double> ExponentialLR::get_lr() {
  return each([&](std::size_t g) { return starting_ ? lr(g) : lr(g) * o_.gamma; });
}
TENON_BODY std::vector<double> ExponentialLR::closed_form() {
  return each([&](std::size_t g) { return base_lrs_[g] * std::pow(double{o_.gamma}, last_epoch_); });
}
TENON_INTERNAL_START(PolynomialLR) { start(); }
TENON_BODY std::vector<double> PolynomialLR::get_lr() {
  double total = static_cast<double>(o_.total_iters), f = 1;
  if (!starting_ && last_epoch_ <= total)
    f = std::pow((1 - last_epoch_ / total) / (1 - (last_epoch_ - 1) / total), o_.power);
  return each([&](std::size_t g) { return lr(g) * f; });
}
TENON_BODY std::vector<double> PolynomialLR::closed_form() {
  double total = static_cast<double>(o_.total_iters);
  detail::check_closed_form("PolynomialLR", total);
  return each(
      [&](std::size_t g) { return base_lrs_[g] * std::pow(1 - std::min(total, last_epoch_) / total, o_.power); });
}
TENON_INTERNAL_START(CosineAnnealingLR) { start(); }
TENON_BODY std::vector<double> CosineAnnealingLR::get_lr() {
  if (starting_) return get_last_lr();
  if (step_count_ == 1 && last_epoch_ > 0) return closed_form();
  double half = static_cast<double>(o_.T_max), least = o_.eta_min;
  bool from_bottom = std::fmod(last_epoch_ - 1 - half, 2 * half) == 0;
  return each([&](std::size_t g) {
    return from_bottom ? lr(g) + (base_lrs_[g] - least) * (1 - std::cos(detail::kPi / half)) / 2
                       : (1 + std::cos(detail::kPi * last_epoch_ / half)) /
                                 (1 + std::cos(detail::kPi * (last_epoch_ - 1) / half)) * (lr(g) - least) +
                             least;
  });
}
TENON_BODY std::vector<double> CosineAnnealingLR::closed_form() {
  double f = 1 + std::cos(detail::kPi * last_epoch_ / static_cast<double>(o_.T_max));
  return each([&](std::size_t g) { return o_.eta_min + (base_lrs_[g] - o_.eta_min) * f / 2; });
}

namespace detail {
/// Groups at these rates, which are the initial ones unless another schedule has noted some.
inline Optimizer& started_at(Optimizer& optimizer, const std::vector<double>& rates) {
  for (std::size_t g = 0; g < optimizer.group_count(); ++g) {
    if (rates.size() != 1 && g >= rates.size()) break;  // the schedule will tell
    double& rate = *optimizer.number(g, "lr") = rates.size() == 1 ? rates[0] : rates[g];
    optimizer.note(g, "initial_lr", rate);
  }
  return optimizer;
}
}  // namespace detail
TENON_BODY CyclicLR::CyclicLR(Optimizer& optimizer, CyclicLROptions options)
    : LRScheduler(options.last_epoch == -1 ? detail::started_at(detail::checked(optimizer, options), options.base_lr)
                                           : detail::checked(optimizer, options),
                  options.last_epoch),
      o_(std::move(options)) {
  o_.base_lr = per_group("base_lr", o_.base_lr);
  o_.max_lr = per_group("max_lr", o_.max_lr);
  o_.base_momentum = per_group("base_momentum", o_.base_momentum);
  o_.max_momentum = per_group("max_momentum", o_.max_momentum);
  for (std::size_t g = 0; g < groups(); ++g) {
    if (!o_.cycle_momentum || o_.last_epoch != -1) continue;
    *momentum(g) = optimizer_.note(g, "max_momentum", 0) = o_.max_momentum[g];
    optimizer_.note(g, "base_momentum", 0) = o_.base_momentum[g];
  }
  // The first rates are by the initial ones, also those of a schedule before this one.
  std::swap(o_.base_lr, base_lrs_);
  start();
  o_.base_lr = base_lrs_;
}
TENON_BODY double CyclicLR::scale(double cycle) const {
  if (o_.scale_fn) return (*o_.scale_fn)(o_.scale_mode == "cycle" ? cycle : static_cast<double>(last_epoch_));
  if (o_.mode == "exp_range") return std::pow(o_.gamma, last_epoch_);
  return o_.mode == "triangular" ? 1 : 1 / std::pow(2.0, cycle - 1);
}
TENON_BODY std::vector<double> CyclicLR::get_lr() {
  double up = static_cast<double>(o_.step_size_up);
  double total = up + static_cast<double>(o_.step_size_down.value_or(o_.step_size_up)), ratio = up / total;
  double cycle = std::floor(1 + last_epoch_ / total), x = 1 + last_epoch_ / total - cycle;
  double height = (x <= ratio ? x / ratio : (x - 1) / (ratio - 1)), factor = scale(cycle);
  return each([&](std::size_t g) {
    if (o_.cycle_momentum)
      *momentum(g) = o_.max_momentum[g] - (o_.max_momentum[g] - o_.base_momentum[g]) * height * factor;
    return o_.base_lr[g] + (o_.max_lr[g] - o_.base_lr[g]) * height * factor;
  });
}

TENON_INTERNAL_START(OneCycleLR) {
  total_ = static_cast<double>(o_.total_steps ? *o_.total_steps : *o_.epochs * *o_.steps_per_epoch);
  o_.max_lr = per_group("max_lr", o_.max_lr);
  o_.base_momentum = per_group("base_momentum", o_.base_momentum);
  o_.max_momentum = per_group("max_momentum", o_.max_momentum);
  for (std::size_t g = 0; g < groups(); ++g) {
    const bool begins = o_.last_epoch == -1;
    if (begins) {
      base_lrs_[g] = optimizer_.note(g, "initial_lr", 0) = o_.max_lr[g] / o_.div_factor;
      optimizer_.note(g, "max_lr", 0) = o_.max_lr[g];
      optimizer_.note(g, "min_lr", 0) = base_lrs_[g] / o_.final_div_factor;
    } else {
      check_noted(g, {"max_lr", "min_lr"});
    }
    if (!o_.cycle_momentum) continue;
    if (!begins) {
      check_noted(g, {"max_momentum", "base_momentum"});
      continue;
    }
    *momentum(g) = optimizer_.note(g, "max_momentum", 0) = o_.max_momentum[g];
    optimizer_.note(g, "base_momentum", 0) = o_.base_momentum[g];
  }
  start();
}
TENON_BODY std::vector<double> OneCycleLR::get_lr() {
  TENON_CHECK(last_epoch_ <= total_, ValueError, "OneCycleLR: Tried to step ", last_epoch_,
              " times. The specified number of total steps is ", total_);
  const double rise = o_.pct_start * total_ - 1, end = total_ - 1, fall = 2 * o_.pct_start * total_ - 2;
  return each([&](std::size_t g) {
    // By what the group holds, which another schedule may have set since.
    auto noted = [&](const char* name) { return *optimizer_.number(g, name); };
    const double first = noted("initial_lr"), most = noted("max_lr"), least = noted("min_lr");
    const double low = o_.cycle_momentum ? noted("base_momentum") : 0,
                 high = o_.cycle_momentum ? noted("max_momentum") : 0;
    auto phase = [&](double from, double to, double lr0, double lr1, double m0, double m1) {
      double at = (last_epoch_ - from) / (to - from);
      if (o_.cycle_momentum) *momentum(g) = detail::anneal(o_.anneal_strategy, m0, m1, at);
      return detail::anneal(o_.anneal_strategy, lr0, lr1, at);
    };
    if (last_epoch_ <= rise) return phase(0, rise, first, most, high, low);
    if (!o_.three_phase) return phase(rise, end, most, least, low, high);
    if (last_epoch_ <= fall) return phase(rise, fall, most, first, low, high);
    return phase(fall, end, first, least, high, high);
  });
}

TENON_INTERNAL_START(SWALR) {
  o_.swa_lr = per_group("swa_lr", o_.swa_lr);
  // A later schedule of the same optimiser sets another aim, which both then share.
  for (std::size_t g = 0; g < groups(); ++g) optimizer_.note(g, "swa_lr", 0) = o_.swa_lr[g];
  start();
}
TENON_BODY std::vector<double> SWALR::get_lr() {
  double count = step_count_ - 1, length = std::max(1.0, static_cast<double>(o_.anneal_epochs));
  if (o_.anneal_epochs == 0) count = std::max(1.0, count);
  auto weight = [&](double c) {
    double t = std::max(0.0, std::min(1.0, c / length));
    return o_.anneal_strategy == "cos" ? (1 - std::cos(detail::kPi * t)) / 2 : t;
  };
  double before = weight(count - 1), now = weight(count);
  return each([&](std::size_t g) {
    double swa = optimizer_.note(g, "swa_lr", o_.swa_lr[g]),
           from = before == 1 ? swa : (lr(g) - before * swa) / (1 - before);
    return swa * now + from * (1 - now);
  });
}
#undef TENON_INTERNAL_START

TENON_BODY CosineAnnealingWarmRestarts::CosineAnnealingWarmRestarts(Optimizer& optimizer,
                                                                    CosineAnnealingWarmRestartsOptions options)
    : LRScheduler(detail::checked(optimizer, options), options.last_epoch),
      o_(options),
      length_(static_cast<double>(options.T_0)) {
  at_ = static_cast<double>(o_.last_epoch);
  advance();  // to 0 at the begin
  start();
}
TENON_BODY std::vector<double> CosineAnnealingWarmRestarts::get_lr() {
  return each([&](std::size_t g) {
    return o_.eta_min + (base_lrs_[g] - o_.eta_min) * (1 + std::cos(detail::kPi * at_ / length_)) / 2;
  });
}
TENON_BODY void CosineAnnealingWarmRestarts::advance() {
  if (++at_ < length_) return;
  at_ -= length_;
  length_ *= static_cast<double>(o_.T_mult);
}
TENON_BODY void CosineAnnealingWarmRestarts::step() {
  if (last_epoch_ < 0) return step(0);
  advance();
  LRScheduler::step();
}
TENON_BODY void CosineAnnealingWarmRestarts::step(double epoch) {
  TENON_CHECK(epoch >= 0, ValueError, "CosineAnnealingWarmRestarts: expected an epoch from 0 up, got ", epoch);
  double first = static_cast<double>(o_.T_0), ratio = static_cast<double>(o_.T_mult);
  at_ = epoch;
  length_ = first;
  if (epoch >= first && ratio == 1) {
    at_ = std::fmod(epoch, first);
  } else if (epoch >= first) {
    double n = std::floor(std::log(epoch / first * (ratio - 1) + 1) / std::log(ratio));
    at_ = epoch - first * (std::pow(ratio, n) - 1) / (ratio - 1);
    length_ = first * std::pow(ratio, n);
  }
  ++step_count_;
  last_epoch_ = std::floor(epoch);
  set(get_lr());
}

TENON_BODY ReduceLROnPlateau::ReduceLROnPlateau(Optimizer& optimizer, ReduceLROnPlateauOptions options)
    : LRScheduler(detail::checked(optimizer, options)), o_(std::move(options)) {
  o_.min_lr = per_group("min_lr", o_.min_lr);
  best_ = o_.mode == "min" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  last_epoch_ = 0;
}
TENON_BODY void ReduceLROnPlateau::step() {
  throw ValueError("ReduceLROnPlateau: step() needs the metric: step(validation_loss)");
}
TENON_BODY void ReduceLROnPlateau::step(double metric) {
  ++last_epoch_;
  bool least = o_.mode == "min";
  double bound = o_.threshold_mode == "abs" ? best_ + (least ? -o_.threshold : o_.threshold)
                                            : best_ * (least ? 1 - o_.threshold : 1 + o_.threshold);
  if (least ? metric < bound : metric > bound) {
    best_ = metric;
    bad_ = 0;
  } else {
    ++bad_;
  }
  if (cooling_ > 0) {
    --cooling_;
    bad_ = 0;
  }
  if (bad_ <= static_cast<double>(o_.patience)) return;
  for (std::size_t g = 0; g < groups(); ++g) {
    double next = std::max(lr(g) * o_.factor, o_.min_lr[g]);
    if (lr(g) - next > o_.eps) lr(g) = next;
  }
  cooling_ = static_cast<double>(o_.cooldown);
  bad_ = 0;
}

TENON_BODY SequentialLR::SequentialLR(Optimizer& optimizer, OwnedSchedules schedulers,
                                      std::vector<std::int64_t> milestones, std::int64_t last_epoch)
    : LRScheduler(optimizer), parts_(std::move(schedulers)), milestones_(std::move(milestones)) {
  TENON_CHECK(!parts_.empty() && milestones_.size() + 1 == parts_.size(), ValueError,
              "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone "
              "points, but got number of schedulers ",
              parts_.size(), " and the number of milestones to be equal to ", milestones_.size());
  last_epoch_ = static_cast<double>(last_epoch) + 1;
  // Construction has moved the rates of all parts: undone, and the first begins again.
  for (std::size_t g = 0; g < groups(); ++g) lr(g) = optimizer_.note(g, "initial_lr", lr(g));
  undo(*this);
  LRScheduler& first = *parts_[part_at(0)];
  first.parts().empty() ? first.start() : first.step();
}
TENON_BODY void SequentialLR::undo(LRScheduler& schedule) {
  std::vector<LRScheduler*> parts = schedule.parts();
  for (LRScheduler* part : parts) undo(*part);
  if (parts.empty()) --schedule.last_epoch_;
}
TENON_BODY std::size_t SequentialLR::part_at(double epoch) const {
  std::size_t i = 0;
  while (i < milestones_.size() && static_cast<double>(milestones_[i]) <= epoch) ++i;
  return i;
}
TENON_BODY void SequentialLR::step() {
  std::size_t i = part_at(++last_epoch_);
  if (i == 0 || static_cast<double>(milestones_[i - 1]) != last_epoch_)
    parts_[i]->step();
  else if (parts_[i]->parts().empty())
    parts_[i]->go_to(0);
  else {
    set(base_lrs_);
    parts_[i]->begin();
  }
}
TENON_BODY void SequentialLR::begin() {
  last_epoch_ = 0;
  parts_[part_at(0)]->begin();
}
TENON_BODY std::vector<LRScheduler*> SequentialLR::parts() { return detail::pointers(parts_); }
TENON_BODY ChainedScheduler::ChainedScheduler(Optimizer& optimizer, OwnedSchedules schedulers)
    : LRScheduler(optimizer), parts_(std::move(schedulers)) {
  TENON_CHECK(!parts_.empty(), ValueError, "ChainedScheduler expects at least one scheduler to be chained");
}
TENON_BODY void ChainedScheduler::step() {
  for (auto& part : parts_) part->step();
}
TENON_BODY void ChainedScheduler::begin() {
  for (auto& part : parts_) part->begin();
}
TENON_BODY std::vector<LRScheduler*> ChainedScheduler::parts() { return detail::pointers(parts_); }

}  // namespace tenon::optim
