// Autocast: what is cast, what is kept, whose scope it is. Numbers and dtypes are those of PyTorch 2.15.
#include <tenon/transform/autocast.hpp>

#include <thread>

#include <tenon/autograd/graph/checkpoint.hpp>
#include <tenon/func.hpp>

#include "support.hpp"

using namespace test;

namespace {

namespace F = nn::functional;

/// Numbers between -3/8 and 3/8, which both 16-bit dtypes have.
Tensor numbers(const Ints& sizes) {
  std::int64_t count = 1;
  for (std::int64_t size : sizes) count *= size;
  return ((arange(count, "dtype"_a = kFloat).remainder(7) - 3) / 8).reshape(sizes);
}
/// How often an operator is called.
struct Calls final : CallObserver {
  explicit Calls(std::string_view name) : name_(name) {}
  int count = 0;

  bool observes(const OperatorHandle& op) const override { return op.name() == name_; }
  void begin(const ObservedCall&) override { ++count; }
  void end(const ObservedCall&) noexcept override {}

 private:
  std::string_view name_;
};

TENON_LIBRARY(_cast, m) {
  m.def("double_of(Tensor x) -> Tensor", [](const Tensor& x) { return x + x; });
  m.def("mm_of(Tensor x) -> Tensor", [](const Tensor& x) { return mm(x, x); });
}
Tensor call(const char* name, const Tensor& x) {
  Stack stack{x};
  Registry::get().find_schema_or_throw(name, "").call_boxed(stack);
  return stack[0].to_tensor();
}

}  // namespace

TEST_CASE("operators compute in the dtype of their rule", "[transform][autocast]") {
  const Tensor x = numbers({4, 4}), b = x.to(kBFloat16), h = x.to(kHalf), d = x.to(kDouble);
  const Tensor places = tensor({0, 1, 2, 3});
  CHECK(mm(x, x).dtype() == kFloat);
  AutocastGuard autocast(kCPU, {.dtype = kBFloat16});
  CHECK(mm(x, x).dtype() == kBFloat16);
  CHECK(mm(h, b).dtype() == kBFloat16);
  CHECK(mm(d, d).dtype() == kDouble);
  CHECK_THROWS_AS(mm(d, x), Error);
  CHECK(matmul(x, x[0]).dtype() == kBFloat16);
  CHECK(bmm(numbers({2, 3, 3}), numbers({2, 3, 3})).dtype() == kBFloat16);
  CHECK(addmm(x, x, x).dtype() == kBFloat16);
  CHECK(einsum("ij,jk->ik", {x, x}).dtype() == kBFloat16);
  CHECK(F::linear(x, x, x[0]).dtype() == kBFloat16);
  CHECK(F::conv1d(numbers({1, 1, 5}), numbers({1, 1, 3})).dtype() == kBFloat16);
  CHECK(scaled_dot_product_attention(numbers({1, 2, 4}), numbers({1, 2, 4}), numbers({1, 2, 4})).dtype() == kBFloat16);
  CHECK(linalg_vecdot(x, x).dtype() == kBFloat16);

  CHECK(F::mse_loss(b, b).dtype() == kFloat);
  CHECK(F::cross_entropy(b, places).dtype() == kFloat);
  CHECK(prod(b).dtype() == kFloat);
  CHECK(trace(b).dtype() == kFloat);
  CHECK(std::get<0>(linalg_inv_ex(add(b, mul(eye(4, "dtype"_a = kBFloat16), 2)))).dtype() == kFloat);
  CHECK(fft_rfft(h).dtype() == kComplexFloat);

  CHECK(cat({b, b}).dtype() == kBFloat16);
  CHECK(cat({b, x}).dtype() == kFloat);
  CHECK(stack({x, b}).dtype() == kFloat);
  CHECK(cat({d, b}).dtype() == kDouble);
  CHECK(index_copy(b, 0, tensor({0}), numbers({1, 4})).dtype() == kFloat);

  // Without a rule, what is given.
  CHECK(softmax(b, 0).dtype() == kBFloat16);
  CHECK(add(b, x).dtype() == kFloat);
  CHECK(mv(x, x[0]).dtype() == kFloat);
  CHECK(F::layer_norm(b, {4}, x[0], x[0]).dtype() == kBFloat16);
  CHECK(F::batch_norm(b, zeros({4}), ones({4}), x[0], x[0]).dtype() == kBFloat16);
  Tensor sum = numbers({4, 4});
  CHECK(sum.addmm_(x, x).dtype() == kFloat);
}

