// What the steps of all optimisers share.
#pragma once
#include <algorithm>

#include <tenon/autograd/engine.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/optim/optimizer.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::optim {

TENON_BODY void Optimizer::zero_grad(bool set_to_none) const {
  for (const Tensor& p : parameters_) nn::clear_grad(p, set_to_none);
}
TENON_BODY void Optimizer::add_parameters(const char* name, const std::vector<Tensor>& parameters) {
  TENON_CHECK(!parameters.empty(), ValueError, name, ": optimizer got an empty parameter list");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Tensor& p = parameters[i];
    TENON_CHECK(p.defined(), ValueError, name, ": parameter ", i, " is undefined");
    TENON_CHECK(p.is_leaf(), ValueError, name, ": can't optimize a non-leaf Tensor, parameter ", i,
                "; give the leaf that it was computed from, or detach() it");
    bool known = false;
    for (const Tensor& other : parameters_) known = known || other.is_same(p);
    for (std::size_t j = 0; j < i; ++j) known = known || parameters[j].is_same(p);
    TENON_CHECK(!known, ValueError, name, ": parameter ", i, " is given twice");
  }
  parameters_.insert(parameters_.end(), parameters.begin(), parameters.end());
}

TENON_BODY Tensor Optimizer::step(Closure closure) {
  Tensor loss;
  with_hooks([&] {
    loss = closure();
    step();
  });
  return loss;
}

TENON_BODY double* Optimizer::number(std::size_t group, std::string_view name) {
  for (const OptionRef& option : option_refs(group))
    if (option.name == name && option.number) return option.number;
  if (group < notes_.size())
    for (auto& [known, value] : notes_[group])
      if (known == name) return &value;
  return nullptr;
}
TENON_BODY double& Optimizer::note(std::size_t group, std::string_view name, double value) {
  if (double* known = number(group, name)) return *known;
  if (notes_.size() <= group) notes_.resize(group_count());
  return notes_[group].emplace_back(name, value).second;
}

TENON_BODY nn::NamedTensors Optimizer::state() const {
  nn::NamedTensors found = rule_state();
  auto& self = const_cast<Optimizer&>(*this);  // the references are read only
  for (std::size_t i = 0; i < group_count(); ++i) {
    std::string path = "param_groups." + std::to_string(i) + ".";
    for (const OptionRef& option : self.option_refs(i))
      found.emplace_back(path + option.name, option.as_tensor(option.option));
    if (i >= notes_.size()) continue;
    for (const auto& [name, value] : notes_[i]) found.emplace_back(path + name, detail::as_tensor(value));
  }
  return found;
}
TENON_BODY void Optimizer::load_state(const nn::NamedTensors& state) {
  nn::NamedTensors left;
  std::vector<std::pair<std::string, Tensor>> given;
  for (const auto& item : state) {
    TENON_CHECK(item.second.defined(), ValueError, "load_state(): tensor '", item.first, "' is undefined");
    (item.first.rfind("param_groups.", 0) == 0 ? given : left).push_back(item);
  }
  // Options are tried before anything changes, and put back where the rest does not fit.
  auto notes = notes_;
  notes.resize(group_count());
  std::vector<std::pair<OptionRef, Tensor>> before;
  try {
    for (std::size_t i = 0; i < group_count(); ++i) {
      const std::string path = "param_groups." + std::to_string(i) + ".";
      std::vector<OptionRef> options = option_refs(i);
      for (auto& [name, t] : given) {
        if (name.rfind(path, 0) != 0) continue;
        std::string own = name.substr(path.size());
        name.clear();
        bool known = false;
        for (const OptionRef& option : options) {
          if (option.name != own) continue;
          before.emplace_back(option, option.as_tensor(option.option));
          option.from_tensor(t, option.option);
          known = true;
        }
        if (known) continue;
        static constexpr const char* kNotes[] = {"initial_lr",   "max_lr",        "min_lr",
                                                 "max_momentum", "base_momentum", "swa_lr"};
        for (const char* note : kNotes) known = known || own == note;
        TENON_CHECK(known, ValueError, "load_state(): the optimizer has no option '", own, "'");
        double value;
        detail::from_tensor(t, value);
        auto at = std::find_if(notes[i].begin(), notes[i].end(), [&](const auto& n) { return n.first == own; });
        if (at == notes[i].end())
          notes[i].emplace_back(own, value);
        else
          at->second = value;
      }
    }
    for (const auto& [name, t] : given)
      TENON_CHECK(name.empty(), ValueError, "load_state(): '", name, "' belongs to none of ", group_count(), " groups");
    load_rule_state(left);
  } catch (...) {
    for (auto& [option, value] : before) option.from_tensor(value, option.option);
    throw;
  }
  notes_ = std::move(notes);
}

