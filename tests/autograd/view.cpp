// Views and in-place changes while gradients are recorded.
#include <cmath>

#include "support.hpp"

using namespace tenon;
using test::leaf;
using test::values;

TEST_CASE("a change of a view is a change of its base", "[autograd][view]") {
  Tensor x = leaf({1, 2, 3, 4});
  Tensor y = mul(x, 1.0);
  Tensor v = y.narrow(0, 1, 2);
  v.mul_(10.0);
  CHECK(values(y) == std::vector<double>{1, 20, 30, 4});
  sum(y).backward();
  CHECK(values(x.grad()) == std::vector<double>{1, 10, 10, 1});
}

TEST_CASE("a change of the base is seen by a view made before", "[autograd][view]") {
  Tensor x = leaf({1, 2, 3, 4});
  Tensor y = mul(x, 1.0);
  Tensor v = y.narrow(0, 1, 2);
  y.mul_(10.0);
  sum(mul(v, v)).backward();
  CHECK(values(x.grad()) == std::vector<double>{0, 400, 600, 0});
}

TEST_CASE("W18: a saved tensor that was written since is refused", "[autograd][view]") {
  Tensor x = leaf({1, 2});
  Tensor y = mul(x, 1.0);
  Tensor z = sum(mul(y, y));
  y.add_(1.0);
  CHECK_ERROR_CONTAINS(
      z.backward(), AutogradError,
      "one of the variables needed for gradient computation has been modified by an inplace operation: [float64 [2]]");
}

TEST_CASE("an in-place operation keeps the value that its own derivative needs", "[autograd][view]") {
  Tensor x = leaf({2, 3});
  Tensor y = mul(x, 1.0), w = leaf({5, 7});
  y.mul_(w);
  sum(y).backward();
  CHECK(values(x.grad()) == std::vector<double>{5, 7});
  CHECK(values(w.grad()) == std::vector<double>{2, 3});
}

TEST_CASE("the value that an in-place operation keeps has its history", "[autograd][view][double]") {
  // Gradients of gradients are those of the form that changes nothing.
  using F = Tensor (*)(const Tensor&);
  struct Case {
    const char* name;
    F in_place, apart;
  };
  const Case cases[] = {
      {"mul", [](const Tensor& a) { return mul(a, 1.0).mul_(a); }, [](const Tensor& a) { return mul(a, a); }},
      {"mul by a number, then mul", [](const Tensor& a) { return mul(a, 1.0).mul_(2.0).mul_(a); },
       [](const Tensor& a) { return mul(mul(a, 2.0), a); }},
      {"div", [](const Tensor& a) { return mul(a, 1.0).div_(mul(a, a)); },
       [](const Tensor& a) { return ops::div(a, mul(a, a)); }},
      {"log", [](const Tensor& a) { return mul(a, a).log_(); }, [](const Tensor& a) { return ops::log(mul(a, a)); }},
      {"pow", [](const Tensor& a) { return mul(a, 1.0).pow_(3); }, [](const Tensor& a) { return ops::pow(a, 3); }},
      {"pow of a tensor", [](const Tensor& a) { return mul(a, a).pow_(a); },
       [](const Tensor& a) { return ops::pow(mul(a, a), a); }},
      {"lerp", [](const Tensor& a) { return mul(a, 1.0).lerp_(mul(a, a), a); },
       [](const Tensor& a) { return ops::lerp(a, mul(a, a), a); }},
      {"sin", [](const Tensor& a) { return mul(a, 1.0).sin_(); }, [](const Tensor& a) { return ops::sin(a); }},
      {"cos", [](const Tensor& a) { return mul(a, 1.0).cos_(); }, [](const Tensor& a) { return ops::cos(a); }},
      {"a part",
       [](const Tensor& a) {
         Tensor q = mul(a, 1.0);
         q.narrow(0, 0, 2).mul_(a.narrow(0, 1, 2));
         return q;
       },
       [](const Tensor& a) {
         return ops::cat({mul(a.narrow(0, 0, 2), a.narrow(0, 1, 2)), a.narrow(0, 2, 1)});
       }},
  };
  auto second = [](const Tensor& a, F f) {
    Tensor g = autograd::grad(TensorList(sum(f(a))), TensorList(a), {}, std::nullopt, true)[0];
    return values(autograd::grad(TensorList(sum(mul(g, g))), TensorList(a))[0]);
  };
  for (const Case& c : cases) {
    INFO(c.name);
    Tensor a = leaf({1.5, -0.5, 2});
    std::vector<double> changed = second(a, c.in_place), apart = second(a, c.apart);
    for (std::size_t i = 0; i < apart.size(); ++i) CHECK(changed[i] == Approx(apart[i]).epsilon(1e-12));
  }
  Tensor a = leaf({1, 2});
  CHECK(values(autograd::grad(TensorList(sum(autograd::grad(TensorList(sum(mul(a, 1.0).mul_(a))), TensorList(a), {},
                                                            std::nullopt, true)[0])),
                              TensorList(a))[0]) == std::vector<double>{2, 2});
}

