// A whole step of training: gradients cleared, forward, loss, backward, optimiser.
#include <tenon/tenon.hpp>

#include "row.hpp"

using namespace tenon;
using bench::row;

BENCH_PART(train) {
  manual_seed(0);
  nn::Sequential net{nn::Linear{64, 128}, nn::ReLU{}, nn::Linear{128, 10}};
  Tensor x = ops::rand({64, 64}), classes = ops::randint(10, {64}, "dtype"_a = kLong);
  optim::SGD sgd(nn::parameters(net), {.lr = 0.01, .momentum = 0.9});
  auto step = [&](auto& optimizer) {
    optimizer.zero_grad();
    nn::functional::cross_entropy(net(x), classes).backward();
    optimizer.step();
  };
  row("train/mlp_64_128_10_b64/sgd", [&] { step(sgd); });
  optim::Adam adam(nn::parameters(net));
  row("train/mlp_64_128_10_b64/adam", [&] { step(adam); });
  nn::functional::cross_entropy(net(x), classes).backward();
  row("train/mlp_64_128_10_b64/sgd_step", [&] { sgd.step(); });
  row("train/mlp_64_128_10_b64/adam_step", [&] { adam.step(); });
}
