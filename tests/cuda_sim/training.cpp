// Networks trained on the simulated device beside the CPU.
#include <tenon/nn.hpp>
#include <tenon/optim.hpp>
#include <tenon/tenon.hpp>

#include "device.hpp"
#include "support.hpp"

using namespace tenon;
using namespace tenon::test;

namespace {

struct Network {
  nn::BatchNorm2d norm{1};
  nn::Conv2d conv{1, 3, 3};
  nn::Linear out{12, 4};

  Tensor operator()(const Tensor& x) {
    Tensor y = ops::relu(conv(norm(x)));
    return out(ops::reshape(ops::max_pool2d(y, IntArrayRef({2, 2})), {-1, 12}));
  }

  TENON_FIELDS(norm, conv, out)
};

/// The parameters after three steps.
template <class Optimizer, class Options>
std::vector<Tensor> train(Device device, Options options) {
  manual_seed(4);
  Network net;
  nn::to(net, device);
  Tensor x = ops::sin(ops::arange(5 * 36, "dtype"_a = kFloat)).reshape({5, 1, 6, 6}).to(device, kFloat);
  Tensor y = ops::remainder(ops::arange(5, "dtype"_a = kLong), 4).to(device, kLong);
  Optimizer optimizer(nn::parameters(net), options);
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    ops::cross_entropy_loss(net(x), y).backward();
    optimizer.step();
  }
  std::vector<Tensor> result;
  for (const Tensor& p : nn::parameters(net)) {
    CHECK(p.device() == device);
    result.push_back(p.detach().to(kCPU, kFloat));
  }
  return result;
}
template <class Optimizer, class Options = typename Optimizer::Options>
void check_trains(Options options = {}) {
  std::vector<Tensor> here = train<Optimizer>(kCPU, options), there = train<Optimizer>(kCuda, options);
  REQUIRE(here.size() == 6);
  for (std::size_t i = 0; i < here.size(); ++i) {
    INFO("parameter " << i);
    CHECK(ops::allclose(there[i], here[i], 1e-3, 2e-4));
  }
}

}  // namespace

TEST_CASE("a network trains on the device as on the CPU", "[cuda_sim]") {
  check_trains<optim::SGD>(optim::SGDOptions{.lr = 0.05, .momentum = 0.9, .weight_decay = 0.01, .nesterov = true});
  check_trains<optim::AdamW>(optim::AdamWOptions{.lr = 0.003});
}

TEST_CASE("every optimiser's rule gives the CPU's parameters on the device", "[cuda_sim]") {
  auto check = []<class Optimizer>(std::type_identity<Optimizer>, auto options) {
    auto run = [&](Device device) {
      Tensor p = ops::sin(ops::arange(40, "dtype"_a = kFloat)).to(device, kFloat).requires_grad_();
      Optimizer optimizer({p}, options);
      for (int i = 0; i < 4; ++i) {
        optimizer.zero_grad();
        ops::sum(ops::cos(p * (i + 1.0)) * p).backward();
        optimizer.step();
      }
      return p.detach().to(kCPU, kFloat);
    };
    CHECK(ops::allclose(run(kCuda), run(kCPU), 1e-4, 1e-5));
  };
  check(std::type_identity<optim::Adam>{}, optim::AdamOptions{.lr = 0.1, .amsgrad = true});
  check(std::type_identity<optim::Adagrad>{}, optim::AdagradOptions{.lr = 0.1});
  check(std::type_identity<optim::RMSprop>{}, optim::RMSpropOptions{.lr = 0.1, .momentum = 0.5, .centered = true});
  check(std::type_identity<optim::Adadelta>{}, optim::AdadeltaOptions{.lr = 1.0});
  check(std::type_identity<optim::Adamax>{}, optim::AdamaxOptions{.lr = 0.1});
  check(std::type_identity<optim::NAdam>{}, optim::NAdamOptions{.lr = 0.1});
  check(std::type_identity<optim::RAdam>{}, optim::RAdamOptions{.lr = 0.1});
  check(std::type_identity<optim::ASGD>{}, optim::ASGDOptions{.lr = 0.1});
  check(std::type_identity<optim::Rprop>{}, optim::RpropOptions{.lr = 0.1});
}

