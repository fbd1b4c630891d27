// A module of one's own: a struct. It learns y = sin(x), is saved, and is loaded into another.
#include <cstdio>

#include <tenon/tenon.hpp>

using namespace tenon;

struct Residual {  // x + f(x)
  nn::Linear a{16, 16}, b{16, 16};
  Tensor operator()(const Tensor& x) const { return x + b(a(x).tanh()); }
  TENON_FIELDS(a, b)
};

struct Network {
  nn::Linear in{1, 16};
  std::vector<Residual> blocks = std::vector<Residual>(2);
  nn::Linear out{16, 1};

  Tensor operator()(Tensor x) const {
    x = in(x);
    for (const Residual& block : blocks) x = block(x);
    return out(x);
  }
  TENON_FIELDS(in, blocks, out)
};

int main() {
  manual_seed(1);
  Network network;
  for (const auto& [name, t] : nn::named_parameters(network))
    std::printf("%-18s %lld\n", name.c_str(), static_cast<long long>(t.numel()));

  Tensor x = ops::arange(-3, 3, 0.05).unsqueeze(1), y = x.sin();
  optim::AdamW optimizer(nn::parameters(network), {.lr = 0.01, .weight_decay = 1e-4});
  for (int step = 0; step <= 300; ++step) {
    optimizer.zero_grad();
    Tensor loss = nn::functional::mse_loss(network(x), y);
    loss.backward();
    optimizer.step();
    if (step % 100 == 0) std::printf("step %3d  loss %.5f\n", step, loss.item<double>());
  }

  nn::save(network, "module.safetensors");
  Network again;
  nn::load(again, "module.safetensors");
  NoGradGuard no_grad;
  Tensor difference = (again(x) - network(x)).abs().amax();
  std::printf("sin(1) is nearly %.2f; loaded again, the answers differ by %g\n",
              again(ops::full({1, 1}, 1.0)).item<double>(), difference.item<double>());
}
