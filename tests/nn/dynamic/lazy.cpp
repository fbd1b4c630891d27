// Layers that learn the number of their inputs from their first call.
#include <tenon/nn/dynamic/any_module.hpp>
#include <tenon/nn/dynamic/lazy.hpp>
#include <tenon/nn/dynamic/summary.hpp>

#include "../support.hpp"

using namespace test;

namespace {

struct Net {
  nn::LazyConv2d conv{.out_channels = 4, .kernel_size = 3};
  nn::LazyBatchNorm2d norm{};
  nn::LazyLinear out{2, false};
  Tensor operator()(const Tensor& x) const { return out(ops::flatten(norm(conv(x)), 1)); }
  TENON_FIELDS(conv, norm, out)
};

/// The layer after a call with the seed 3, and the layer that it must be.
template <class Lazy, class L>
void check_same(Lazy lazy, const std::string& before, const Tensor& x, L (*make)()) {
  INFO(before);
  CHECK(nn::to_string(lazy) == before);
  CHECK_THROWS_AS(nn::parameters(lazy), ValueError);
  CHECK_THROWS_AS(nn::state(lazy), ValueError);
  manual_seed(3);
  Tensor got = lazy(x);
  manual_seed(3);
  L layer = make();
  Tensor want = layer(x);
  CHECK(got.sizes() == want.sizes());
  CHECK(values(got) == values(want));
  CHECK(names(nn::state(lazy)) == names(nn::state(layer)));
  CHECK(nn::to_string(lazy) == nn::to_string(layer));
  CHECK(values(lazy(x)) == values(layer(x)));
}

}  // namespace

TEST_CASE("lazy layers become those that fit their first input", "[nn][dynamic]") {
  Tensor x1 = ops::randn({2, 3, 5}), x2 = ops::randn({2, 3, 5, 4}), x3 = ops::randn({2, 3, 4, 3, 3});
  check_same<nn::LazyLinear, nn::Linear>({7}, "LazyLinear(in_features=0, out_features=7, bias=True)", x1, [] {
    return nn::Linear{5, 7};
  });
  check_same<nn::LazyConv1d, nn::Conv1d>({4, 2}, "LazyConv1d(0, 4, kernel_size=(2,), stride=(1,))", x1, [] {
    return nn::Conv1d{3, 4, 2};
  });
  check_same<nn::LazyConv2d, nn::Conv2d>(
      {.out_channels = 6, .kernel_size = 2, .padding = "same", .groups = 3, .bias = false},
      "LazyConv2d(0, 6, kernel_size=(2, 2), stride=(1, 1), padding=same, groups=3, bias=False)", x2, [] {
        return nn::Conv2d{
            .in_channels = 3, .out_channels = 6, .kernel_size = 2, .padding = "same", .groups = 3, .bias = false};
      });
  check_same<nn::LazyConv3d, nn::Conv3d>({4, 2}, "LazyConv3d(0, 4, kernel_size=(2, 2, 2), stride=(1, 1, 1))", x3, [] {
    return nn::Conv3d{3, 4, 2};
  });
  check_same<nn::LazyConvTranspose1d, nn::ConvTranspose1d>(
      {4, 2}, "LazyConvTranspose1d(0, 4, kernel_size=(2,), stride=(1,))", x1, [] {
        return nn::ConvTranspose1d{3, 4, 2};
      });
  check_same<nn::LazyConvTranspose2d, nn::ConvTranspose2d>(
      {.out_channels = 4, .kernel_size = 2, .stride = 2, .output_padding = 1},
      "LazyConvTranspose2d(0, 4, kernel_size=(2, 2), stride=(2, 2), output_padding=(1, 1))", x2, [] {
        return nn::ConvTranspose2d{
            .in_channels = 3, .out_channels = 4, .kernel_size = 2, .stride = 2, .output_padding = 1};
      });
  check_same<nn::LazyConvTranspose3d, nn::ConvTranspose3d>(
      {4, 2}, "LazyConvTranspose3d(0, 4, kernel_size=(2, 2, 2), stride=(1, 1, 1))", x3, [] {
        return nn::ConvTranspose3d{3, 4, 2};
      });
  const std::string norm = "(0, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)";
  check_same<nn::LazyBatchNorm1d, nn::BatchNorm1d>({}, "LazyBatchNorm1d" + norm, x1, [] { return nn::BatchNorm1d{3}; });
  check_same<nn::LazyBatchNorm2d, nn::BatchNorm2d>({}, "LazyBatchNorm2d" + norm, x2, [] { return nn::BatchNorm2d{3}; });
  check_same<nn::LazyBatchNorm3d, nn::BatchNorm3d>({}, "LazyBatchNorm3d" + norm, x3, [] { return nn::BatchNorm3d{3}; });
  check_same<nn::LazyInstanceNorm1d, nn::InstanceNorm1d>({}, "LazyInstanceNorm1d" + norm, x1, [] {
    return nn::InstanceNorm1d{.num_features = 3, .affine = true, .track_running_stats = true};
  });
  check_same<nn::LazyInstanceNorm2d, nn::InstanceNorm2d>({}, "LazyInstanceNorm2d" + norm, x2, [] {
    return nn::InstanceNorm2d{.num_features = 3, .affine = true, .track_running_stats = true};
  });
  check_same<nn::LazyInstanceNorm3d, nn::InstanceNorm3d>({}, "LazyInstanceNorm3d" + norm, x3, [] {
    return nn::InstanceNorm3d{.num_features = 3, .affine = true, .track_running_stats = true};
  });
}