TEST_CASE("a long chain of kept values ends without deep recursion", "[autograd][view]") {
  Tensor w = leaf({1, 1}), y = mul(w, 1.0);
  for (int i = 0; i < 100000; ++i) y.mul_(w);
  Tensor z = mul(w, 1.0);
  for (int i = 0; i < 100000; ++i) z.mul_(w);
  sum(z).backward();
  CHECK(values(w.grad()) == std::vector<double>{100001, 100001});
}

TEST_CASE("leaves that require grad are not changed in place", "[autograd][view]") {
  Tensor x = leaf({1, 2});
  CHECK_ERROR_CONTAINS(x.add_(1.0), AutogradError,
                       "a leaf Variable that requires grad is being used in an in-place operation.");
  CHECK_ERROR_CONTAINS(x.narrow(0, 0, 1).add_(1.0), AutogradError,
                       "a view of a leaf Variable that requires grad is being used in an in-place operation.");
  NoGradGuard guard;
  x.add_(1.0);
  CHECK(values(x) == std::vector<double>{2, 3});
}

TEST_CASE("one of several views is not changed in place", "[autograd][view]") {
  Tensor y = mul(leaf({1, 2}), 1.0);
  std::vector<Tensor> parts = y.unbind();
  CHECK_ERROR_CONTAINS(
      parts[0].add_(1.0), AutogradError,
      "Output 0 of UnbindBackward0 is a view and is being modified inplace. This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one. It is argument 'self' of aten::add_.Scalar.");
  y.add_(1.0);
  CHECK_ERROR_CONTAINS(
      parts[0].grad_fn(), AutogradError,
      "You should replace the inplace operation by an out-of-place one. It was last written by aten::add_.Scalar.");
}

TEST_CASE("a view made without recording is not changed while recording", "[autograd][view]") {
  Tensor y = mul(leaf({1, 2}), 1.0), v;
  {
    NoGradGuard guard;
    v = y.narrow(0, 0, 1);
  }
  CHECK_ERROR_CONTAINS(v.add_(y.narrow(0, 0, 1)), AutogradError,
                       "A view was created in no_grad mode and is being modified inplace with grad mode enabled.");
  CHECK_ERROR_CONTAINS(v.add_(y.narrow(0, 0, 1)), AutogradError,
                       "or both outside (if you want the inplace to be tracked). It is argument 'self' of "
                       "aten::add_.Tensor.");
}

TEST_CASE("detach shares memory and history ends", "[autograd][view]") {
  Tensor x = leaf({1, 2});
  Tensor d = mul(x, 2.0).detach();
  CHECK(!d.requires_grad());
  CHECK(d.is_leaf());
  CHECK(!d.is_view());
  Tensor y = mul(x, 2.0);
  Tensor e = y.detach();
  e.add_(1.0);
  CHECK(y.version() == 1);
  y.detach_();
  CHECK(!y.requires_grad());
}

TEST_CASE("versions count writes, and views share the count", "[autograd][view]") {
  Tensor x = test::vector({1, 2, 3});
  Tensor v = x.narrow(0, 0, 2);
  v.add_(1.0);
  x.mul_(2.0);
  CHECK(x.version() == 2);
  CHECK(v.version() == 2);
  CHECK(v.is_view());
  CHECK(!x.is_view());
}

TEST_CASE("out= refuses arguments that require grad", "[autograd][view]") {
  Tensor x = leaf({1, 2}), out = test::vector({0, 0});
  CHECK_ERROR(
      add(x, x, "out"_a = out), AutogradError,
      "add(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.");
}

TEST_CASE("views have the gradients of finite differences", "[autograd][view][gradcheck]") {
  Tensor x = leaf({1, 2, 3, 4, 5, 6});
  auto check = [&](auto f) {
    autograd::gradcheck([&](const std::vector<Tensor>& in) { return f(in[0].reshape({2, 3})); }, {x});
  };
  check([](const Tensor& t) { return t.t().mul(t.transpose(0, 1)); });
  check([](const Tensor& t) { return t.permute({1, 0}).contiguous().view({6}).mul(2.0); });
  check([](const Tensor& t) { return t.unsqueeze(1).expand({2, 4, 3}).exp(); });
  check([](const Tensor& t) { return t.select(1, 2).exp(); });
  check([](const Tensor& t) { return t.slice(1, 0, 3, 2).exp(); });
  check([](const Tensor& t) { return t.diagonal().exp(); });
  check([](const Tensor& t) { return t.as_strided({2, 2}, {1, 2}, 1).exp(); });
  check([](const Tensor& t) { return t.as_strided({3, 3}, {1, 1}, 0).exp(); });
  check([](const Tensor& t) { return t.narrow(0, 1, 1).squeeze(0).exp(); });
}

