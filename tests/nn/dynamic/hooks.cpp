// Functions around a module's backward pass.
#include <tenon/autograd/graph/hooks.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/nn/dynamic/any_module.hpp>

#include "../support.hpp"

using namespace test;

namespace {

using Numbers = std::vector<double>;
using Tensors = std::vector<Tensor>;

struct TwoByTwo {
  Tensor w = tensor({2.0, 3.0}).requires_grad_();
  std::tuple<Tensor, Tensor> operator()(const Tensor& a, const Tensor& b) const { return {a * w + b, a * b}; }
  TENON_FIELDS(w)
};

/// The numbers of each, none for one that is undefined.
std::vector<Numbers> numbers(const Tensors& tensors) {
  std::vector<Numbers> out;
  for (const Tensor& t : tensors) out.push_back(t.defined() ? values(t) : Numbers());
  return out;
}

/// A backward pass through both outputs or one, once the first weighs 1 and the second 2.
struct Pass {
  nn::Hooked<TwoByTwo> module = TwoByTwo{};
  std::vector<Numbers> before, grad_input, grad_output;
  Tensor a = tensor({1.0, 1.0}), b = tensor({4.0, 5.0});

  Pass(bool a_requires_grad, bool b_requires_grad) {
    a.set_requires_grad(a_requires_grad);
    b.set_requires_grad(b_requires_grad);
    module.register_full_backward_pre_hook([this](const Tensors& go) { before = numbers(go); });
    module.register_full_backward_hook([this](const Tensors& gi, const Tensors& go) {
      grad_input = numbers(gi);
      grad_output = numbers(go);
    });
  }
  void run(bool first, bool second) {
    auto [x, y] = module(a, b);
    Tensor loss = ops::zeros({});
    if (first) loss = loss + x.sum();
    if (second) loss = loss + (y * 2).sum();
    loss.backward();
  }
  Numbers grad_of(const Tensor& t) { return t.grad().defined() ? values(t.grad()) : Numbers(); }
};

struct Warnings {
  std::vector<std::string> heard;
  WarningGuard guard{
      [](const std::string& message, void* self) { static_cast<Warnings*>(self)->heard.emplace_back(message); }, this};
};

}  // namespace

// Values of PyTorch 2.15.
TEST_CASE("backward hooks see the gradients of inputs and outputs", "[nn][dynamic][hooks]") {
  using Lists = std::vector<Numbers>;
  Pass both(true, true);
  both.run(true, true);
  CHECK(both.before == Lists{{1, 1}, {2, 2}});
  CHECK(both.grad_output == both.before);
  CHECK(both.grad_input == Lists{{10, 13}, {3, 3}});
  CHECK(both.grad_of(both.a) == Numbers{10, 13});
  CHECK(both.grad_of(both.b) == Numbers{3, 3});
  CHECK(both.grad_of(both.module->w) == Numbers{1, 1});

  Pass first(true, false);
  first.run(true, false);
  CHECK(first.grad_output == Lists{{1, 1}, {}});
  CHECK(first.grad_input == Lists{{2, 3}, {0, 0}});
  CHECK(first.grad_of(first.b).empty());

  Pass second(false, true);
  second.run(false, true);
  CHECK(second.grad_output == Lists{{}, {2, 2}});
  CHECK(second.grad_input == Lists{{0, 0}, {2, 2}});
  CHECK(second.grad_of(second.module->w).empty());
}

