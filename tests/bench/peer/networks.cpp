// PyTorch's side of ../networks.cpp: the same rows by the same names. ../run.py builds and runs it; meson does not.
#include <string>
#include <vector>

#include "peer.hpp"

using bench::row;
namespace nn = torch::nn;
namespace optim = torch::optim;

template <class Optimizer, class Options>
void optimizer_row(const char* name, Options options) {
  torch::manual_seed(0);
  std::vector<torch::Tensor> parameters;
  for (int i = 0; i < 1000; ++i) {
    parameters.push_back(torch::rand({64}, torch::requires_grad()));
    parameters.back().mutable_grad() = 2 * parameters.back().detach();
  }
  Optimizer optimizer(parameters, options);
  row(std::string("optim/1000x64/") + name, [&] { optimizer.step(); });
}

int main(int argc, char** argv) {
  if (argc > 1) bench::only = argv[1];
  bench::with_threads([](const std::string& t) {
    torch::manual_seed(0);
    {
      nn::LSTM lstm(128, 128);
      auto x = torch::rand({64, 32, 128}, torch::requires_grad());
      row("nn/lstm_64x32x128" + t, [&] { std::get<0>(lstm->forward(x)).sum().backward(); });
    }
    {
      // Its own module takes no batch first: x (length, batch, features).
      nn::TransformerEncoderLayer layer(nn::TransformerEncoderLayerOptions(128, 8).dim_feedforward(512));
      auto x = torch::rand({64, 8, 128}, torch::requires_grad());
      row("nn/transformer_8x64x128" + t, [&] { layer->forward(x).sum().backward(); });
    }
    {
      nn::BatchNorm2d norm(64);
      auto x = torch::rand({32, 64, 28, 28}, torch::requires_grad()), up = torch::rand({32, 64, 28, 28});
      row("nn/batch_norm_32x64x28x28" + t, [&] { norm->forward(x).backward(up); });
    }
    {
      nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(1, 16, 3).padding(1)), nn::ReLU(), nn::MaxPool2d(2),
                         nn::Conv2d(nn::Conv2dOptions(16, 32, 3).padding(1)), nn::ReLU(), nn::MaxPool2d(2),
                         nn::Flatten(), nn::Linear(32 * 7 * 7, 10));
      optim::SGD sgd(net->parameters(), 0.01);
      auto x = torch::rand({32, 1, 28, 28}), classes = torch::randint(10, {32}, torch::kLong);
      row("train/cnn_28x28_b32/sgd" + t, [&] {
        sgd.zero_grad();
        nn::functional::cross_entropy(net->forward(x), classes).backward();
        sgd.step();
      });
    }
  });
  optimizer_row<optim::SGD>("sgd", optim::SGDOptions(1e-3).momentum(0.9));
  optimizer_row<optim::Adam>("adam", optim::AdamOptions());
  optimizer_row<optim::AdamW>("adamw", optim::AdamWOptions());
  optimizer_row<optim::Adagrad>("adagrad", optim::AdagradOptions());
  optimizer_row<optim::RMSprop>("rmsprop", optim::RMSpropOptions());
}
