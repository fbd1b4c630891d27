// Optimisers of the library by the names that PyTorch gives them and their options.
#pragma once
#include <memory>

#include <tenon/tenon.hpp>

#include "replay.hpp"

namespace oracle {

inline void set_value(double& to, const json& v) { to = number(v); }
inline void set_value(bool& to, const json& v) { to = v.get<bool>(); }
inline void set_value(std::int64_t& to, const json& v) { to = v.get<std::int64_t>(); }
inline void set_value(std::string& to, const json& v) {
  if (!v.is_null()) to = v.get<std::string>();
}
template <class T>
void set_value(std::optional<T>& to, const json& v) {
  if (v.is_null()) return to.reset();
  set_value(to.emplace(), v);
}
template <class A, class B>
void set_value(std::pair<A, B>& to, const json& v) {
  set_value(to.first, v.at(0));
  set_value(to.second, v.at(1));
}
template <std::size_t N>
void set_value(std::array<double, N>& to, const json& v) {
  for (std::size_t i = 0; i < N; ++i) set_value(to.at(i), v.at(i));
}

/// Sets options of a struct that names its fields, by their names.
template <class Options>
void set_options(Options& options, const json& given) {
  for (const auto& [name, v] : given.items()) {
    // The parameters themselves, and how the same numbers are computed.
    bool known = false;
    for (const char* other : {"params", "foreach", "fused", "capturable", "differentiable"})
      known = known || name == other;
    nn::for_each_field(options, [&, &name = name, &v = v](const std::string& field, auto& to) {
      if (field != name) return;
      set_value(to, v);
      known = true;
    });
    if (!known) mismatch("there is no option '", name, "'");
  }
}

struct OptimizerGroup {
  std::vector<Tensor> parameters;
  json options;  // over those of the optimiser
};

template <class Optimizer>
std::unique_ptr<optim::Optimizer> make_optimizer_as(const json& given, std::vector<OptimizerGroup> groups) {
  auto options_of = [&](const OptimizerGroup& group) {
    typename Optimizer::options_type options;
    set_options(options, given);
    set_options(options, group.options);
    return options;
  };
  auto made = std::make_unique<Optimizer>(groups.at(0).parameters, options_of(groups[0]));
  for (std::size_t i = 1; i < groups.size(); ++i) {
    if constexpr (requires { made->add_param_group(groups[i].parameters, options_of(groups[i])); })
      made->add_param_group(groups[i].parameters, options_of(groups[i]));
    else
      mismatch("the optimiser takes one group only");
  }
  return made;
}

inline std::unique_ptr<optim::Optimizer> make_optimizer(const std::string& name, const json& options,
                                                        std::vector<OptimizerGroup> groups) {
#define TENON_MAKE(NAME) \
  if (name == #NAME) return make_optimizer_as<optim::NAME>(options, std::move(groups))
  TENON_MAKE(Adadelta);
  TENON_MAKE(Adafactor);
  TENON_MAKE(Adagrad);
  TENON_MAKE(Adam);
  TENON_MAKE(AdamW);
  TENON_MAKE(Adamax);
  TENON_MAKE(ASGD);
  TENON_MAKE(LBFGS);
  TENON_MAKE(Muon);
  TENON_MAKE(NAdam);
  TENON_MAKE(RAdam);
  TENON_MAKE(RMSprop);
  TENON_MAKE(Rprop);
  TENON_MAKE(SGD);
#undef TENON_MAKE
  mismatch("no optimiser is named ", name);
}

}  // namespace oracle
