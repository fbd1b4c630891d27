// Distributions: a variational posterior learnt by draws that have derivatives, and a policy by the score of its draws.
#include <cmath>
#include <cstdio>

#include <tenon/distributions.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::distributions;

namespace {

/// The rate of a Poisson distribution, of which some counts were seen. Its prior is a gamma distribution, its posterior
/// one too, so that what is learnt can be compared.
double learnt_rate(const Tensor& counts, const Gamma& prior) {
  Tensor loc = ops::zeros({}).requires_grad_(), log_scale = ops::zeros({}).requires_grad_();
  optim::Adam optimizer({loc, log_scale}, {.lr = 0.02});
  LogNormal posterior{0, 1};
  for (int step = 0; step < 1500; ++step) {
    posterior = LogNormal{.loc = loc, .scale = log_scale.exp()};
    Tensor rate = posterior.rsample({32});
    Tensor joint = prior.log_prob(rate) + Poisson{rate.unsqueeze(-1)}.log_prob(counts).sum(-1);
    Tensor loss = -(joint.mean() + posterior.entropy());
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
  return posterior.mean().item<double>();
}

/// Four levers pay differently; draws have no derivatives here, but their log-probability has.
std::int64_t best_lever(const Tensor& pays) {
  Tensor logits = ops::zeros({4}).requires_grad_();
  optim::Adam optimizer({logits}, {.lr = 0.05});
  for (int step = 0; step < 300; ++step) {
    Categorical policy{.logits = logits};
    Tensor lever = policy.sample({16});
    Tensor reward = Normal{pays.index({lever}), 0.5}.sample();
    Tensor loss = -(policy.log_prob(lever) * (reward - reward.mean())).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
  return Categorical{.logits = logits}.mode().item<std::int64_t>();
}

}  // namespace

int main() {
  manual_seed(0);
  Tensor counts = tensor({3.0, 5.0, 4.0, 6.0, 2.0});
  Gamma prior{.concentration = 2, .rate = 1};
  Gamma exact{prior.concentration + counts.sum(), prior.rate + 5};
  std::printf("the posterior's mean is %.2f\n", exact.mean().item<double>());
  double learnt = learnt_rate(counts, prior);
  std::printf("the learnt one agrees: %s\n", std::abs(learnt - exact.mean().item<double>()) < 0.1 ? "yes" : "no");
  std::printf("the best lever is %d\n", static_cast<int>(best_lever(tensor({0.1, 0.4, 1.0, 0.3}))));

  Normal p{.loc = 0, .scale = 1}, q{.loc = 1, .scale = 2};
  std::printf("KL(p || q) = %.4f\n", kl_divergence(p, q).item<double>());
  try {
    Normal wrong{.loc = 0, .scale = -1};
  } catch (const ValueError& e) { std::printf("%s\n", e.what()); }
}

// Prints:
// the posterior's mean is 3.67
// the learnt one agrees: yes
// the best lever is 2
// KL(p || q) = 0.4431
// Normal: expected parameter 'scale' to be positive, got -1 in shape []
