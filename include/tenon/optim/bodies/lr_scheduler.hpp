// Schedules of learning rates: what all share.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/optim/lr_scheduler.hpp>

namespace tenon::optim {

TENON_BODY LRScheduler::LRScheduler(Optimizer& optimizer, std::int64_t last_epoch)
    : optimizer_(optimizer), last_epoch_(static_cast<double>(last_epoch)) {
  for (std::size_t g = 0; g < groups(); ++g) {
    if (last_epoch != -1) check_noted(g, {"initial_lr"});
    base_lrs_.push_back(optimizer.note(g, "initial_lr", lr(g)));
  }
}
TENON_BODY void LRScheduler::check_noted(std::size_t group, std::initializer_list<const char*> names) const {
  for (const char* name : names)
    TENON_CHECK(optimizer_.number(group, name), ValueError, "LRScheduler: with last_epoch = ", last_epoch_, " group ",
                group, " of the optimizer needs '", name, "'; load the state that it had after that epoch");
}
TENON_BODY void LRScheduler::start() {
  step_count_ = 0;
  starting_ = true;
  LRScheduler::step();
  starting_ = false;
}
TENON_BODY void LRScheduler::begin() {
  last_epoch_ = -1;
  start();
}
TENON_BODY void LRScheduler::step() {
  ++step_count_;
  ++last_epoch_;
  set(get_lr());
}
TENON_BODY void LRScheduler::step(double epoch) {
  ++step_count_;
  go_to(epoch);
}
TENON_BODY void LRScheduler::go_to(double epoch) {
  last_epoch_ = epoch;
  set(has_closed_form() ? closed_form() : get_lr());
}
TENON_BODY void LRScheduler::set(const std::vector<double>& rates) {
  for (std::size_t g = 0; g < groups(); ++g) lr(g) = rates[g];
}
TENON_BODY std::vector<double> LRScheduler::get_last_lr() const {
  std::vector<double> rates;
  for (std::size_t g = 0; g < groups(); ++g) rates.push_back(lr(g));
  return rates;
}
TENON_BODY double* LRScheduler::momentum(std::size_t group) const {
  double* found = optimizer_.number(group, "momentum");
  return found ? found : optimizer_.number(group, "betas");
}
TENON_BODY std::vector<double> LRScheduler::per_group(const char* name, std::vector<double> values) const {
  if (values.size() == 1) values.resize(groups(), values.front());
  TENON_CHECK(values.size() == groups(), ValueError, name, " must have the same length as optimizer.param_groups. ",
              name, " has ", values.size(), " values, param_groups has ", groups(), ".");
  return values;
}

TENON_BODY nn::NamedTensors LRScheduler::state() const {
  auto& self = const_cast<LRScheduler&>(*this);  // the references are read only
  std::vector<double> values = {last_epoch_, step_count_};
  for (double* number : self.numbers()) values.push_back(*number);
  nn::NamedTensors found = {{"base_lrs", detail::as_tensor(base_lrs_)}, {"numbers", detail::as_tensor(values)}};
  std::size_t i = 0;
  for (LRScheduler* part : self.parts()) {
    for (auto& [name, t] : part->state()) found.emplace_back(std::to_string(i) + "." + name, t);
    ++i;
  }
  return found;
}
TENON_BODY void LRScheduler::load_state(const nn::NamedTensors& state) {
  auto tensor = [&](const char* name) {
    const Tensor* found = nn::detail::find_tensor(state, name);
    TENON_CHECK(found, ValueError, "load_state(): the schedule's state has no '", name, "'");
    return *found;
  };
  std::vector<double*> own = numbers();
  auto rates = detail::numbers_of(tensor("base_lrs"), groups(), groups());
  auto values = detail::numbers_of(tensor("numbers"), own.size() + 2, own.size() + 2);
  std::size_t i = 0;
  for (LRScheduler* part : parts()) {
    const std::string path = std::to_string(i++) + ".";
    nn::NamedTensors of_part;
    for (const auto& [name, t] : state)
      if (name.rfind(path, 0) == 0) of_part.emplace_back(name.substr(path.size()), t);
    part->load_state(of_part);
  }
  base_lrs_ = rates;
  last_epoch_ = values[0];
  step_count_ = values[1];
  for (std::size_t k = 0; k < own.size(); ++k) *own[k] = values[k + 2];
}

}  // namespace tenon::optim