TEST_CASE("what backward hooks return replaces gradients", "[nn][dynamic][hooks]") {
  Pass input(true, true);
  input.module.register_full_backward_hook([](const Tensors& gi, const Tensors&) { return Tensors{gi[0] * 10, {}}; });
  input.run(true, true);
  CHECK(input.grad_of(input.a) == Numbers{100, 130});
  CHECK(input.grad_of(input.b).empty());

  Pass output(true, true);
  output.module.register_full_backward_pre_hook([](const Tensors& go) { return Tensors{go[0] * 10, go[1]}; });
  output.run(true, true);
  CHECK(output.before == std::vector<Numbers>{{1, 1}, {2, 2}});
  CHECK(output.grad_output == std::vector<Numbers>{{10, 10}, {2, 2}});
  CHECK(output.grad_input == std::vector<Numbers>{{28, 40}, {12, 12}});
  CHECK(output.grad_of(output.module->w) == Numbers{10, 10});

  Pass few(true, true);
  few.module.register_full_backward_hook([](const Tensors& gi, const Tensors&) { return Tensors{gi[0]}; });
  CHECK_ERROR_CONTAINS(few.run(true, true), AutogradError,
                       "Backward hook returned an invalid number of grad_input, got 1, but expected 2");
  Pass fewer(true, true);
  fewer.module.register_full_backward_pre_hook([](const Tensors& go) { return Tensors{go[0]}; });
  CHECK_ERROR_CONTAINS(fewer.run(true, true), AutogradError,
                       "Backward pre hook returned an invalid number of grad_output, got 1, but expected 2");
}

TEST_CASE("a backward hook whose inputs require no grad is called at the outputs", "[nn][dynamic][hooks]") {
  Warnings warnings;
  Pass none(false, false);
  none.run(true, false);
  CHECK(none.grad_output == std::vector<Numbers>{{1, 1}, {}});
  CHECK(none.grad_input == std::vector<Numbers>{{}, {}});
  CHECK(none.grad_of(none.module->w) == Numbers{1, 1});
  REQUIRE(warnings.heard.size() == 1);
  CHECK(warnings.heard[0] ==
        "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs "
        "require gradients.");
  Pass given(false, false);
  given.module.register_full_backward_hook([](const Tensors&, const Tensors& go) { return go; });
  CHECK_ERROR_CONTAINS(given.run(true, false), AutogradError,
                       "Backward hook for Modules where no input requires gradient should always return None or None "
                       "for all gradients.");
}

TEST_CASE("backward hooks run in their order, as long as they are there when the module is called",
          "[nn][dynamic][hooks]") {
  nn::Linear layer{2, 1, false};
  nn::init::ones_(layer.weight);
  nn::AnyModule any = layer;
  std::int64_t twice =
      any.register_full_backward_hook([](const Tensors& gi, const Tensors&) { return Tensors{gi[0] * 2}; });
  any.register_full_backward_hook([](const Tensors& gi, const Tensors&) { return Tensors{gi[0] + 1}; });
  auto run = [&](auto between) {
    Tensor x = ops::ones({1, 2}).requires_grad_(), y = any(x);
    between();
    y.sum().backward();
    return values(x.grad());
  };
  CHECK(run([] {}) == Numbers{3, 3});
  CHECK(run([&] { CHECK(any.remove_hook(twice)); }) == Numbers{3, 3});
  CHECK(run([] {}) == Numbers{2, 2});
  NoGradGuard no_grad;
  CHECK_FALSE(any(ops::ones({1, 2}).requires_grad_()).requires_grad());
}

TEST_CASE("gradients of gradients do not call backward hooks again", "[nn][dynamic][hooks]") {
  nn::Hooked<nn::Tanh> layer = nn::Tanh{};
  int calls = 0;
  layer.register_full_backward_hook([&](const Tensors&, const Tensors&) { ++calls; });
  Tensor x = ops::ones({2}).requires_grad_();
  Tensor g = autograd::grad({layer(x).sum()}, {x}, {}, std::nullopt, true)[0];
  g.sum().backward();
  CHECK(calls == 1);
  double t = std::tanh(1.0);
  CHECK(values(x.grad())[0] == Approx(-2 * t * (1 - t * t)));
  Tensor y = layer(ops::ones({2}).requires_grad_()).sum();
  y.backward({}, true);
  y.backward();
  CHECK(calls == 3);
}

