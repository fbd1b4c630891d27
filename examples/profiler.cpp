// Where the time of a training step goes: a table, and files for trace viewers and browsers.
#include <cstdio>
#include <fstream>

#include <tenon/profiler.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

int main(int argc, char** argv) {
  Tensor x = ops::randn({64, 32}), target = ops::randint(10, {64});
  Tensor weight = ops::randn({10, 32}).requires_grad_(), bias = ops::zeros({10}).requires_grad_();

  profiler::Profiler profiler({.shapes = true, .memory = true, .flops = true});
  for (int step = 0; step < 3; ++step) {
    Tensor loss;
    {
      profiler::Range range("forward");
      loss = ops::cross_entropy_loss(ops::linear(x, weight, bias), target);
    }
    {
      profiler::Range range("backward");
      loss.backward();
    }
    NoGradGuard no_grad;
    weight -= 0.1 * weight.grad();
    bias -= 0.1 * bias.grad();
  }
  profiler::Profile profile = profiler.profile();

  std::fputs(profiler::table(profile).c_str(), stdout);
  std::fputs(profiler::memory_table(profile).c_str(), stdout);
  if (argc > 1) {
    std::string name = argv[1];
    std::ofstream(name + ".json") << profiler::chrome_trace(profile);
    std::ofstream(name + ".perfetto-trace", std::ios::binary) << profiler::perfetto_trace(profile);
    std::ofstream(name + ".svg") << profiler::flame_graph(profile);
  }
  return profile.tracks[0].events.empty() ? 1 : 0;
}
