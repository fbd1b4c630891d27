// Which operators a training step calls, how often, and how much of its time each takes itself.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

namespace {

using namespace tenon;
using Clock = std::chrono::steady_clock;

/// A call's own time is what passes while no call inside it runs.
class Profile final : public CallObserver {
 public:
  struct Row {
    int calls = 0;
    Clock::duration own{};
  };
  void begin(const ObservedCall& call) override {
    charge();
    running_.push_back(&rows[std::string(call.op.name())]);
    ++running_.back()->calls;
  }
  void end(const ObservedCall&) noexcept override {
    charge();
    running_.pop_back();
  }
  std::map<std::string, Row> rows;

 private:
  void charge() {
    Clock::time_point now = Clock::now();
    if (!running_.empty()) running_.back()->own += now - since_;
    since_ = now;
  }
  std::vector<Row*> running_;
  Clock::time_point since_;
};

}  // namespace

int main() {
  Tensor x = ops::randn({64, 32}), target = ops::randint(10, {64});
  Tensor weight = ops::randn({10, 32}).requires_grad_(), bias = ops::zeros({10}).requires_grad_();
  auto step = [&] {
    ops::cross_entropy_loss(ops::linear(x, weight, bias), target).backward();
    NoGradGuard no_grad;
    weight -= 0.1 * weight.grad();
    bias -= 0.1 * bias.grad();
  };
  step();

  Profile profile;
  {
    CallObserverGuard guard(profile);
    step();
  }
  std::vector<std::pair<std::string, Profile::Row>> rows(profile.rows.begin(), profile.rows.end());
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second.own > b.second.own; });
  std::printf("%-40s %6s %10s\n", "operator", "calls", "us");
  for (const auto& [name, row] : rows)
    std::printf("%-40s %6d %10.1f\n", name.c_str(), row.calls,
                std::chrono::duration<double, std::micro>(row.own).count());
  return profile.rows.at("aten::linear").calls == 1 ? 0 : 1;
}