TEST_CASE("float16 is a dtype of autocast, and other 16-bit arguments are promoted", "[transform][autocast]") {
  const Tensor x = numbers({4, 4}), h = x.to(kHalf), b = x.to(kBFloat16);
  AutocastGuard autocast(kCPU, {.dtype = kHalf});
  CHECK(get_autocast_dtype(kCPU) == kHalf);
  CHECK(mm(x, b).dtype() == kHalf);
  CHECK(cat({h, h}).dtype() == kHalf);
  CHECK(cat({h, b}).dtype() == kFloat);
}

TEST_CASE("a network under autocast has the gradients of PyTorch, in float32", "[transform][autocast]") {
  Tensor w1 = numbers({5, 4}).requires_grad_(), b1 = numbers({5}).requires_grad_();
  Tensor w2 = (numbers({3, 5}) * 1.37).detach().requires_grad_();
  const Tensor x = numbers({2, 4}) * 1.1;
  Tensor loss;
  {
    AutocastGuard autocast(kCPU);
    Tensor hidden = F::linear(x, w1, b1).relu(), y = F::linear(hidden, w2);
    CHECK(hidden.dtype() == kBFloat16);
    CHECK(values(y) ==
          Numbers{0.0250244140625, -0.03369140625, -0.07763671875, -0.0400390625, 0.0361328125, 0.040283203125});
    loss = F::cross_entropy(y, tensor({2, 0}));
  }
  CHECK(loss.item<double>() == Approx(1.1499100923538208).epsilon(1e-6));
  loss.backward();
  CHECK(w1.grad().dtype() == kFloat);
  CHECK(values(b1.grad()) == Numbers{0.0, 0.234375, -0.232421875, 0.0296630859375, 0.001953125});
  CHECK(values(w1.grad())[4] == 0.0322265625);
  CHECK(values(w1.grad())[19] == 0.072265625);
  CHECK(values(w2.grad()) == Numbers{0.0, -0.0498046875, 0.0021820068359375, -0.0294189453125, 0.0087890625, 0.0,
                                     0.02490234375, 0.0020599365234375, 0.01470947265625, 0.0361328125, 0.0,
                                     0.02490234375, -0.004241943359375, 0.01470947265625, -0.044921875});
}

TEST_CASE("a training step under autocast has a loss of float32", "[transform][autocast]") {
  nn::Sequential net{nn::Linear{4, 8}, nn::ReLU{}, nn::Linear{8, 3}};
  const Tensor x = numbers({2, 4}), labels = tensor({2, 0});
  Tensor loss;
  {
    AutocastGuard autocast(kCPU, {.dtype = kBFloat16});
    loss = F::cross_entropy(net(x), labels);
  }
  loss.backward();
  CHECK(loss.dtype() == kFloat);
  for (const Tensor& p : nn::parameters(net)) CHECK(p.grad().dtype() == kFloat);
}

TEST_CASE("a leaf that requires grad is cast once in the outermost scope", "[transform][autocast]") {
  Tensor w = numbers({4, 4}).clone().requires_grad_();  // a view is cast each time
  const Tensor x = numbers({4, 4}).to(kBFloat16);
  auto casts = [&](auto f) {
    Calls calls("aten::_to_copy");
    CallObserverGuard guard(calls);
    f();
    return calls.count;
  };
  CHECK(is_autocast_cache_enabled());
  AutocastGuard autocast(kCPU);
  Tensor first;
  CHECK(casts([&] { first = mm(x, w); }) == 1);
  CHECK(casts([&] { first = first + mm(x, w); }) == 0);
  CHECK(casts([&] {
          AutocastGuard again(kCPU);
          mm(x, w);
        }) == 0);
  SECTION("as long as it is not written") {
    {
      NoGradGuard no_grad;
      w.zero_();
    }
    CHECK(mm(x, w).abs().max().item<float>() == 0);
  }
  SECTION("and anew for another dtype") {
    AutocastGuard half(kCPU, {.dtype = kHalf});
    CHECK(mm(x, w).dtype() == kHalf);
  }
  SECTION("and anew after clear_autocast_cache()") {
    clear_autocast_cache();
    CHECK(casts([&] { mm(x, w); }) == 1);
  }
  SECTION("unless the scope keeps none") {
    AutocastGuard none(kCPU, {.cache_enabled = false});
    CHECK_FALSE(is_autocast_cache_enabled());
    CHECK(casts([&] { mm(x, w); }) == 1);
  }
  SECTION("and gets the gradients of all uses") {
    first.sum().backward();
    CHECK(values(w.grad())[0] == 2 * values(x.to(kFloat).sum(0))[0]);
  }
}