namespace detail {

TENON_BODY Tensor gradient_of(const Tensor& parameter) { return parameter->autograd() ? parameter.grad() : Tensor(); }
TENON_BODY void count_step(Tensor& step) {
  make_number(step, 0);
  *static_cast<float*>(step.data_ptr()) += 1;
}
TENON_BODY void bump_versions(const std::vector<Tensor>& parameters) {
  for (const Tensor& p : parameters)
    if (!p->is_inference()) p->storage()->bump_version();
}
TENON_BODY void make_number(Tensor& t, double value) {
  if (!t.defined()) t = scalar_tensor(value, kFloat);
}
TENON_BODY std::vector<Tensor> counts_beside(const std::vector<Tensor>& parameters, const std::vector<Tensor>& counts) {
  std::vector<Tensor> out;
  // Parameters mostly have one count: it travels once.
  Tensor moved;
  float value = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    Device device = parameters[i].device();
    if (counts[i].device() == device) {
      out.push_back(counts[i]);
      continue;
    }
    float count = counts[i].item<float>();
    if (!moved.defined() || moved.device() != device || count != value) moved = ops::to(counts[i], device, kFloat);
    value = count;
    out.push_back(moved);
  }
  return out;
}
TENON_BODY StateForm number_or_like(bool is_number, const Tensor& parameter) {
  return {is_number, is_number ? DimVector() : DimVector(parameter.sizes())};
}
TENON_BODY void make_filled(Tensor& t, const Tensor& like, const Scalar& value) {
  if (!t.defined()) t = ops::full_like(like, value);
}
TENON_BODY Tensor take_tensor(nn::NamedTensors& tensors, const std::string& name) {
  auto at = std::find_if(tensors.begin(), tensors.end(), [&](const auto& item) { return item.first == name; });
  if (at == tensors.end()) return {};
  Tensor t = std::move(at->second);
  tensors.erase(at);
  return t;
}
TENON_BODY void load_tensor(nn::NamedTensors& tensors, const std::string& name, const Tensor& parameter,
                            const StateForm& form, Tensor& to) {
  Tensor t = take_tensor(tensors, name);
  if (!t.defined()) return;
  TENON_CHECK(form.is_number ? t.numel() == 1 : t.sizes() == IntArrayRef(form.sizes), ValueError,
              "load_state(): tensor '", name, "': expected shape ", IntArrayRef(form.sizes), ", got ", t.sizes());
  to = make_tensor(t.sizes(), {}, form.is_number ? kFloat : parameter.dtype(),
                   form.is_number ? Device(kCPU) : parameter.device());
  ops::copy_(to, t);
}
TENON_BODY void check_all_loaded(const nn::NamedTensors& left, std::size_t parameters) {
  TENON_CHECK(left.empty(), ValueError, "load_state(): expected tensors for ", parameters, " parameters only, got ",
              left.size(), " others, such as '", left.empty() ? std::string() : left.front().first, "'");
}
TENON_BODY void check_betas(const char* optimizer, const std::pair<double, double>& betas) {
  for (double beta : {betas.first, betas.second})
    TENON_CHECK(beta >= 0 && beta < 1, ValueError, optimizer, ": option 'betas': expected numbers in [0, 1), got ",
                beta);
}
TENON_BODY void check_not_negative(const char* optimizer, const char* option, double value) {
  TENON_CHECK(value >= 0, ValueError, optimizer, ": option '", option,
              "': expected a number that is not negative, got ", value);
}

}  // namespace detail
}  // namespace tenon::optim
