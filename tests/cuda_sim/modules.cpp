// Layers, their beginnings and what goes with them on the simulated device.
#include <vector>

#include <tenon/cuda/executor.hpp>
#include <tenon/cuda/lstm.hpp>
#include <tenon/data.hpp>
#include <tenon/nn.hpp>
#include <tenon/nn/dynamic/weight_norms.hpp>
#include <tenon/optim.hpp>
#include <tenon/tenon.hpp>
#include <tenon/training.hpp>

#include "device.hpp"
#include "support.hpp"

using namespace tenon;
using namespace tenon::test;

namespace {

/// A layer answers on the device what it answers on the CPU, with the same gradients of its parameters.
template <class Net>
void check_same(Net net, const Tensor& x) {
  Net far = nn::clone(net);
  nn::to(far, kCuda);
  Tensor here = net(x), y = far(there(x));
  CHECK(y.device() == kCuda);
  CHECK(ops::allclose(on_cpu(y), here.detach(), 1e-4, 1e-5));
  Tensor weight = waves(here.sizes(), 0.9);
  ops::sum(here * weight).backward();
  ops::sum(y * there(weight)).backward();
  std::vector<Tensor> a = nn::parameters(net), b = nn::parameters(far);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("parameter " << i);
    CHECK(ops::allclose(on_cpu(b[i].grad()), a[i].grad(), 1e-3, 1e-4));
  }
}

}  // namespace

TEST_CASE("weights begin on the device as their distributions say", "[cuda_sim]") {
  manual_seed(5);
  for (auto [rows, columns] : {std::pair(5, 9), std::pair(9, 5)}) {
    Tensor w = ops::empty({rows, columns}, "device"_a = kCuda);
    nn::init::orthogonal_(w, 2.0);
    Tensor q = on_cpu(w), product = rows < columns ? ops::mm(q, q.t()) : ops::mm(q.t(), q);
    CHECK(ops::allclose(product, ops::eye(5) * 4.0, 1e-4, 1e-4));
  }
  Tensor w = ops::empty({60, 50}, "device"_a = kCuda);
  nn::init::trunc_normal_(w, 0, 1, -0.5, 0.7);
  CHECK(ops::min(on_cpu(w)).item<double>() >= -0.5);
  CHECK(ops::max(on_cpu(w)).item<double>() <= 0.7);
  nn::init::trunc_normal_(w, 0, 1, 3, 3.2);  // far from the mean
  CHECK(ops::min(on_cpu(w)).item<double>() >= 3);
  nn::init::kaiming_uniform_(w);
  double bound = std::sqrt(6.0 / 50);
  CHECK(ops::max(ops::abs(on_cpu(w))).item<double>() == Approx(bound).epsilon(0.02));
  nn::init::xavier_normal_(w);
  CHECK(ops::std(on_cpu(w)).item<double>() == Approx(std::sqrt(2.0 / 110)).epsilon(0.1));
  nn::init::sparse_(w, 0.5);
  CHECK(ops::sum(ops::eq(on_cpu(w), 0)).item<std::int64_t>() == 1500);
  nn::init::eye_(w);
  CHECK(ops::equal(on_cpu(w), ops::eye(60, 50)));
}

TEST_CASE("layers whose weight is made anew are the CPU's", "[cuda_sim]") {
  check_same(nn::utils::weight_norm(nn::Linear(6, 4)), waves({3, 6}, 0.3));
  check_same(nn::utils::weight_norm(nn::Conv1d(2, 3, 3)), waves({2, 2, 8}, 0.3));
  check_same(nn::utils::spectral_norm(nn::Linear(6, 4)), waves({3, 6}, 0.3));
}

TEST_CASE("recurrent layers and packed sequences are the CPU's", "[cuda_sim]") {
  nn::GRU gru(3, 4);
  nn::GRU far = nn::clone(gru);
  nn::to(far, kCuda);
  Tensor x = waves({5, 3, 3}, 0.37);
  DimVector lengths{3, 5, 2};
  auto run = [&](const nn::GRU& net, const Tensor& input) {
    nn::PackedSequence packed = nn::pack_padded_sequence(input, lengths, false, false);
    auto [data, last] = net(packed);
    auto [padded, sizes] = nn::pad_packed_sequence(data);
    CHECK(sizes == std::vector<std::int64_t>{3, 5, 2});
    return padded;
  };
  Tensor a = run(gru, x), b = run(far, there(x));
  CHECK(ops::allclose(on_cpu(b), a.detach(), 1e-4, 1e-5));
}

TEST_CASE("averages of models, metrics and datasets take the device's tensors", "[cuda_sim]") {
  nn::Linear layer(3, 2);
  nn::to(layer, kCuda);
  optim::AveragedModel average(layer);
  nn::to(average, kCuda);
  average.update_parameters(layer);
  {
    NoGradGuard none;
    layer.weight.add_(2.0);
  }
  average.update_parameters(layer);
  CHECK(average.n_averaged.item<std::int64_t>() == 2);
  CHECK(ops::allclose(on_cpu(average.module.weight), on_cpu(layer.weight) - 1.0, 1e-5, 1e-6));

  Tensor scores = waves({20, 4}, 0.7), classes = ops::remainder(ops::arange(20), 4);
  training::Accuracy here, far;
  here.update(scores, classes);
  far.update(there(scores), there(classes));
  CHECK(far.right() == here.right());
  data::TensorDataset set(there(scores), there(classes));
  CHECK(ops::equal(on_cpu(std::get<0>(set.get(3))), scores.select(0, 3)));
}

TEST_CASE("a layer of an LSTM is one operator on the device", "[cuda_sim]") {
  // A kernel for each of the three steps.
  static int steps;
  steps = 0;
  cuda::Executor::settings().argument = [](const void*, std::size_t bytes) {
    steps += bytes == sizeof(cuda::LstmStepCall);
  };
  auto filled = [](IntArrayRef sizes) { return ops::full(sizes, 0.25, "device"_a = kCuda); };
  Tensor state = filled({1, 4, 5});
  ops::lstm(filled({3, 4, 3}), TensorList({state, state}), TensorList({filled({20, 3}), filled({20, 5})}), false, 1,
            0.0, false, false, false);
  cuda::Executor::settings().argument = nullptr;
  CHECK(steps == 3);
}
