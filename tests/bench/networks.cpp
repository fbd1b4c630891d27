// Layers forward and backward, optimisers over many small tensors, and the loader against the work of its samples.
#include <algorithm>
#include <chrono>
#include <thread>

#include <tenon/data.hpp>
#include <tenon/tenon.hpp>

#include "row.hpp"

using namespace tenon;
using bench::row;

namespace {

template <class Optimizer>
void optimizer_row(const char* name, typename Optimizer::options_type options = {}) {
  manual_seed(0);
  std::vector<Tensor> parameters;
  for (int i = 0; i < 1000; ++i) {
    Tensor p = ops::rand({64});
    p.set_requires_grad(true);
    parameters.push_back(p);
  }
  std::vector<Tensor> sums;
  for (const Tensor& p : parameters) sums.push_back((p * p).sum());
  ops::stack(sums, 0).sum().backward();
  Optimizer optimizer(parameters, options);
  row(std::string("optim/1000x64/") + name, [&] { optimizer.step(); });
}

/// A step of training a small convolutional network.
void cnn_row(const std::string& t) {
  nn::Sequential net{nn::Conv2d{.in_channels = 1, .out_channels = 16, .kernel_size = 3, .padding = 1},
                     nn::ReLU{},
                     nn::MaxPool2d{2},
                     nn::Conv2d{.in_channels = 16, .out_channels = 32, .kernel_size = 3, .padding = 1},
                     nn::ReLU{},
                     nn::MaxPool2d{2},
                     nn::Flatten{},
                     nn::Linear{32 * 7 * 7, 10}};
  optim::SGD sgd(nn::parameters(net), {.lr = 0.01});
  Tensor x = ops::rand({32, 1, 28, 28}), classes = ops::randint(10, {32}, "dtype"_a = kLong);
  row("train/cnn_28x28_b32/sgd" + t, [&] {
    sgd.zero_grad();
    nn::functional::cross_entropy(net(x), classes).backward();
    sgd.step();
  });
}

}  // namespace

BENCH_PART(networks) {
  cnn_row("");
  bench::with_threads([](const std::string& t) {
    manual_seed(0);
    {
      nn::LSTM lstm{128, 128};
      Tensor x = ops::rand({64, 32, 128});
      x.set_requires_grad(true);
      row("nn/lstm_64x32x128" + t, [&] { std::get<0>(lstm(x)).sum().backward(); });
    }
    {
      nn::TransformerEncoderLayer layer{.d_model = 128, .nhead = 8, .dim_feedforward = 512};
      Tensor x = ops::rand({64, 8, 128});
      x.set_requires_grad(true);
      row("nn/transformer_8x64x128" + t, [&] { layer(x).sum().backward(); });
    }
    {
      nn::BatchNorm2d norm{64};
      Tensor x = ops::rand({32, 64, 28, 28}), up = ops::rand({32, 64, 28, 28});
      x.set_requires_grad(true);
      row("nn/batch_norm_32x64x28x28" + t, [&] { norm(x).backward(up); });
    }
    cnn_row(t);
  });
}

BENCH_PART(loader) {
  // With n threads an epoch has 24 n samples of 5 ms: what goes beyond 120 ms is the loader's.
  for (int workers = 0; workers <= 8; ++workers) {
    data::FunctionDataset slow(24 * std::max(workers, 1), [](std::int64_t i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      return i;
    });
    data::DataLoader loader(slow, {.batch_size = 4, .shuffle = true, .num_workers = workers});
    row("loader/24x5ms/w" + std::to_string(workers), [&] {
      for (auto& batch : loader) bench::keep(batch);
    });
  }
}

BENCH_PART(optimizers) {
  optimizer_row<optim::SGD>("sgd", {.lr = 1e-3, .momentum = 0.9});
  optimizer_row<optim::Adam>("adam");
  optimizer_row<optim::AdamW>("adamw");
  optimizer_row<optim::Adagrad>("adagrad");
  optimizer_row<optim::RMSprop>("rmsprop");
  optimizer_row<optim::Adadelta>("adadelta");
  optimizer_row<optim::Adamax>("adamax");
  optimizer_row<optim::NAdam>("nadam");
  optimizer_row<optim::RAdam>("radam");
  optimizer_row<optim::ASGD>("asgd");
  optimizer_row<optim::Rprop>("rprop");
}
