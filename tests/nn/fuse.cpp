// Norms folded into the layers before them.
#include <tenon/nn/fuse.hpp>

#include "support.hpp"

using namespace test;

namespace {
template <class Norm>
Norm trained(Norm bn, std::int64_t features) {
  bn.running_mean = ops::randn({features});
  bn.running_var = ops::rand({features}) + 0.5;
  if (bn.weight.defined()) {
    bn.weight = nn::Parameter(ops::randn({features}).requires_grad_());
    bn.bias = nn::Parameter(ops::randn({features}).requires_grad_());
  }
  bn.training = false;
  return bn;
}
bool close(const Tensor& a, const Tensor& b) { return ops::allclose(a, b, 1e-4, 1e-5); }
}  // namespace

TEST_CASE("a layer with a norm in it gives what both give", "[nn][fuse]") {
  manual_seed(3);
  Tensor x = ops::randn({2, 4, 5, 5});
  for (bool bias : {false, true}) {
    nn::Conv2d conv{.in_channels = 4, .out_channels = 6, .kernel_size = 3, .groups = 2, .bias = bias};
    auto bn = trained(nn::BatchNorm2d{6}, 6);
    nn::Conv2d fused = nn::utils::fuse_conv_bn_eval(conv, bn);
    CHECK(close(fused(x), bn(conv(x))));
    CHECK((fused.weight.requires_grad() && fused.weight.is_leaf() && fused.bias.requires_grad()));
    CHECK_FALSE(fused.weight.is_same(conv.weight));
    nn::ConvTranspose2d back{.in_channels = 4, .out_channels = 6, .kernel_size = 3, .stride = 2, .bias = bias};
    CHECK(close(nn::utils::fuse_conv_bn_eval(back, bn)(x), bn(back(x))));
    auto plain = trained(nn::BatchNorm1d{.num_features = 3, .affine = false}, 3);
    nn::Linear linear{5, 3, bias};
    Tensor rows = ops::randn({7, 5});
    CHECK(close(nn::utils::fuse_linear_bn_eval(linear, plain)(rows), plain(linear(rows))));
  }
}

TEST_CASE("what cannot be fused is refused", "[nn][fuse]") {
  nn::Conv1d conv{2, 3, 1};
  CHECK_ERROR(nn::utils::fuse_conv_bn_eval(conv, nn::BatchNorm1d{3}), ValueError, "Fusion only for eval!");
  nn::BatchNorm1d none{.num_features = 3, .track_running_stats = false, .training = false};
  CHECK_ERROR(nn::utils::fuse_conv_bn_eval(conv, none), ValueError,
              "fuse: expected a batch norm with running statistics, got one that keeps none");
  CHECK_ERROR(nn::utils::fuse_conv_bn_eval(conv, trained(nn::BatchNorm1d{4}, 4)), ValueError,
              "fuse: expected a batch norm of 3 features, got one of 4");
}

// Values of torch.nn.utils.fuse_linear_bn_weights and fuse_conv_bn_weights, PyTorch 2.15.
TEST_CASE("weights alone are fused", "[nn][fuse]") {
  using Numbers = std::vector<double>;
  Tensor w = tensor({1.0, -2.0, 0.5, 3.0}).view({2, 2}), b = tensor({0.25, -1.0}), mean = tensor({0.5, -0.5}),
         var = tensor({3.75, 0.0}), scale = tensor({2.0, -1.0}), shift = tensor({1.0, 0.5});
  auto linear = nn::utils::fuse_linear_bn_weights(w, b, mean, var, 0.25, scale, shift);
  CHECK(values(linear.first) == Numbers{1, -2, -1, -6});
  CHECK(values(linear.second) == Numbers{0.75, 1.5});
  CHECK_FALSE(linear.first.requires_grad());
  Tensor filters = w.view({2, 2, 1});
  auto plain = nn::utils::fuse_conv_bn_weights(filters, {}, mean, var, 0.25, {}, {});
  CHECK(plain.first.sizes() == filters.sizes());
  CHECK(values(plain.first) == Numbers{0.5, -1, 1, 6});
  CHECK(values(plain.second) == Numbers{-0.25, 1});
  auto transposed = nn::utils::fuse_conv_bn_weights(filters, b, mean, var, 0.25, scale, shift, true);
  CHECK(values(transposed.first) == Numbers{1, 4, 0.5, -6});
  CHECK(values(transposed.second) == Numbers{0.75, 1.5});
}
