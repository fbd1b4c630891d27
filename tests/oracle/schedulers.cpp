// Replays recorded learning rates of every schedule: schedulers FILE.jsonl [--verbose] [--here]
#include <cmath>

#include "lines.hpp"
#include "optimizers.hpp"

using namespace oracle;

namespace {

constexpr double kRelative = 1e-12, kAbsolute = 1e-15;

void set_list(std::vector<double>& to, const json& v) {
  to.clear();
  for (const json& item : v.is_array() ? v : json::array({v})) to.push_back(number(item));
}
template <class Options>
Options read_options(const json& given) {
  // The option that must be given is the first.
  Options options = [] {
    if constexpr (std::is_default_constructible_v<Options>)
      return Options{};
    else
      return Options{1};
  }();
  for (const auto& [name, v] : given.items()) {
    bool known = false;
    nn::for_each_field(options, [&, &name = name, &v = v]<class T>(const std::string& field, T& to) {
      if (field != name) return;
      known = true;
      if constexpr (std::is_same_v<T, std::vector<double>>)
        set_list(to, v);
      else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>)
        to = ints(v);
      else if constexpr (std::is_same_v<T, nn::Count>)
        to = v.template get<std::int64_t>();
      else if constexpr (std::is_same_v<T, optim::GivenNumber>)
        to = number(v);
      else
        set_value(to, v);
    });
    if (!known) mismatch("there is no option '", name, "'");
  }
  return options;
}

std::vector<optim::LRLambda> lambdas(const json& given) {
  std::vector<optim::LRLambda> list;
  for (const json& v : given.is_array() ? given : json::array({given})) {
    auto kind = v.at("lambda").get<std::string>();
    if (kind == "power")
      list.emplace_back([b = number(v.at("base"))](double e) { return std::pow(b, e); });
    else if (kind == "inverse")
      list.emplace_back([k = number(v.at("k"))](double e) { return 1 / (1 + k * e); });
    else if (kind == "warmup")
      list.emplace_back([n = number(v.at("n"))](double e) { return std::min(1.0, (e + 1) / n); });
    else if (kind == "constant")
      list.emplace_back([c = number(v.at("c"))](double) { return c; });
    else
      mismatch("the case names an unknown function ", kind);
  }
  return list;
}

std::unique_ptr<optim::LRScheduler> make_scheduler(optim::Optimizer& optimizer, const json& given) {
  auto name = given.at("name").get<std::string>();
  const json options = given.value("options", json::object());
  auto parts = [&] {
    std::vector<std::unique_ptr<optim::LRScheduler>> list;
    for (const json& part : options.at("schedulers")) list.push_back(make_scheduler(optimizer, part));
    return list;
  };
  if (name == "LambdaLR") return std::make_unique<optim::LambdaLR>(optimizer, lambdas(options.at("lr_lambda")));
  if (name == "MultiplicativeLR")
    return std::make_unique<optim::MultiplicativeLR>(optimizer, lambdas(options.at("lr_lambda")));
  if (name == "SequentialLR")
    return std::make_unique<optim::SequentialLR>(optimizer, parts(), ints(options.at("milestones")));
  if (name == "ChainedScheduler") return std::make_unique<optim::ChainedScheduler>(optimizer, parts());
#define TENON_MAKE(NAME) \
  if (name == #NAME) return std::make_unique<optim::NAME>(optimizer, read_options<optim::NAME##Options>(options))
  TENON_MAKE(StepLR);
  TENON_MAKE(MultiStepLR);
  TENON_MAKE(ConstantLR);
  TENON_MAKE(LinearLR);
  TENON_MAKE(ExponentialLR);
  TENON_MAKE(PolynomialLR);
  TENON_MAKE(CosineAnnealingLR);
  TENON_MAKE(CosineAnnealingWarmRestarts);
  TENON_MAKE(CyclicLR);
  TENON_MAKE(OneCycleLR);
  TENON_MAKE(ReduceLROnPlateau);
  TENON_MAKE(SWALR);
#undef TENON_MAKE
  mismatch("no schedule is named ", name);
}

class Run {
 public:
  explicit Run(const json& line) : line_(line) {}
  void check() {
    std::unique_ptr<optim::Optimizer> optimizer = make();
    if (line_.contains("raises")) {
      try {
        auto scheduler = make_scheduler(*optimizer, line_.at("scheduler"));
        for (std::int64_t k = 0; k < steps(); ++k) step(*scheduler, k);
      } catch (const Error&) { return; }
      mismatch("expected an error: ", line_.at("raises").get<std::string>());
    }
    auto scheduler = make_scheduler(*optimizer, line_.at("scheduler"));
    compare(*optimizer, 0);
    for (std::int64_t k = 0; k < steps(); ++k) {
      if (k == steps() / 2) {
        // Another pair of the same kind goes on from the state.
        auto other = make();
        auto next = make_scheduler(*other, line_.at("scheduler"));
        other->load_state(optimizer->state());
        next->load_state(scheduler->state());
        scheduler = std::move(next);
        optimizer = std::move(other);
      }
      step(*scheduler, k);
      compare(*optimizer, static_cast<std::size_t>(k) + 1);
    }
  }

 private:
  std::int64_t steps() const { return line_.at("steps").get<std::int64_t>(); }
  std::unique_ptr<optim::Optimizer> make() const {
    std::vector<OptimizerGroup> groups;
    for (const json& g : line_.at("groups")) {
      Tensor p = make_tensor({1}, {}, kFloat);
      p.set_requires_grad(true);
      groups.push_back({{p}, g});
    }
    return make_optimizer(line_.at("optimizer").get<std::string>(), line_.at("options"), groups);
  }
  void step(optim::LRScheduler& scheduler, std::int64_t k) const {
    for (const char* name : {"metrics", "epochs"})
      if (line_.contains(name)) return scheduler.step(number(line_.at(name).at(static_cast<std::size_t>(k))));
    scheduler.step();
  }
  void compare(optim::Optimizer& optimizer, std::size_t row) const {
    auto one = [&](const char* name, std::size_t g, const double* got) {
      double expected = number(line_.at(name).at(row).at(g));
      if (!got || !close(*got, expected, {kRelative, kAbsolute}))
        mismatch(name, " of group ", g, " after ", row, " steps: expected ", to_text(expected), ", got ",
                 got ? to_text(*got) : "none");
    };
    for (std::size_t g = 0; g < optimizer.group_count(); ++g) {
      one("lr", g, optimizer.number(g, "lr"));
      if (!line_.contains("momentum")) continue;
      const double* momentum = optimizer.number(g, "momentum");
      one("momentum", g, momentum ? momentum : optimizer.number(g, "betas"));
    }
  }

  const json& line_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_lines("schedulers", argc, argv, [](const json& line, const std::string&) { Run(line).check(); });
}