TEST_CASE("what is done to a lazy model before its first call holds after it", "[nn][dynamic]") {
  Net net;
  nn::to(net, kDouble);
  nn::eval(net);
  nn::requires_grad_(net.conv, false);
  Net other = nn::clone(net);
  Tensor x = ops::randn({2, 3, 6, 6}, "dtype"_a = kDouble);
  CHECK(net(x).sizes() == IntArrayRef({2, 2}));
  CHECK(names(nn::state(net)) == std::vector<std::string>{"conv.weight", "conv.bias", "norm.weight", "norm.bias",
                                                          "norm.running_mean", "norm.running_var",
                                                          "norm.num_batches_tracked", "out.weight"});
  CHECK(names(nn::named_parameters(net)) == std::vector<std::string>{"norm.weight", "norm.bias", "out.weight"});
  for (const Tensor& p : nn::parameters(net)) CHECK(p.dtype() == kDouble);
  for (const auto& [name, buffer] : nn::named_buffers(net))
    if (name == "norm.num_batches_tracked") CHECK(buffer.item<std::int64_t>() == 0);  // evaluated
  CHECK_THROWS_AS(nn::parameters(other), ValueError);                                 // a clone of its own
  nn::train(net);
  net(x);
  CHECK(nn::named_buffers(net).back().second.item<std::int64_t>() == 1);
}

TEST_CASE("parameters without a size are an error that names them", "[nn][dynamic]") {
  Net net;
  const std::string expected =
      "the parameter 'conv.weight' of a lazy layer has no size yet: call the module once before its parameters are used";
  CHECK_ERROR(nn::parameters(net), ValueError, expected);
  CHECK_ERROR(nn::state(net), ValueError, expected);
  CHECK_ERROR(nn::named_buffers(net), ValueError, expected);
  CHECK_ERROR(nn::parameters(nn::AnyModule(net)), ValueError, expected);
  CHECK_ERROR(nn::LazyConv2d({.out_channels = 2, .kernel_size = 1})(ops::ones({2, 2})), ValueError,
              "Expected 3D (unbatched) or 4D (batched) input to LazyConv2d, but got input of size: [2, 2]");
  CHECK_ERROR(nn::LazyConv2d({.out_channels = 2, .kernel_size = 1, .groups = 2})(ops::ones({1, 3, 2, 2})), ValueError,
              "in_channels must be divisible by groups");
  CHECK_ERROR(nn::LazyBatchNorm1d{}(ops::ones({2})), ValueError,
              "LazyBatchNorm1d: expected an input of at least 2 dimensions, got shape [2]");
  CHECK(nn::parameters(nn::LazyInstanceNorm1d{.affine = false, .track_running_stats = false}).empty());
}

