// Modes of recording, and what a tensor says of itself.
#include "support.hpp"

#include <thread>

using namespace tenon;
using test::leaf;
using test::values;

TEST_CASE("nothing is recorded while grad mode is off", "[autograd][mode]") {
  Tensor x = leaf({1, 2});
  {
    NoGradGuard guard;
    CHECK(!mul(x, x).requires_grad());
    EnableGradGuard inner;
    CHECK(mul(x, x).requires_grad());
  }
  CHECK(mul(x, x).requires_grad());
}

TEST_CASE("inference tensors carry no autograd keys and count no versions", "[autograd][mode]") {
  Tensor t;
  {
    InferenceMode guard;
    t = ones({2});
    t.add_(1.0);
  }
  CHECK(t->is_inference());
  CHECK(!t.keys().has(DispatchKey::AutogradCPU));
  CHECK(t->storage()->version() == 0);
  CHECK_ERROR(t.version(), AutogradError, "Inference tensors do not track version counter.");
  CHECK(local_keys().included == key_sets::default_included);
}

TEST_CASE("results say which function made them", "[autograd][mode]") {
  Tensor x = leaf({1, 2});
  CHECK(!x.grad_fn());
  CHECK(x.is_leaf());
  CHECK(mul(x, x).grad_fn()->name() == "MulBackward0");
  CHECK(mul(x, 2.0).grad_fn()->name() == "MulBackward1");
  CHECK(!mul(x, x).is_leaf());
}

TEST_CASE("functions that made results are named and numbered as in PyTorch", "[autograd][mode]") {
  const std::pair<std::string_view, std::string_view> names[] = {
      {"aten::add.Tensor", "AddBackward0"},
      {"aten::clamp", "ClampBackward1"},
      {"aten::copy_", "CopyBackwards"},
      {"aten::div.Scalar_mode", "DivBackward3"},
      {"aten::div.Tensor_mode", "DivBackward2"},
      {"aten::fill_.Scalar", "FillBackward2"},
      {"aten::fill_.Tensor", "FillBackward3"},
      {"aten::index_copy", "IndexCopyBackward0"},
      {"aten::lerp.Scalar", "LerpBackward0"},
      {"aten::log1p", "Log1PBackward0"},
      {"aten::max", "MaxBackward1"},
      {"aten::max.dim", "MaxBackward0"},
      {"aten::min.dim", "MinBackward0"},
      {"aten::nll_loss_forward", "NllLossBackward0"},
      {"aten::pow.Scalar", "PowBackward2"},
      {"aten::pow.Tensor_Tensor", "PowBackward1"},
      {"aten::rad2deg", "Rad2DegBackward0"},
      {"aten::_reshape_alias_copy", "ReshapeAliasBackward0_copy"},
      {"aten::squeeze.dim", "SqueezeBackward1"},
      {"aten::squeeze_.dims", "SqueezeBackward5"},
      {"aten::squeeze_copy.dims", "SqueezeBackward2_copy"},
      {"aten::sum.dim_IntList", "SumBackward1"},
      {"aten::_to_copy", "ToCopyBackward0"},
      {"aten::view_copy", "ViewBackward0_copy"},
      {"my::lerp.Scalar", "LerpBackward1"},
  };
  for (auto [op, name] : names) CHECK(autograd::node_name(op) == name);
  Tensor x = leaf({1, 2});
  CHECK(ops::max(x).grad_fn()->name() == "MaxBackward1");
  CHECK(mul(x, 1.0).copy_(x).grad_fn()->name() == "CopyBackwards");
  CHECK(ops::nll_loss(x.unsqueeze(0), tensor({1})).grad_fn()->name() == "NllLossBackward0");
}

TEST_CASE("only floating point and complex tensors may require grad", "[autograd][mode]") {
  Tensor i = ones({2}, "dtype"_a = kLong);
  CHECK_ERROR(i.set_requires_grad(true), AutogradError,
              "only Tensors of floating point and complex dtype can require gradients");
  Tensor y = mul(leaf({1}), 2.0);
  CHECK_ERROR_CONTAINS(y.set_requires_grad(false), AutogradError,
                       "you can only change requires_grad flags of leaf variables.");
}

TEST_CASE("graphs of several threads that share a leaf add up in it", "[autograd][mode][threads]") {
  Tensor x = leaf({1, 2});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) sum(mul(x, 2.0)).backward();
    });
  for (auto& t : threads) t.join();
  CHECK(values(x.grad()) == std::vector<double>{400, 400});
}

TEST_CASE("threads that read a view whose memory was written since find one node", "[autograd][mode][threads]") {
  for (int round = 0; round < 50; ++round) {
    Tensor x = leaf({1, 2, 3, 4}), h = mul(x, 2.0), v = ops::select(h, 0, 1);
    h.mul_(Scalar(3));
    Tensor results[3];
    std::vector<std::thread> threads;
    for (Tensor& y : results) threads.emplace_back([&] { y = mul(v, 5.0); });
    for (auto& t : threads) t.join();
    for (const Tensor& y : results) {
      CHECK(y.requires_grad());
      CHECK(y.grad_fn()->edges()[0].node.get() == v.grad_fn().get());
    }
    results[0].backward();
    CHECK(values(x.grad()) == std::vector<double>{0, 30, 0, 0});
  }
}

TEST_CASE("threads that meet a leaf of another shape share its new place", "[autograd][mode][threads]") {
  Tensor x = leaf({1, 2});
  for (int round = 1; round <= 50; ++round) {
    sum(mul(x, 1.0)).backward();
    std::vector<double> numbers(static_cast<std::size_t>(round), 1.0);
    x.set_data(tensor(numbers, kDouble));
    x.grad() = Tensor();
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back([&] { sum(mul(x, 2.0)).backward(); });
    for (auto& t : threads) t.join();
    CHECK(values(x.grad()) == std::vector<double>(numbers.size(), 6.0));
  }
}

TEST_CASE("threads that ask for the gradient of one inner tensor add each once", "[autograd][mode][threads]") {
  for (int round = 0; round < 50; ++round) {
    Tensor x = leaf({1, 2}), h = mul(x, 2.0);
    Tensor losses[] = {sum(mul(h, 3.0)), sum(mul(h, 4.0))};
    std::vector<std::thread> threads;
    for (Tensor& loss : losses) threads.emplace_back([&] { loss.backward({}, true, false, {h}); });
    for (auto& t : threads) t.join();
    CHECK(values(h.grad()) == std::vector<double>{7, 7});
    CHECK_FALSE(x.grad().defined());
  }
}

TEST_CASE("a recording that is refused half way ends what it kept until then", "[autograd][mode]") {
  Tensor index;
  {
    InferenceMode guard;
    index = ops::zeros({1, 2}, "dtype"_a = kLong);
  }
  Tensor x = ops::ones({2, 2}).requires_grad_(), source = ops::ones({1, 2});
  for (int i = 0; i < 10; ++i) {
    CHECK_ERROR_CONTAINS(ops::scatter_reduce(x, 0, index, source, "prod"), AutogradError,
                         "Inference tensors cannot be saved for backward");
    CHECK(x.use_count() == 1);
  }
}