TEST_CASE("a cast that was made with grad mode off serves nobody who records", "[transform][autocast]") {
  Tensor w = numbers({2, 2}).requires_grad_();
  const Tensor x = numbers({2, 2});
  AutocastGuard autocast(kCPU);
  {
    NoGradGuard no_grad;
    CHECK_FALSE(mm(x, w).requires_grad());
  }
  CHECK(mm(x, w).requires_grad());
  {
    InferenceMode inference;
    CHECK(mm(x, w).dtype() == kBFloat16);
  }
  mm(x, w).sum().backward();
  CHECK(w.grad().dtype() == kFloat);
}

TEST_CASE("scopes nest, and leave what they found", "[transform][autocast]") {
  const Tensor x = numbers({2, 2});
  CHECK_FALSE(is_autocast_enabled(kCPU));
  CHECK(get_autocast_dtype(kCPU) == kBFloat16);
  {
    AutocastGuard outer(kCPU, {.dtype = kHalf});
    CHECK(is_autocast_enabled(kCPU));
    {
      AutocastGuard off(kCPU, {.enabled = false});
      CHECK_FALSE(is_autocast_enabled(kCPU));
      CHECK(mm(x, x).dtype() == kFloat);
      AutocastGuard inner(kCPU, {.dtype = kBFloat16});
      CHECK(mm(x, x).dtype() == kBFloat16);
    }
    CHECK(mm(x, x).dtype() == kHalf);
    std::thread([&] { CHECK_FALSE(is_autocast_enabled(kCPU)); }).join();
    CHECK_THROWS_AS(AutocastGuard(kCPU, {.dtype = kFloat}), ValueError);
    CHECK(get_autocast_dtype(kCPU) == kHalf);
  }
  CHECK_FALSE(is_autocast_enabled(kCPU));
  CHECK(get_autocast_dtype(kCPU) == kBFloat16);
  CHECK(mm(x, x).dtype() == kFloat);
}

TEST_CASE("each kind of device has its own autocast", "[transform][autocast]") {
  const Tensor x = numbers({2, 2});
  CHECK(get_autocast_dtype(kCUDA) == kHalf);
  {
    AutocastGuard cuda(kCUDA, {.dtype = kBFloat16});
    CHECK(is_autocast_enabled(kCUDA));
    CHECK_FALSE(is_autocast_enabled(kCPU));
    CHECK(get_autocast_dtype(kCUDA) == kBFloat16);
    CHECK(mm(x, x).dtype() == kFloat);
    AutocastGuard cpu(kCPU, {.dtype = kHalf});
    CHECK(mm(x, x).dtype() == kHalf);
    CHECK(get_autocast_dtype(kCUDA) == kBFloat16);
  }
  CHECK_FALSE(is_autocast_enabled(kCUDA));
  CHECK(get_autocast_dtype(kCUDA) == kHalf);
}

TEST_CASE("an operator of one's own gets a rule", "[transform][autocast]") {
  const Tensor x = numbers({2, 2}), b = x.to(kBFloat16);
  AutocastGuard autocast(kCPU);
  CHECK(call("_cast::double_of", x).dtype() == kFloat);
  CHECK(call("_cast::mm_of", x).dtype() == kBFloat16);  // its parts have rules
  {
    Registration rule = register_autocast("_cast::double_of", kCPU, AutocastRule::LowerPrecision);
    CHECK(call("_cast::double_of", x).dtype() == kBFloat16);
  }
  CHECK(call("_cast::double_of", x).dtype() == kFloat);
  Registration first = register_autocast("_cast::double_of", kCPU, kHalf);
  Registration second = register_autocast("_cast::mm_of", kCPU, AutocastRule::Float32);
  CHECK(call("_cast::double_of", x).dtype() == kHalf);
  CHECK(call("_cast::mm_of", b).dtype() == kFloat);  // off inside
}

