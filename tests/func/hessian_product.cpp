// Hessian-vector products beside PyTorch's numbers and whole Hessians.
#include <tenon/func/hessian_product.hpp>

#include <map>

#include "support.hpp"

using namespace test;

namespace {
Tensor numbers(std::vector<double> values) { return ops::to(tensor(std::move(values)), kDouble); }
}  // namespace

// Values of torch.autograd.functional.hvp and vhp, PyTorch 2.15.
TEST_CASE("hvp and vhp are the Hessian times a vector", "[func]") {
  Tensor x = numbers({0.5, -1, 2}), v = numbers({1, 2, -0.5}), y = numbers({1, 0.25}), w = numbers({-1, 3});
  auto cubes = [](const Tensor& a) { return ops::sum(ops::pow(a, 3)); };
  auto [value, product] = func::hvp(cubes, x, v);
  CHECK(value.item<double>() == 7.125);
  check_close(product, numbers({3, -12, -6}));
  auto [same, again] = func::vhp(cubes, x, v);
  CHECK(same.item<double>() == 7.125);
  check_close(again, product);

  auto f = [](const Tensor& a, const Tensor& b) {
    Tensor parts = ops::mul(ops::sum(ops::pow(a, 3)), ops::sum(ops::exp(b)));
    return ops::add(parts, ops::sum(ops::sin(ops::mul(ops::narrow(a, 0, 0, 2), b))));
  };
  auto check = [&](const auto& both) {
    CHECK(both.first.template item<double>() == Approx(28.748460701020534).epsilon(1e-7));
    CHECK(std::get<0>(both.second)[0].template item<double>() == Approx(11.739972220451019).epsilon(1e-7));
    CHECK(std::get<0>(both.second)[1].template item<double>() == Approx(-41.874193886351044).epsilon(1e-7));
    CHECK(std::get<0>(both.second)[2].template item<double>() == Approx(-10.40831041163057).epsilon(1e-7));
    CHECK(std::get<1>(both.second)[0].template item<double>() == Approx(-16.571320479187094).epsilon(1e-7));
    CHECK(std::get<1>(both.second)[1].template item<double>() == Approx(30.965397085773876).epsilon(1e-7));
  };
  check(func::hvp(f, std::tuple(x, y), std::tuple(v, w)));
  check(func::vhp(f, std::tuple(x, y), std::tuple(v, w)));
}

TEST_CASE("products of Hessians keep the form of their arguments and run within vmap", "[func]") {
  using Weights = std::map<std::string, Tensor>;
  Tensor x = drawn({5, 3});
  auto loss = [&](const Weights& p) { return ops::sum(ops::tanh(ops::add(ops::mv(x, p.at("w")), p.at("b")))); };
  Weights at{{"w", drawn({3})}, {"b", drawn({1})}}, along{{"w", drawn({3})}, {"b", drawn({1})}};
  auto forward = func::hvp(loss, std::tuple(at), std::tuple(along));
  auto reverse = func::vhp(loss, std::tuple(at), std::tuple(along));
  check_close(forward.first, loss(at));
  Tensor joined = ops::cat({at.at("w"), at.at("b")});
  Tensor hessian = func::hessian([&](const Tensor& all) {
    return loss({{"w", ops::narrow(all, 0, 0, 3)}, {"b", ops::narrow(all, 0, 3, 1)}});
  })(joined);
  Tensor expected = ops::mv(hessian, ops::cat({along.at("w"), along.at("b")}));
  for (const Weights& product : {forward.second, reverse.second})
    check_close(ops::cat({product.at("w"), product.at("b")}), expected);

  // The columns of the matrix, all at once.
  auto rows = func::vmap([&](const Tensor& direction) {
    return func::hvp([&](const Tensor& a) { return ops::sum(ops::exp(ops::mv(x, a))); }, at.at("w"), direction).second;
  })(ops::eye(3, "dtype"_a = kDouble));
  check_close(rows, func::hessian([&](const Tensor& a) { return ops::sum(ops::exp(ops::mv(x, a))); })(at.at("w")));

  // What a product does not depend on is zero.
  auto linear = [](const Tensor& a) { return ops::sum(ops::mul(a, 2)); };
  check_close(func::hvp(linear, at.at("w"), along.at("w")).second, ops::zeros({3}, "dtype"_a = kDouble));
  check_close(func::vhp(linear, at.at("w"), along.at("w")).second, ops::zeros({3}, "dtype"_a = kDouble));
  auto wide = [](const Tensor& a) { return ops::mul(a, a); };
  CHECK_ERROR(
      func::hvp(wide, at.at("w"), along.at("w")), ValueError,
      "grad: expected the function to return a tensor of one element, got one of sizes [3]; use vjp, or sum the "
      "result");
}