TEST_CASE("layers, rules and derivatives make what they need on the device of their tensors", "[cuda_sim]") {
  auto there = [](const Tensor& t) { return t.to(kCuda, t.dtype()); };
  auto on_cpu = [](const Tensor& t) { return t.detach().to(kCPU, t.dtype()); };
  NoGradGuard no_grad;
  // A mask of bool becomes numbers.
  nn::MultiheadAttention attention{4, 2};
  Tensor x = ops::sin(ops::arange(24, "dtype"_a = kFloat)).reshape({3, 2, 4}),
         hides = ops::zeros({2, 3}, "dtype"_a = kBool);
  hides.select(0, 0).select(0, 2).fill_(true);
  Tensor expected = std::get<0>(attention(x, x, x, {.key_padding_mask = hides}));
  nn::to(attention, kCuda);
  Tensor y = there(x);
  CHECK(
      ops::allclose(on_cpu(std::get<0>(attention(y, y, y, {.key_padding_mask = there(hides)}))), expected, 1e-4, 1e-5));
  // Places are drawn where they are used.
  nn::FractionalMaxPool2d pool{.kernel_size = {2, 2}, .output_size = {2, 2}};
  CHECK(pool(there(x.reshape({1, 1, 4, 6}))).device() == kCuda);
  Tensor weight = there(ops::zeros({10, 3}));
  nn::init::sparse_(weight, 0.3);
  CHECK(on_cpu(ops::sum(ops::eq(weight, 0))).item<std::int64_t>() == 9);
  // A view whose elements share memory, and its gradient.
  AutoGradMode recording(true);
  auto through_view = [](const Tensor& t) {
    ops::sum(ops::as_strided(t, {2, 2}, {1, 1}) * ops::as_strided(t, {2, 2}, {1, 1})).backward();
    return t.grad();
  };
  Tensor here = x.reshape({24}).requires_grad_(), far = there(x.reshape({24})).requires_grad_();
  CHECK(ops::equal(on_cpu(through_view(far)), through_view(here)));
  // A rule that keeps flat vectors, of parameters of which one has no gradient.
  auto descend = [&](Device device) {
    Tensor a = ops::ones({3}).to(device).requires_grad_(), b = ops::ones({2}).to(device).requires_grad_();
    optim::LBFGS rule({a, b}, {.lr = 0.5});
    for (int i = 0; i < 3; ++i)
      rule.step([&] {
        rule.zero_grad();
        Tensor loss = ops::sum((a - 3) * (a - 3));
        loss.backward();
        return loss;
      });
    return on_cpu(a);
  };
  CHECK(ops::allclose(descend(kCuda), descend(kCPU), 1e-4, 1e-5));
}

