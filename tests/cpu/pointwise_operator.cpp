// Operators made from a user's lambda: forms, dtypes, derivatives against finite differences.
#include <cmath>

#include <tenon/cpu/pointwise_operator.hpp>

#include "../ops/support.hpp"

using namespace test;

namespace mine {
TENON_POINTWISE(swish, "mine::swish(Tensor self, *, Scalar beta=1) -> Tensor",
                [](auto x, auto beta) { return x / (1 + exp(-beta * x)); });
TENON_POINTWISE(blend, "mine::blend(Tensor self, Tensor other, Scalar w, Tensor third) -> Tensor",
                [](auto x, auto y, auto w, auto z) {
                  return select(x < y, w * x * pow(y, 2.0) + z, tanh(x * z) - sqrt(y));
                });
TENON_POINTWISE(close_to, "mine::close_to(Tensor self, Tensor other) -> Tensor",
                [](auto x, auto y) { return abs(x - y) < 1; });
TENON_POINTWISE(many, "mine::many(Tensor self) -> Tensor", [](auto x) {
  return log(x) + log1p(x) * sigmoid(x) - atan(x) / cosh(x) + erf(x) * sin(x) * maximum(x, cos(x)) + rsqrt(x) +
         expm1(x) - log2(x) * tan(x);
});
}  // namespace mine

TEST_CASE("a lambda gives the functional, in-place and out forms", "[cpu][pointwise_operator]") {
  Tensor x = tensor({-1.0, 0.0, 2.0}), y = mine::swish(x, "beta"_a = 2);
  auto f = [](double v) { return v / (1 + std::exp(-2 * v)); };
  for (std::size_t i = 0; i < 3; ++i) REQUIRE(values(y)[i] == Approx(f(values(x)[i])));
  Tensor out = ops::empty({0}, "dtype"_a = kDouble), copy = x.clone();
  mine::swish_out(x, "beta"_a = 2, "out"_a = out);
  mine::swish_(copy, "beta"_a = 2);
  REQUIRE((values(out) == values(y) && values(copy) == values(y)));
  Stack stack{x, Scalar(2)};
  Registry::get().find_schema_or_throw("mine::swish", "").call_boxed(stack);
  REQUIRE(values(stack[0].to_tensor()) == values(y));
}

// Functionalization is tested in tests/transform; batching and bindings do not exist yet.
TEST_CASE("W28: one declaration registers everything that a program asks of an operator", "[cpu][walkthrough]") {
  using K = DispatchKey;
  auto entry = [](const char* name) -> OperatorEntry& { return Registry::get().find_op(name).entry(); };
  for (const char* name : {"mine::swish", "mine::swish_", "mine::swish.out"}) {
    CHECK(entry(name).has_schema());
    for (K k : {K::CPU, K::Meta, K::AutogradCPU})
      CHECK(Registry::get().compute(entry(name), k).provenance != Provenance::Missing);
    CHECK(entry(name).kernel_at(K::Autograd));
    CHECK(static_cast<bool>(entry(name).kernel_at(K::ADInplaceOrView)) == (name != std::string("mine::swish")));
  }
  CHECK(schema::to_string(entry("mine::swish_").schema()) ==
        "mine::swish_(Tensor(a!) self, *, Scalar beta=1) -> Tensor(a!)");
  Tensor m = mine::swish(ops::empty({2, 3}, "device"_a = kMeta));
  CHECK((m.is_meta() && list(m.sizes()) == Ints{2, 3}));
  Tensor x = tensor({0.5, 1.5});
  x.requires_grad_();
  CHECK(mine::swish(x).grad_fn()->name() == "SwishBackward0");
}

TEST_CASE("a lambda computes in every floating dtype, integers in the default one", "[cpu][pointwise_operator]") {
  for (ScalarType type : {kHalf, kBFloat16, kFloat, kDouble}) REQUIRE(mine::swish(counted({20}, type)).dtype() == type);
  REQUIRE(mine::swish(counted({20}, kInt)).dtype() == kFloat);
  REQUIRE(mine::close_to(counted({3}, kInt), counted({3, 1}, kLong)).dtype() == kBool);
  REQUIRE(values(mine::close_to(counted({3}), tensor({0.5, 3.0, 2.25}))) == Numbers{1, 0, 1});
  Tensor meta = ops::empty({2, 1}, "device"_a = Device("meta"));
  REQUIRE(list(mine::close_to(meta, ops::empty({3}, "device"_a = Device("meta"))).sizes()) == Ints{2, 3});
}

TEST_CASE("dual numbers give the derivative by every tensor", "[cpu][pointwise_operator]") {
  Tensor x = tensor({0.3, 1.2, 0.7}).to(kDouble), y = tensor({{0.9}, {0.4}}).to(kDouble),
         z = tensor({1.1, -0.6, 0.2}).to(kDouble);
  for (const Tensor& t : {x, y, z}) t.requires_grad_();
  autograd::gradcheck([](const std::vector<Tensor>& in) { return mine::blend(in[0], in[1], 1.5, in[2]); }, {x, y, z});
  autograd::gradcheck([](const std::vector<Tensor>& in) { return mine::swish(in[0], "beta"_a = 0.5); }, {z});
  autograd::gradcheck([](const std::vector<Tensor>& in) { return mine::many(in[0]); }, {x});
  REQUIRE(mine::swish(x).grad_fn()->name() == "SwishBackward0");
}

TEST_CASE("a comparison has no derivative", "[cpu][pointwise_operator]") {
  Tensor x = tensor({0.3, 1.2}).requires_grad_();
  REQUIRE_FALSE(mine::close_to(x, x).requires_grad());
}

TEST_CASE("the derivative made from dual numbers refuses to be differentiated", "[cpu][pointwise_operator]") {
  Tensor x = tensor({0.3, 1.2}).requires_grad_();
  Tensor y = mine::swish(x);
  REQUIRE_THROWS_AS(autograd::grad({y.sum()}, {x}, {}, std::nullopt, true), NotImplementedError);
}
