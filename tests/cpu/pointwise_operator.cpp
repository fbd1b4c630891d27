// Operators made from a user's lambda: forms, dtypes, derivatives against finite differences.
#include <cmath>
#include <complex>

#include <tenon/cpu/pointwise_operator.hpp>
#include <tenon/func.hpp>

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
TENON_POINTWISE(scaled, "mine::scaled(Scalar s, Tensor a, int n=1) -> Tensor",
                [](auto s, auto a, auto n) { return s * a * a + n; });
TENON_POINTWISE(one, "mine::one(Tensor a, Tensor b) -> Tensor", [](auto, auto) { return 1.0; });
TENON_POINTWISE(only_number, "mine::only_number(Tensor a, Scalar s) -> Tensor", [](auto, auto s) { return s; });
TENON_POINTWISE(fmod_of, "mine::fmod_of(Tensor a, Tensor b) -> Tensor", [](auto a, auto b) { return fmod(a, b); });
TENON_POINTWISE(remainder_of, "mine::remainder_of(Tensor a, Tensor b) -> Tensor",
                [](auto a, auto b) { return remainder(a, b); });
TENON_POINTWISE(copysign_of, "mine::copysign_of(Tensor a, Tensor b) -> Tensor",
                [](auto a, auto b) { return copysign(a, b); });
TENON_POINTWISE(finite_part, "mine::finite_part(Tensor a, Tensor b) -> Tensor",
                [](auto a, auto b) { return select(isfinite(a), a, b) + select(isinf(a), b, 2 * a); });
TENON_POINTWISE(wave, "mine::wave(Tensor self, Scalar beta=1) -> Tensor",
                complex_too([](auto z, auto beta) { return z / (1 + exp(-beta * z)) + pow(z, 2.0); }));
TENON_POINTWISE(mix, "mine::mix(Tensor self, Tensor other, Tensor third) -> Tensor",
                complex_too([](auto x, auto y, auto z) { return sin(x * y) - tanh(z) / (y * y + 2) + log(x); }));
TENON_POINTWISE(fixed, "mine::fixed(Tensor self) -> Tensor", complex_too([](auto z) { return 0 * z + 2.5; }));
TENON_POINTWISE(above, "mine::above(Tensor a, Scalar s) -> Tensor", [](auto a, auto s) { return a > s; });
}  // namespace mine

TEST_CASE("a lambda gives the functional, in-place and out forms", "[cpu][pointwise_operator]") {
  Tensor x = tensor({-1.0, 0.0, 2.0}), y = mine::swish(x, "beta"_a = 2);
  auto f = [](double v) { return v / (1 + std::exp(-2 * v)); };
  for (std::size_t i = 0; i < 3; ++i) REQUIRE(values(y)[i] == Approx(f(values(x)[i])));
  Tensor out = ops::empty({0}, "dtype"_a = kDouble), copy = x.clone();
  mine::swish_out(x, "beta"_a = 2, "out"_a = out);
  REQUIRE(values(out) == values(y));
  out.zero_();
  mine::swish(x, "beta"_a = 2, "out"_a = out);
  mine::swish_(copy, "beta"_a = 2);
  REQUIRE((values(out) == values(y) && values(copy) == values(y)));
  Stack stack{x, Scalar(2)};
  Registry::get().find_schema_or_throw("mine::swish", "").call_boxed(stack);
  REQUIRE(values(stack[0].to_tensor()) == values(y));
}