// Dtypes of PyTorch 2.15.
TEST_CASE("operators of the device compute in the dtype of their rule under autocast", "[cuda_sim]") {
  namespace F = nn::functional;
  auto numbers = [](std::initializer_list<std::int64_t> sizes) {
    std::int64_t count = 1;
    for (std::int64_t size : sizes) count *= size;
    return ((ops::remainder(ops::arange(count, "dtype"_a = kFloat), 7) + 1) / 8).reshape(IntArrayRef(sizes));
  };
  const Tensor here = numbers({4, 4}), x = here.to(kCuda, kFloat), h = x.to(kHalf), d = x.to(kDouble);
  AutocastGuard autocast(kCUDA);
  CHECK(ops::mm(x, x).dtype() == kHalf);
  CHECK(ops::allclose(ops::mm(x, x).to(kCPU, kFloat), ops::mm(here, here), 1e-3, 1e-3));
  CHECK(ops::mv(x, x[0]).dtype() == kHalf);
  CHECK(ops::einsum("ij,jk->ik", {x, x}).dtype() == kHalf);
  CHECK(F::linear(x, x, x[0]).dtype() == kHalf);
  CHECK(ops::mm(d, d).dtype() == kDouble);
  CHECK(ops::mm(here, here).dtype() == kFloat);

  CHECK(ops::exp(h).dtype() == kFloat);
  CHECK(ops::pow(h, 2).dtype() == kFloat);
  CHECK(ops::layer_norm(h, {4}).dtype() == kFloat);
  CHECK(F::mse_loss(h, h).dtype() == kFloat);
  CHECK(ops::norm(h).dtype() == kFloat);

  CHECK(ops::sum(h).dtype() == kFloat);
  CHECK(ops::sum(h, {0}).dtype() == kFloat);
  CHECK(ops::sum(h, "dtype"_a = kDouble).dtype() == kDouble);
  CHECK(ops::sum(h.to(kLong)).dtype() == kLong);
  CHECK(ops::softmax(h, 0).dtype() == kFloat);
  CHECK(ops::cumsum(h, 0).dtype() == kFloat);
  CHECK(ops::prod(d).dtype() == kDouble);

  CHECK(ops::dot(h[0], h[1]).dtype() == kHalf);
  CHECK(ops::dot(h[0], x[1]).dtype() == kFloat);
  CHECK(ops::addcmul(h, h, x).dtype() == kFloat);
  CHECK(ops::atan2(h, x.to(kBFloat16)).dtype() == kFloat);

  CHECK(ops::relu(h).dtype() == kHalf);
  CHECK(ops::add(h, x).dtype() == kFloat);
  CHECK(ops::cat({h, x}).dtype() == kFloat);
  CHECK(ops::mean(h).dtype() == kHalf);

  // What has no rule and is made of what has one.
  const Tensor picture = numbers({2, 3, 8, 8}).to(kCuda, kHalf), filter = numbers({3, 3, 3, 3}).to(kCuda, kFloat);
  const Tensor classes = ops::remainder(ops::arange(4), 3).to(kCuda, kLong);
  CHECK(F::cross_entropy(h, classes).dtype() == kFloat);
  CHECK(ops::conv2d(picture, filter, "padding"_a = "same").dtype() == kHalf);
  CHECK(F::interpolate(picture, {.scale_factor = std::vector{2.0, 2.0}, .mode = "bilinear"}).dtype() == kFloat);
  CHECK(ops::nll_loss_nd(h, classes).dtype() == kFloat);
  CHECK(ops::special_log_softmax(h, 0).dtype() == kFloat);
  CHECK(ops::special_expm1(h).dtype() == kFloat);
  CHECK(ops::linalg_norm(h).dtype() == kFloat);
  CHECK(ops::pairwise_distance(h, h).dtype() == kFloat);
  CHECK(ops::outer(x[0], x[0]).dtype() == kFloat);
  CHECK(ops::inner(x, x).dtype() == kFloat);
  CHECK(F::normalize(h).dtype() == kFloat);
  CHECK(F::softmin(h, 0).dtype() == kFloat);
  CHECK(F::triplet_margin_loss(h, h, h).dtype() == kFloat);
  CHECK_THROWS_WITH(ops::binary_cross_entropy(x, x),
                    Catch::Matchers::StartsWith("aten::binary_cross_entropy: unsafe under autocast on cuda; call "
                                                "binary_cross_entropy_with_logits, or nn::BCEWithLogitsLoss, with what "
                                                "went into the sigmoid"));
  AutocastGuard wide(kCUDA, {.dtype = kBFloat16});
  CHECK(ops::mm(x, x).dtype() == kBFloat16);
  AutocastGuard off(kCUDA, {.enabled = false});
  CHECK(ops::mm(x, x).dtype() == kFloat);
  CHECK(ops::exp(h).dtype() == kHalf);
}

TEST_CASE("a network trains under autocast on the device, its parameters in float32", "[cuda_sim]") {
  auto loss_of = [](bool lower, std::vector<Tensor>& gradients) {
    manual_seed(4);
    Network net;
    nn::to(net, kCuda);
    Tensor x = ops::sin(ops::arange(5 * 36, "dtype"_a = kFloat)).reshape({5, 1, 6, 6}).to(kCuda, kFloat);
    Tensor y = ops::remainder(ops::arange(5, "dtype"_a = kLong), 4).to(kCuda, kLong);
    Tensor loss;
    {
      AutocastGuard autocast(kCUDA, {.enabled = lower});
      Tensor out = net(x);
      CHECK(out.dtype() == (lower ? kHalf : kFloat));
      loss = ops::cross_entropy_loss(out, y);
    }
    CHECK(loss.dtype() == kFloat);
    loss.backward();
    for (const Tensor& p : nn::parameters(net)) gradients.push_back(p.grad().to(kCPU, p.grad().dtype()));
    return loss.item<double>();
  };
  std::vector<Tensor> plain, cast;
  const double expected = loss_of(false, plain), got = loss_of(true, cast);
  CHECK(got != expected);
  CHECK(got == Approx(expected).epsilon(0.01));
  REQUIRE(cast.size() == plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    CHECK(cast[i].dtype() == kFloat);
    CHECK(ops::allclose(cast[i], plain[i], 0.05, 0.01));
  }
}