TEST_CASE("where a network looks is seen by hooks at its last convolution", "[nn][dynamic][hooks]") {
  // Grad-CAM (Selvaraju et al., 2017): channels weighed by the mean of their gradients. Values of PyTorch 2.15.
  nn::Hooked<nn::Conv2d> conv = nn::Conv2d{.in_channels = 1, .out_channels = 2, .kernel_size = 3, .padding = 1};
  nn::Linear head{2, 2, false};
  {
    NoGradGuard no_grad;
    conv->weight.copy_(ops::arange(18).view({2, 1, 3, 3}) / 8.0 - 1);
    conv->bias.copy_(tensor({0.5, -0.5}));
    head.weight.copy_(tensor({1.0, -2.0, 3.0, 0.5}).view({2, 2}));
  }
  Tensor seen, grad;
  conv.register_forward_hook([&](const Tensors&, Tensors& out) { seen = out[0].detach(); });
  conv.register_full_backward_hook([&](const Tensors&, const Tensors& grad_output) { grad = grad_output[0]; });
  Warnings input_requires_no_grad;
  Tensor x = (ops::arange(9).view({1, 1, 3, 3}) - 3) / 4.0;
  Tensor score = head(conv(x).relu().mean({2, 3}))[0][1];
  score.backward();
  Tensor cam = (seen * grad.mean({2, 3}, true)).sum(1).relu();
  CHECK(score.item<double>() == Approx(2.571180820465088));
  const Numbers expected{0.19675926864147186,
                         0.2638888955116272,
                         0.1736111044883728,
                         0.34259259700775146,
                         0.38078704476356506,
                         0.16203704476356506,
                         0,
                         0,
                         0};
  REQUIRE(values(cam).size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(values(cam)[i] == Approx(expected[i]));
}

TEST_CASE("a hook may come before those that there are", "[nn][dynamic]") {
  std::string order;
  nn::Hooked<TwoByTwo> module = TwoByTwo{};
  module.register_forward_pre_hook([&](Tensors&) { order += "a"; });
  module.register_forward_pre_hook([&](Tensors&) { order += "b"; }, {.prepend = true});
  module.register_forward_hook([&](const Tensors&, Tensors&) { order += "c"; });
  auto first = module.register_forward_hook([&](const Tensors&, Tensors&) { order += "d"; }, {.prepend = true});
  module.register_full_backward_pre_hook([&](const Tensors&) { order += "e"; });
  module.register_full_backward_pre_hook([&](const Tensors&) { order += "f"; }, {.prepend = true});
  module.register_full_backward_hook([&](const Tensors&, const Tensors&) { order += "g"; });
  module.register_full_backward_hook([&](const Tensors&, const Tensors&) { order += "h"; }, {.prepend = true});
  Tensor a = tensor({1.0, 1.0}).requires_grad_(), b = tensor({4.0, 5.0});
  std::get<0>(module(a, b)).sum().backward();
  CHECK(order == "badcfehg");
  CHECK(module.remove_hook(first));
  order.clear();
  module(a, b);
  CHECK(order == "bac");
}

TEST_CASE("hooks see arguments and results that are no tensors", "[nn][dynamic][hooks]") {
  using State = nn::LSTM::State;
  nn::Hooked<nn::LSTM> lstm = nn::LSTM{2, 3};
  Tensor x = ops::ones({4, 1, 2}), h = ops::ones({1, 1, 3}), c = ops::zeros({1, 1, 3});
  std::size_t arguments = 0, inputs = 0, outputs = 0;
  auto see = lstm.register_forward_hook([&](nn::ModuleCall& call) {
    CHECK(call.module<nn::LSTM>() == lstm.get());
    CHECK(call.module<nn::GRU>() == nullptr);
    CHECK(call.argument<Tensor>(1) == nullptr);
    CHECK(call.argument<Tensor>(7) == nullptr);
    arguments = call.size();
    inputs = call.inputs().size();
    outputs = call.outputs().size();
  });
  lstm(x);
  CHECK((arguments == 1 && inputs == 1 && outputs == 3));
  lstm(x, State{h, c});
  CHECK((arguments == 2 && inputs == 3 && outputs == 3));
  CHECK(lstm.remove_hook(see));

  // A state that a hook puts in place of the caller's.
  auto zero = lstm.register_forward_pre_hook([](nn::ModuleCall& call) {
    if (auto* state = call.argument<State>(1)) *state = State{};
  });
  CHECK(values(std::get<0>(lstm(x, State{h, c}))) == values(std::get<0>((*lstm)(x))));
  CHECK(lstm.remove_hook(zero));
  auto twice = lstm.register_forward_pre_hook([](Tensors& in) { in.at(1) = in.at(1) * 2; });
  CHECK(values(std::get<0>(lstm(x, State{h, c}))) == values(std::get<0>((*lstm)(x, State{h * 2, c}))));
  CHECK(lstm.remove_hook(twice));
  lstm.register_forward_hook([](nn::ModuleCall& call) {
    if (auto* result = call.result<std::tuple<nn::PackedSequence, State>>()) std::get<0>(*result).data.zero_();
  });
  auto packed = nn::pack_padded_sequence(x, {4});
  CHECK(values(std::get<0>(lstm(packed)).data) == Numbers(12, 0.0));

  nn::Hooked<nn::MultiheadAttention> attention = nn::MultiheadAttention{4, 2};
  attention.register_forward_pre_hook([](nn::ModuleCall& call) {
    if (auto* options = call.argument<nn::MultiheadAttentionOptions>(3)) options->need_weights = false;
  });
  Tensor q = ops::ones({3, 1, 4});
  CHECK(std::get<1>(attention(q, q, q)).defined());
  CHECK_FALSE(std::get<1>(attention(q, q, q, nn::MultiheadAttentionOptions{})).defined());

  nn::Hooked<nn::MaxUnpool1d> unpool = nn::MaxUnpool1d{2};
  unpool.register_forward_pre_hook([](nn::ModuleCall& call) {
    CHECK(call.argument<IntArrayRef>(2)->size() == 1);
    *call.argument<Tensor>(0) = *call.argument<Tensor>(0) * 3;
  });
  Tensor pooled = tensor({1.0, 2.0}).view({1, 1, 2}), at = tensor({1, 3}).view({1, 1, 2});
  CHECK(values(unpool(pooled, at, IntArrayRef({5}))) == Numbers{0, 3, 0, 6, 0});
  nn::Hooked<nn::ConvTranspose1d> up =
      nn::ConvTranspose1d{.in_channels = 1, .out_channels = 1, .kernel_size = 3, .stride = 2};
  int calls = 0;
  up.register_forward_hook([&](const Tensors& in, Tensors& out) {
    ++calls;
    CHECK((in.size() == 1 && out.size() == 1));
  });
  CHECK(up(ops::ones({1, 1, 2}), IntArrayRef({6})).size(2) == 6);
  CHECK(calls == 1);
}

TEST_CASE("a backward hook has the gradients of tensors inside of arguments", "[nn][dynamic][hooks]") {
  nn::Hooked<nn::GRUCell> cell = nn::GRUCell{2, 3};
  nn::Hooked<nn::LSTMCell> pair = nn::LSTMCell{2, 3};
  std::vector<Numbers> seen;
  auto see = [&](const Tensors& grad_input, const Tensors&) { seen = numbers(grad_input); };
  cell.register_full_backward_hook(see);
  pair.register_full_backward_hook(see);
  Tensor x = ops::ones({1, 2}).requires_grad_(), h = ops::ones({1, 3}).requires_grad_(), c = ops::ones({1, 3});
  cell(x, h).sum().backward();
  CHECK(seen == std::vector<Numbers>{values(x.grad()), values(h.grad())});
  for (const Tensor& t : {x, h}) nn::clear_grad(t);
  std::get<0>(pair(x, std::tuple<Tensor, Tensor>(h, c))).sum().backward();
  REQUIRE(seen.size() == 3);
  CHECK(seen[0] == values(x.grad()));
  CHECK(seen[1] == values(h.grad()));
}

TEST_CASE("a hook leaves the number of tensors", "[nn][dynamic][hooks]") {
  nn::Hooked<nn::Tanh> layer = nn::Tanh{};
  auto number = layer.register_forward_pre_hook([](Tensors& in) { in.clear(); });
  CHECK_ERROR_CONTAINS(layer(ops::ones({2})), ValueError, "expected 1 tensors as inputs, got 0");
  CHECK(layer.remove_hook(number));
  layer.register_forward_hook([](const Tensors& in, Tensors& out) { out.push_back(in[0]); });
  CHECK_ERROR_CONTAINS(layer(ops::ones({2})), ValueError, "expected 1 tensors as outputs, got 2");
}