TEST_CASE("W28: one declaration registers everything that a program asks of an operator", "[cpu][walkthrough]") {
  using K = DispatchKey;
  auto entry = [](const char* name) -> OperatorEntry& { return Registry::get().find_op(name).entry(); };
  for (const char* name : {"mine::swish", "mine::swish_", "mine::swish.out"}) {
    CHECK(entry(name).has_schema());
    for (K k : {K::CPU, K::Meta, K::AutogradCPU})
      CHECK(Registry::get().tables().compute(entry(name), k).provenance != Provenance::Missing);
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
  Tensor y = x.detach().clone();
  functionalization::functionalize([](Tensor& t) { mine::swish_(t); })(y);
  CHECK(values(y) == values(mine::swish(x)));

  // Batches and directions, and both within a gradient: the declaration says that it is elementwise.
  CHECK(entry("mine::swish").tags().has(Tag::pointwise));
  auto looped = func::operators_without_batching_rule();
  CHECK(std::find(looped.begin(), looped.end(), "mine::swish") == looped.end());
  auto f = [](const Tensor& t) { return mine::swish(t, "beta"_a = 2); };
  Tensor rows = counted({3, 4}, kDouble), ones = ops::ones({3, 4}, "dtype"_a = kDouble);
  CHECK(values(func::vmap(f)(rows)) == values(f(rows)));
  Tensor other = tensor({{0.4}, {0.9}}).to(kDouble), one_by_one[3];
  auto blended = [&](const Tensor& t) { return mine::blend(t, other, 1.5, t); };
  for (std::int64_t i = 0; i < 3; ++i) one_by_one[i] = blended(rows[i]);
  CHECK(values(func::vmap(blended)(rows)) == values(ops::stack(one_by_one)));
  Tensor slopes = func::grad([&](const Tensor& t) { return f(t).sum(); })(rows);
  CHECK(ops::allclose(func::jvp(f, rows, ones).second, slopes));
  CHECK(ops::allclose(func::vmap(func::grad([&](const Tensor& t) { return f(t).sum(); }))(rows), slopes));
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

TEST_CASE("the derivative made from dual numbers has derivatives itself", "[cpu][pointwise_operator]") {
  Tensor x = tensor({{0.3}, {-1.2}}).to(kDouble), y = tensor({0.7, 2.1, 0.4}).to(kDouble),
         z = tensor({{0.2}, {0.9}}).to(kDouble);
  for (const Tensor& t : {x, y, z}) t.requires_grad_();
  autograd::gradgradcheck([](const std::vector<Tensor>& in) { return mine::swish(in[0], "beta"_a = 1.5); }, {x});
  autograd::gradgradcheck([](const std::vector<Tensor>& in) { return mine::blend(in[0], in[1], 1.5, in[2]); },
                          {x, y, z});
  autograd::gradgradcheck([](const std::vector<Tensor>& in) { return mine::many(in[0]); }, {z});
  // In one pass and as it is recorded: the same numbers.
  std::vector<Tensor> plain = autograd::grad({mine::many(z).sum()}, {z}),
                      recorded = autograd::grad({mine::many(z).sum()}, {z}, {}, std::nullopt, true);
  CHECK(ops::max(ops::abs(plain[0] - recorded[0])).item<double>() < 1e-12);
  CHECK((recorded[0].requires_grad() && !plain[0].requires_grad()));
}

TEST_CASE("a schema that begins with a number has a derivative and no in-place form", "[cpu][pointwise_operator]") {
  static_assert(!mine::scaled_op::has_inplace && mine::scaled_op::has_out && mine::swish_op::has_inplace);
  Tensor x = tensor({1.0, 2.0}).to(kDouble), out = ops::empty({0}, "dtype"_a = kDouble);
  REQUIRE(values(mine::scaled(3, x)) == Numbers{4, 13});
  REQUIRE(values(mine::scaled_out(3, x, "n"_a = 0, "out"_a = out)) == Numbers{3, 12});
  REQUIRE(Registry::get().find("mine::scaled_") == nullptr);
  x.requires_grad_();
  autograd::gradcheck([](const std::vector<Tensor>& in) { return mine::scaled(1.5, in[0], 4); }, {x});
}

TEST_CASE("a lambda may return a number that depends on no tensor", "[cpu][pointwise_operator]") {
  for (ScalarType type : {kHalf, kFloat, kDouble}) {
    Tensor x = counted({19}, type).requires_grad_(), y = counted({2, 1}, type).requires_grad_(), z = mine::one(x, y);
    REQUIRE((z.dtype() == type && list(z.sizes()) == Ints{2, 19} && values(z) == Numbers(38, 1)));
    z.sum().backward();
    REQUIRE((values(x.grad()) == Numbers(19, 0) && values(y.grad()) == Numbers(2, 0)));
    REQUIRE(values(mine::only_number(x, 2.5)) == Numbers(19, 2.5));
  }
}

TEST_CASE("a lambda that says so computes complex tensors", "[cpu][pointwise_operator]") {
  using Z = std::complex<double>;
  Tensor x = tensor({0.5, -1.25, 2.0}).to(kDouble), y = tensor({0.75, 0.25, -0.5}).to(kDouble);
  for (ScalarType type : {kComplexFloat, kComplexDouble}) {
    Tensor z = ops::complex(x, y).to(type), out = mine::wave(z, Complex<double>(0.5, 1));
    REQUIRE(out.dtype() == type);
    for (std::int64_t i = 0; i < 3; ++i) {
      Z v(x[i].item<double>(), y[i].item<double>());
      Z expected = v / (1.0 + std::exp(-Z(0.5, 1) * v)) + v * v;
      Complex<double> got = out[i].item<Complex<double>>();
      CHECK(std::abs(Z(got.re, got.im) - expected) < (type == kComplexFloat ? 1e-5 : 1e-14));
    }
    Tensor copy = z.clone();
    mine::wave_(copy, Complex<double>(0.5, 1));
    CHECK(ops::equal(copy, out));
    CHECK(ops::equal(mine::fixed(z), ops::full_like(z, 2.5)));
    // A real operand beside a complex one is promoted; a real one alone stays real.
    CHECK(mine::mix(z, x.to(kFloat), y.to(kFloat)).dtype() == type);
    CHECK(mine::wave(x).dtype() == kDouble);
  }
  CHECK(mine::wave(ops::empty({2}, "dtype"_a = kComplexFloat, "device"_a = kMeta)).dtype() == kComplexFloat);
  CHECK_ERROR_CONTAINS(mine::swish(ops::complex(x, y)), NotImplementedError, "not implemented for 'ComplexDouble'");
}

TEST_CASE("complex gradients of a lambda are those of finite differences", "[cpu][pointwise_operator]") {
  Tensor re = tensor({{0.5}, {-1.25}}).to(kDouble), im = tensor({0.75, 0.25, -0.5}).to(kDouble);
  Tensor z = ops::complex(re.expand({2, 3}), im.expand({2, 3})), w = (z * Complex<double>(0.5, 0.25)).detach(),
         r = tensor({0.3, 0.7, 1.1}).to(kDouble);
  for (const Tensor& t : {z, w, r}) t.requires_grad_();
  Complex<double> beta(0.5, 1);
  auto wave = [&](const std::vector<Tensor>& in) { return mine::wave(in[0], beta); };
  auto mix = [](const std::vector<Tensor>& in) { return mine::mix(in[0], in[1], in[2]); };
  autograd::gradcheck(wave, {z});
  autograd::gradgradcheck(wave, {z});
  // A real tensor among complex ones gets a real gradient.
  autograd::gradcheck(mix, {z, w, r});
  autograd::gradgradcheck(mix, {z, w, r});
  mine::mix(z, w, r).abs().sum().backward();
  CHECK((r.grad().dtype() == kDouble && z.grad().dtype() == kComplexDouble));
  // In one pass and as it is recorded.
  Tensor ones = ops::ones_like(z), plain = autograd::grad({wave({z})}, {z}, {ones})[0],
         recorded = autograd::grad({wave({z})}, {z}, {ones}, std::nullopt, true)[0];
  CHECK(ops::allclose(plain, recorded.detach()));
  // PyTorch's convention: the gradient is conj(f'), the directional derivative f'.
  auto f = [&](const Tensor& t) { return mine::wave(t, beta); };
  Tensor slope = func::jvp(f, z.detach(), ones).second;
  CHECK(ops::allclose(ops::conj_physical(slope), plain));
  CHECK(ops::equal(autograd::grad({mine::fixed(z)}, {z}, {ones})[0], ops::zeros_like(z)));
  // Lazily conjugated operands and gradients.
  Tensor held = ops::conj_physical(z.detach()).requires_grad_();
  mine::wave(ops::conj(held), beta).backward(ops::conj(ops::conj_physical(ones)));
  CHECK(ops::allclose(ops::conj_physical(held.grad()), plain));
}

TEST_CASE("gradients of elementwise operators of one's own read negated views", "[cpu][pointwise_operator]") {
  Tensor plain = tensor({0.5, -1.0, 2.0}).requires_grad_(), weight = tensor({1.0, 2.0, -3.0});
  Tensor held = ops::neg(plain.detach()).requires_grad_();
  mine::swish(plain).backward(weight);
  mine::swish(ops::_neg_view(held)).backward(ops::_neg_view(ops::neg(weight)));
  CHECK(values(held.grad()) == values(ops::neg(plain.grad())));
}

// Stored from torch 2.15: torch.autograd.grad(f(a, b).sum(), [a, b]).
TEST_CASE("remainders and signs have PyTorch's derivatives", "[cpu][pointwise_operator]") {
  Tensor a = tensor({5.0, -5.0, 7.5, 1.0}).requires_grad_(), b = tensor({3.0, 3.0, -2.0, 0.1}).requires_grad_();
  auto gradients = [&](const Tensor& y) {
    auto g = autograd::grad({y.sum()}, {a, b});
    return std::pair(values(g[0]), values(g[1]));
  };
  REQUIRE(gradients(mine::fmod_of(a, b)) == std::pair(Numbers{1, 1, 1, 1}, Numbers{-1, 1, 3, -10}));
  REQUIRE(gradients(mine::remainder_of(a, b)) == std::pair(Numbers{1, 1, 1, 1}, Numbers{-1, 2, 4, -9}));
  REQUIRE(gradients(mine::copysign_of(a, b)) == std::pair(Numbers{1, -1, -1, 1}, Numbers{0, 0, 0, 0}));
  Tensor zero = ops::zeros({1}).requires_grad_();
  REQUIRE(values(autograd::grad({mine::copysign_of(zero, tensor({-1.0})).sum()}, {zero})[0]) == Numbers{0});
  double inf = std::numeric_limits<double>::infinity();
  a = tensor({1.0, inf}).requires_grad_();
  b = tensor({3.0, 4.0}).requires_grad_();
  REQUIRE(values(mine::finite_part(a, b)) == Numbers{3, 8});
  REQUIRE(gradients(mine::finite_part(a, b)) == std::pair(Numbers{3, 0}, Numbers{0, 2}));
}

TEST_CASE("a number that the compute type cannot hold is refused", "[cpu][pointwise_operator]") {
  Tensor x = tensor({1.0, 2.0}), i = tensor({1, 2});
  Complex<double> z(2, 5);
  const char* text = "value cannot be converted to type float32 without overflow";
  CHECK_ERROR(mine::swish(x, "beta"_a = z), ValueError, text);
  CHECK_ERROR(mine::swish_(x, "beta"_a = z), ValueError, text);
  CHECK_ERROR(mine::swish(i, "beta"_a = z), ValueError, text);
  CHECK_ERROR(mine::swish(x.to(kHalf), "beta"_a = z), ValueError, text);
  CHECK_ERROR(mine::swish(x.to(kDouble), "beta"_a = z), ValueError,
              "value cannot be converted to type float64 without overflow");
  CHECK_ERROR(mine::swish(x, "beta"_a = 1e300), ValueError, text);
  CHECK_ERROR(mine::above(i, z), ValueError, "value cannot be converted to type int64 without overflow");
  CHECK(values(mine::swish(x, "beta"_a = Complex<double>(2, 0))) == values(mine::swish(x, "beta"_a = 2)));
  CHECK_ERROR(ops::leaky_relu(x, z), ValueError, text);
  CHECK_ERROR(ops::elu(x, z), ValueError, text);
  CHECK_ERROR(ops::elu(x, 1, 1, z), ValueError, text);
  CHECK_ERROR(ops::softshrink(x, z), ValueError, "value cannot be converted to type float64 without overflow");
  CHECK_ERROR(ops::hardshrink(x, z), ValueError, text);
  CHECK_ERROR(ops::softplus(x, z), ValueError, text);
  CHECK_ERROR(ops::hardtanh(x, z), ValueError, text);
  CHECK_ERROR(ops::addcmul(x, x, x, "value"_a = z), ValueError, text);
  CHECK_ERROR(ops::addcdiv(x, x, x, "value"_a = z), ValueError, text);
  CHECK_ERROR(ops::lerp(x, x, z), ValueError, text);
  CHECK_ERROR(ops::leaky_relu(x, 1e300), ValueError, text);
}
