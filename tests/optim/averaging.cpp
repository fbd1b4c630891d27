// Averages of models, by hand.
#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/tenon.hpp>

#include "catch.hpp"

using namespace tenon;

namespace {

struct Net {
  nn::Linear linear{1, 1, false};
  nn::BatchNorm1d norm{1};
  Tensor operator()(const Tensor& x) const { return norm(linear(x)); }
  TENON_FIELDS(linear, norm)
};
void set(const Net& net, double w) { nn::init::constant_(net.linear.weight, w); }
double weight(const Net& net) { return net.linear.weight.item<double>(); }

}  // namespace

TEST_CASE("an averaged model is the mean of the parameters that a model had", "[optim][averaging]") {
  Net net;
  set(net, 1);
  optim::AveragedModel mean(net), ema(net, optim::get_ema_avg_fn(0.75));
  for (double w : {2.0, 4.0, 9.0}) {
    set(net, w);
    mean.update_parameters(net);
    ema.update_parameters(net);
  }
  CHECK(weight(mean.module) == 5);
  CHECK(weight(ema.module) == Approx(0.75 * (0.75 * 2 + 0.25 * 4) + 0.25 * 9));
  CHECK(mean.n_averaged.item<std::int64_t>() == 3);
  auto state = nn::state(mean);
  CHECK(state[0].first == "n_averaged");
  CHECK(state[1].first == "module.linear.weight");
  CHECK(weight(net) == 9);
  CHECK_ERROR_CONTAINS(optim::get_ema_avg_fn(1.5), ValueError, "Please provide a value in [0,1] range.");
}

TEST_CASE("an average is taken by a function of one's own", "[optim][averaging]") {
  Net net;
  std::vector<std::int64_t> counts;
  optim::AveragedModel largest(net, [&](const Tensor& averaged, const Tensor& current, std::int64_t num_averaged) {
    if (averaged.numel() == 1 && averaged.dim() == 2) counts.push_back(num_averaged);
    CHECK_FALSE(is_grad_enabled());
    return ops::maximum(averaged, current);
  });
  for (double w : {2.0, 9.0, 4.0}) {
    set(net, w);
    largest.update_parameters(net);
  }
  CHECK(weight(largest.module) == 9);
  CHECK(largest.module.linear.weight.requires_grad());
  CHECK(counts == std::vector<std::int64_t>{1, 2});  // the first is a copy
}

TEST_CASE("all averages are taken at once by a function of lists", "[optim][averaging]") {
  Net net;
  std::vector<std::int64_t> counts;
  optim::AveragedModel largest(
      net, [&](const std::vector<Tensor>& averaged, const std::vector<Tensor>& current, std::int64_t num_averaged) {
        CHECK_FALSE(is_grad_enabled());
        CHECK(averaged.size() == 3);  // the buffers are copied
        REQUIRE(averaged.size() == current.size());
        counts.push_back(num_averaged);
        for (std::size_t i = 0; i < averaged.size(); ++i)
          Tensor(averaged[i]).copy_(ops::maximum(averaged[i], current[i]));
      });
  for (double w : {2.0, 9.0, 4.0}) {
    set(net, w);
    largest.update_parameters(net);
  }
  CHECK(weight(largest.module) == 9);
  CHECK(counts == std::vector<std::int64_t>{1, 2});

  optim::AveragedModel mean(net, optim::get_swa_multi_avg_fn()), ema(net, optim::get_ema_multi_avg_fn(0.75));
  for (double w : {2.0, 4.0}) {
    set(net, w);
    mean.update_parameters(net);
    ema.update_parameters(net);
  }
  CHECK(weight(mean.module) == 3);
  CHECK(weight(ema.module) == 2.5);
}

TEST_CASE("update_bn takes the mean over all batches and leaves modes as they were", "[optim][averaging]") {
  Net net;
  set(net, 1);
  nn::eval(net);
  std::vector<Tensor> batches{tensor({{0.0f}, {2.0f}}), tensor({{4.0f}, {8.0f}})};
  optim::update_bn(batches, net);
  CHECK(net.norm.running_mean.item<double>() == Approx(3.5));
  CHECK(net.norm.running_var.item<double>() == Approx(5));
  CHECK(net.norm.num_batches_tracked.item<std::int64_t>() == 2);
  CHECK(net.norm.momentum == 0.1);
  CHECK_FALSE(net.norm.training);
}

// Values of PyTorch 2.15.
TEST_CASE("update_bn leaves the statistics of instance norms to their own momentum", "[optim][averaging]") {
  nn::Sequential net{nn::InstanceNorm1d{.num_features = 2, .track_running_stats = true}, nn::BatchNorm1d{2}};
  Tensor x = ops::arange(12, "dtype"_a = kFloat).view({2, 2, 3});
  std::vector<Tensor> batches{x, x * 2};
  optim::update_bn(batches, net);
  CHECK(ops::allclose(net.get<0>().running_mean, tensor({1.16f, 2.03f})));
  CHECK(ops::allclose(net.get<0>().running_var, tensor({1.3f, 1.3f})));
  CHECK(net.get<0>().momentum == 0.1);
  CHECK(ops::allclose(net.get<1>().running_var, tensor({1.2f, 1.2f})));
}