TEST_CASE("a view made without gradients of a leaf leads nowhere", "[autograd][view]") {
  Tensor x = leaf({1, 2}), v;
  {
    NoGradGuard guard;
    v = x.narrow(0, 0, 1);
  }
  CHECK(v.requires_grad());
  CHECK_ERROR(v.backward(), AutogradError, "element 0 of tensors does not require grad and does not have a grad_fn");
  std::vector<Tensor> grads = autograd::grad({sum(mul(v, x))}, {x, v}, {}, std::nullopt, false, true);
  CHECK(values(grads[0]) == std::vector<double>{1, 1});
  CHECK(!grads[1].defined());
}

TEST_CASE("a saved tensor that was detached in place is refused", "[autograd][view]") {
  Tensor x = leaf({1, -2});
  Tensor y = mul(x, 2.0), z = sum(ops::abs(y));
  y.detach_();
  CHECK_ERROR_CONTAINS(z.backward(), AutogradError, "Trying to use a saved tensor that has been detached in-place");
}

TEST_CASE("a view with a history is not changed in place after its base was detached", "[autograd][view]") {
  Tensor x = leaf({1, 2});
  Tensor v = x.narrow(0, 0, 1);
  x.detach_();
  CHECK_ERROR_CONTAINS(v.mul_(2.0), AutogradError,
                       "a view of a leaf Variable that requires grad is being used in an in-place operation.");
  x.mul_(2.0);
  CHECK(values(x) == std::vector<double>{2, 4});
}

TEST_CASE("elements of a base that share memory share the gradient of a strided view", "[autograd][view]") {
  Tensor x = leaf({1, 2});
  Tensor wide = x.expand({3, 2});
  sum(ops::as_strided(wide, {2}, {1})).backward();
  for (double g : values(x.grad())) CHECK(std::abs(g - 1) < 1e-12);
}

// PyTorch refuses the write, with the words for a leaf, until somebody has asked the view for its grad_fn.
TEST_CASE("a view whose base came to require gradients is changed in place", "[autograd][view]") {
  Tensor base = test::vector({1, 2}), v = base.unsqueeze(0), w = leaf({3, 4});
  base.mul_(w);
  CHECK(v.requires_grad());
  v.mul_(2.0);
  CHECK(v.grad_fn()->name() == "AsStridedBackward0");
  CHECK(base.grad_fn()->name() == "CopySlices");
  CHECK(values(base) == std::vector<double>{6, 16});
  sum(base).backward();
  CHECK(values(w.grad()) == std::vector<double>{2, 4});
  Tensor x = test::vector({0, 0}), alias = ops::alias(x), y = leaf({1, 1});
  x.add_(y);
  alias.add_(0.5);
  sum(mul(x, x)).backward();
  CHECK(values(y.grad()) == std::vector<double>{3, 3});
  Tensor leaf_base = test::vector({1, 2}), u = leaf_base.unsqueeze(0);
  leaf_base.requires_grad_();
  CHECK_ERROR_CONTAINS(u.mul_(2.0), AutogradError,
                       "a view of a leaf Variable that requires grad is being used in an in-place operation.");
}

TEST_CASE("an in-place operator that writes no element leaves the history of the base", "[autograd][view]") {
  Tensor x = leaf({1, 2, 3});
  Tensor y = mul(x, 2.0), wide = y.expand({2, 3});
  wide.squeeze_();  // no dimension goes, the version counts all the same
  CHECK(y.grad_fn()->name() == "MulBackward1");
  CHECK(wide.grad_fn()->name() == "SqueezeBackward3");
  CHECK(wide.version() == 1);
  sum(mul(y, y)).backward();
  CHECK(values(x.grad()) == std::vector<double>{8, 16, 24});
  Tensor row = y.narrow(0, 0, 2);
  row.t_();
  CHECK(y.grad_fn()->name() == "MulBackward1");
}

TEST_CASE("an empty view that starts behind other elements has an empty gradient", "[autograd][view]") {
  Tensor w = leaf({1, 2});
  Tensor base = ops::zeros({2, 0}, "dtype"_a = kDouble).select(0, 1).detach(), v = base.t();
  v.mul_(w.narrow(0, 2, 0));
  sum(v).backward();
  CHECK(values(w.grad()) == std::vector<double>{0, 0});
}