TEST_CASE("a lazy layer may be a part of any module", "[nn][dynamic]") {
  nn::Sequential net{nn::LazyLinear{3}, nn::ReLU{}, nn::LazyLinear{1}};
  net(ops::ones({2, 5}));
  CHECK(nn::summary(net, ops::ones({2, 5})).parameters == 22);
  nn::AnyModule any(net);
  CHECK(names(nn::named_parameters(any)) == std::vector<std::string>{"0.weight", "0.bias", "2.weight", "2.bias"});
  nn::AnyModule late(nn::LazyLinear{3});
  nn::to(late, kDouble);
  CHECK(late(ops::ones({1, 2}, "dtype"_a = kDouble)).dtype() == kDouble);
}

TEST_CASE("a model of lazy layers has the sizes of its first input", "[nn][dynamic]") {
  nn::Sequential late{nn::LazyConv2d{.out_channels = 8, .kernel_size = 3}, nn::Flatten{}, nn::LazyLinear{10}};
  late(ops::zeros({1, 3, 8, 8}));
  CHECK(nn::parameter_count(late) == 8 * 28 + 10 * (8 * 36 + 1));
}

TEST_CASE("a lazy model takes its sizes from the state that it loads", "[nn][dynamic]") {
  struct Made {
    nn::Conv2d conv{3, 4, 3};
    nn::BatchNorm2d norm{4};
    nn::Linear out{64, 2, false};
    Tensor operator()(const Tensor& x) const { return out(ops::flatten(norm(conv(x)), 1)); }
    TENON_FIELDS(conv, norm, out)
  };
  Made made;
  nn::eval(made);
  Tensor x = ops::randn({2, 3, 6, 6});
  Net net;
  nn::eval(net);
  manual_seed(5);
  Tensor drawn = ops::rand({1});
  manual_seed(5);
  CHECK(nn::load_state(net, nn::state(made)).missing_keys.empty());
  CHECK(ops::equal(ops::rand({1}), drawn));  // nothing was drawn for it
  CHECK(ops::equal(net(x), made(x)));
  nn::AnyModule any = Net();
  nn::eval(any);
  nn::load_state(any, nn::state(made));
  CHECK(ops::equal(any(x), made(x)));

  nn::LazyConvTranspose2d up{.out_channels = 4, .kernel_size = 2, .groups = 2};
  nn::ConvTranspose2d like{.in_channels = 6, .out_channels = 4, .kernel_size = 2, .groups = 2};
  nn::load_state(up, nn::state(like));
  CHECK(nn::to_string(up) == nn::to_string(like));
  nn::LazyConv1d groups{.out_channels = 4, .kernel_size = 2, .groups = 2};
  nn::load_state(groups, nn::state(nn::Conv1d{.in_channels = 6, .out_channels = 4, .kernel_size = 2, .groups = 2}));
  CHECK(groups(ops::ones({1, 6, 3})).sizes() == IntArrayRef({1, 4, 2}));

  nn::LazyLinear late{2};
  CHECK(nn::load_state(late, {{"bias", ops::ones({2})}}, false).missing_keys == std::vector<std::string>{"weight"});
  CHECK_ERROR(nn::load_state(late, {{"bias", ops::ones({2})}}), ValueError,
              "load_state(): expected a tensor named 'weight', got none among 1 tensors: 'bias' [2]");
  CHECK_ERROR(nn::load_state(late, {{"weight", ops::ones({2})}}), ValueError,
              "load_state(): tensor 'weight': shape [2] is none of the lazy layer that it is for");
}