TEST_CASE("checkpoint() runs again under the autocast of the first run", "[transform][autocast]") {
  Tensor w = numbers({3, 3}).requires_grad_();
  auto f = [](const Tensor& t) { return mm(mm(t, t).tanh(), t); };
  Tensor loss;
  {
    AutocastGuard autocast(kCPU, {.dtype = kHalf});
    loss = autograd::checkpoint(f, w).sum();
  }
  CHECK(loss.dtype() == kHalf);
  loss.backward();
  CHECK_FALSE(is_autocast_enabled(kCPU));
  Tensor again = numbers({3, 3}).requires_grad_();
  {
    AutocastGuard autocast(kCPU, {.dtype = kHalf});
    loss = f(again).sum();
  }
  loss.backward();
  CHECK(values(w.grad()) == values(again.grad()));
}

TEST_CASE("transforms of functions see the casts", "[transform][autocast]") {
  const Tensor x = numbers({3, 3}), w = numbers({3, 3}).requires_grad_();
  AutocastGuard autocast(kCPU);
  Tensor g = func::grad([&](const Tensor& t) { return mm(t, w).to(kFloat).sum(); })(x);
  CHECK(g.dtype() == kFloat);
  CHECK(values(g) == values(w.detach().sum(1).expand({3, 3})));
  CHECK(func::vmap([&](const Tensor& row) { return matmul(row, w); })(x).dtype() == kBFloat16);
  CHECK(mm(x, w).requires_grad());
}

TEST_CASE("each rule is that of an operator that exists", "[transform][autocast]") {
  AutocastGuard autocast(kCPU), cuda(kCUDA);
  for (const OperatorHandle& op : Registry::get().find_dangling_impls()) CHECK_FALSE(op.name().starts_with("aten::"));
}

TEMPLATE_TEST_CASE("layers of all kinds train under autocast, nearly as without it", "[transform][autocast]",
                   nn::Linear, nn::BatchNorm1d, nn::LayerNorm, nn::LSTM, nn::GRU, nn::MultiheadAttention,
                   nn::TransformerEncoderLayer) {
  manual_seed(3);
  TestType layer = [] {
    if constexpr (std::is_same_v<TestType, nn::TransformerEncoderLayer>)
      return TestType{.d_model = 8, .nhead = 2, .dim_feedforward = 16, .dropout = 0};
    else if constexpr (std::is_same_v<TestType, nn::MultiheadAttention>)
      return TestType{8, 2};
    else if constexpr (std::is_same_v<TestType, nn::BatchNorm1d>)
      return TestType{8};
    else if constexpr (std::is_same_v<TestType, nn::LayerNorm>)
      return TestType{{8}};
    else
      return TestType{8, 8};
  }();
  const nn::Linear first{8, 8};
  const Tensor x = randn({3, 8, 8});
  auto gradients = [&] {
    for (const Tensor& p : nn::parameters(layer)) nn::clear_grad(p, true);
    const Tensor in = first(x);
    Tensor out;
    if constexpr (std::is_same_v<TestType, nn::MultiheadAttention>)
      out = std::get<0>(layer(in, in, in));
    else if constexpr (std::is_same_v<TestType, nn::LSTM> || std::is_same_v<TestType, nn::GRU>)
      out = std::get<0>(layer(in));
    else
      out = layer(in);
    F::mse_loss(out, x).backward();
    std::vector<Tensor> grads;
    for (const Tensor& p : nn::parameters(layer)) grads.push_back(p.grad().detach());
    return grads;
  };
  const std::vector<Tensor> plain = gradients();
  AutocastGuard autocast(kCPU);
  const std::vector<Tensor> cast = gradients();
  double apart = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    REQUIRE(cast[i].dtype() == kFloat);
    apart = std::max(apart, (cast[i] - plain[i]).abs().max().template item<double>());
    CHECK((cast[i] - plain[i]).norm().template item<double>() <= 0.05 * plain[i].norm().template item<double>() + 1e-3);
  }
  CHECK(apart > 0);
}

TEST_CASE("autocast says what it does not take", "[transform][autocast]") {
  CHECK_THROWS_WITH(AutocastGuard(kMeta), "AutocastGuard: argument 'device': expected cpu or cuda, got meta");
  CHECK_THROWS_WITH(AutocastGuard(kCPU, {.dtype = kFloat}),
                    "AutocastGuard: option 'dtype': expected bfloat16 or float16, got float32");
  CHECK_THROWS_WITH(
      register_autocast("mm", kCPU, AutocastRule::Float32),
      "register_autocast(): argument 'name': expected a namespace and a name, such as 'my::op', got 'mm'");
  CHECK_THROWS_WITH(register_autocast("my::op", kCPU, kLong),
                    "register_autocast(): argument 'cast_inputs': expected a floating dtype, got int64");
}
