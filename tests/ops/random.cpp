// Random numbers: PyTorch's for the same seed, states of generators, dropout. Numbers are those of torch 2.15.
#include <cmath>

#include "support.hpp"

using namespace test;

namespace {
/// Equal to the nine digits that are written here.
bool same_numbers(const Tensor& t, const Numbers& expected) {
  Numbers got = values(t);
  bool same = got.size() == expected.size();
  for (std::size_t i = 0; same && i < got.size(); ++i)
    same = std::abs(got[i] - expected[i]) <= 1e-8 * (1 + std::abs(expected[i]));
  return same;
}
template <class F>
auto seeded(F f) {
  manual_seed(3);
  return f();
}
Tensor doubles(const Numbers& v) {
  Tensor t = ops::empty({static_cast<std::int64_t>(v.size())}, kDouble);
  std::copy(v.begin(), v.end(), t.data_ptr<double>());
  return t;
}
}  // namespace

TEST_CASE("distributions of parameters that are tensors draw PyTorch's numbers", "[ops][random]") {
  CHECK(same_numbers(seeded([] {
                       return ops::_standard_gamma(doubles({0.5, 2, 30}));
                     }),
                     {0.737749889, 4.90229481, 26.9361405}));
  CHECK(values(seeded([] { return ops::poisson(doubles({0.5, 4, 30, 200})); })) == Numbers{0, 4, 25, 196});
  CHECK(values(seeded([] {
          return ops::binomial(doubles({10, 100, 1000, 20}), doubles({.3, .4, .75, .95}));
        })) == Numbers{1, 44, 739, 20});
  CHECK(same_numbers(seeded([] {
                       return ops::_sample_dirichlet(doubles({0.5, 2, 3}));
                     }),
                     {0.0977447733, 0.649506969, 0.252748257}));
  CHECK(same_numbers(seeded([] {
                       return ops::rrelu(doubles({-1, 2, -3}), "training"_a = true);
                     }),
                     {-0.13210587409385843, 2, -0.5542126417008169}));
  CHECK_ERROR(ops::poisson(doubles({-1})), ValueError, "invalid Poisson rate, expected rate to be non-negative");
}

TEST_CASE("many numbers are those that few at a time are, for any number of threads", "[ops][random]") {
  // Beyond 65,536 threads share what becomes of the generator's outputs.
  constexpr std::int64_t n = 3 * 65536 + 16 * 77;
  auto fills = [&](auto fill) {
    auto drawn = [&](int threads, std::int64_t at_once) {
      const int before = get_num_threads();
      set_num_threads(threads);
      manual_seed(11);
      Tensor t = ops::empty({n});
      for (std::int64_t i = 0; i < n; i += at_once) fill(t.narrow(0, i, std::min(at_once, n - i)));
      set_num_threads(before);
      return t;
    };
    const Tensor few = drawn(1, 4096);
    CHECK(ops::equal(drawn(1, n), few));
    CHECK(ops::equal(drawn(4, n), few));
  };
  fills([](Tensor t) { t.uniform_(); });
  fills([](Tensor t) { t.uniform_(-2, 3); });
  fills([](Tensor t) { t.normal_(); });
  fills([](Tensor t) { t.bernoulli_(0.3); });
  fills([](Tensor t) { t.exponential_(); });
  fills([](Tensor t) { t.random_(1000); });
  fills([](Tensor t) { t.bernoulli_(ops::full({t.size(0)}, 0.6)); });
  // Those that lie apart, and numbers of two words each.
  auto strided = [&](int threads) {
    const int before = get_num_threads();
    set_num_threads(threads);
    manual_seed(11);
    Tensor t = ops::zeros({n, 2}, "dtype"_a = kDouble);
    t.select(1, 1).bernoulli_(ops::linspace(0, 1, n, "dtype"_a = kDouble));
    set_num_threads(before);
    return t;
  };
  Tensor one = strided(1);
  CHECK(ops::equal(strided(3), one));
  CHECK(one.select(1, 0).sum().item<double>() == 0);
  CHECK(std::abs(one.sum().item<double>() / n - 0.5) < 0.01);
  CHECK(one.select(1, 1).narrow(0, 0, n / 10).sum().item<double>() < 0.06 * n / 10);
}
TEST_CASE("bounds that a floating dtype would round move as PyTorch's do", "[ops][random]") {
  auto drawn = [](ScalarType type, std::int64_t to) {
    Generator g(5);
    Tensor t = ops::empty({3}, type);
    return values(t.random_(0, to, "generator"_a = std::optional(g)));
  };
  CHECK(drawn(kFloat, 16777219) == Numbers{13929147, 2115748, 15224149});
  CHECK(drawn(kFloat, 268435456) == Numbers{148147088, 236996816, 250106048});
  CHECK(drawn(kFloat, 2147483648) == Numbers{1655432320, 1025684800, 1219098496});
  CHECK(drawn(kBFloat16, 8589934592) == Numbers{169869312, 7952400384, 4009754624});
  CHECK(drawn(kBFloat16, INT64_MAX) == Numbers{4.0892684616524104e18, 6.845471433603154e18, 3.8190524840101806e18});
  CHECK(drawn(kHalf, 3000) == Numbers{2468, 1916, 1607});
  CHECK_ERROR_CONTAINS(drawn(kHalf, 2147483648), ValueError, "to - 1 is out of bounds");
}
TEST_CASE("nothing is refused where no elements are drawn", "[ops][random]") {
  Tensor t = ops::empty({0}, kFloat);
  CHECK(t.bernoulli_(ops::ones({4, 8})).is_same(t));
  Tensor none = ops::empty({0}, kBool);
  CHECK(none.random_(INT64_MIN, std::nullopt).is_same(none));
}
TEST_CASE("a probability that is none leaves tensor and generator as they are", "[ops][random]") {
  Tensor t = ops::full({3}, 7), p = tensor({0.5, 1.5, 0.5});
  manual_seed(4);
  const double next = ops::rand({1}).item<double>();
  manual_seed(4);
  CHECK_ERROR(t.bernoulli_(p), ValueError, "Expected p_in >= 0 && p_in <= 1 to be true, but got false.");
  CHECK(values(t) == Numbers{7, 7, 7});
  CHECK(ops::rand({1}).item<double>() == next);
}

TEST_CASE("the slope of a gamma number is minus the distribution's by the parameter, over the density",
          "[ops][random]") {
  // Of the parameter 1 the distribution is 1 - exp(-x); numbers by quadrature to nine digits, as PyTorch's to four.
  Tensor alpha = doubles({0.1, 1, 5, 1000}), x = doubles({0.03, 2.5, 1.5, 1000});
  Tensor slope = ops::_standard_gamma_grad(alpha, x),
         wanted = doubles({0.958029541, 1.79701761, 0.532489872, 1.00016668});
  CHECK(ops::abs(slope / wanted - 1).max().item<double>() < 5e-3);
}

TEST_CASE("the slope of a beta number is PyTorch's approximation, in each of its five regions", "[ops][random]") {
  Tensor x = doubles({0.1, 0.9, 0.4, 10 / 24. + 1e-3, 0.5, 0.3}), alpha = doubles({0.5, 2, 10, 10, 3, 2}),
         total = doubles({6, 2.5, 24, 24, 12, 200});
  Tensor slope = ops::_dirichlet_grad(x, alpha, total),
         wanted = doubles({0.2584009566972279, 0.5304844718507439, 0.04207369474954499, 0.04300126001278097,
                           0.1262389571563832, 0.013929947481068985});
  CHECK(ops::abs(slope / wanted - 1).max().item<double>() < 1e-12);
  CHECK(values(ops::_dirichlet_grad(doubles({0, 0.5}), doubles({1, 0}), doubles({2, 1}))) == Numbers{0, 0});
  double nan = std::nan("");
  CHECK(std::isnan(ops::_dirichlet_grad(doubles({nan}), doubles({1}), doubles({2})).item<double>()));
  Tensor spread = ops::_dirichlet_grad(x.view({6, 1}).to(kFloat), alpha.to(kFloat), ops::full({}, 300.0, kFloat));
  CHECK(spread.sizes() == IntArrayRef({6, 6}));
  CHECK(spread.dtype() == kFloat);
  Tensor out = ops::empty({0}, kDouble);
  CHECK(values(ops::_dirichlet_grad(x, alpha, total, "out"_a = out)) == values(slope));
  CHECK_ERROR(ops::_dirichlet_grad(x, alpha.to(kFloat), total), TypeError,
              "_dirichlet_grad(): expected three tensors of one dtype, got float64, float32 and float64");
  CHECK_ERROR(ops::_dirichlet_grad(x.to(kHalf), x.to(kHalf), x.to(kHalf)), NotImplementedError,
              "\"_dirichlet_grad\" not implemented for 'Half'");
}

TEST_CASE("dropout keeps elements or channels by PyTorch's numbers and passes gradients through", "[ops][random]") {
  Tensor x = ops::ones({6}, kDouble).requires_grad_();
  auto [y, mask] = seeded([&] { return ops::native_dropout(x, 0.5, true); });
  CHECK(values(mask) == Numbers{1, 1, 0, 1, 0, 0});
  CHECK(values(y) == Numbers{2, 2, 0, 2, 0, 0});
  y.sum().backward();
  CHECK(values(x.grad()) == Numbers{2, 2, 0, 2, 0, 0});
  CHECK(values(seeded([] {
          return ops::feature_dropout(ops::ones({2, 3, 2}), 0.5, true);
        })) == Numbers{2, 2, 2, 2, 0, 0, 2, 2, 0, 0, 0, 0});
  CHECK(same_numbers(seeded([] { return ops::alpha_dropout(ops::ones({4}, kDouble), 0.5, true); }),
                     {1.6655988251839635, 1.6655988251839635, -0.7791939305180315, 1.6655988251839635}));
  Tensor plain = ops::ones({3});
  CHECK(ops::dropout(plain, 0.5, false).is_same(plain));
  CHECK_ERROR(ops::dropout(plain, 1.5, true), ValueError, "dropout probability has to be between 0 and 1, but got 1.5");
}

TEST_CASE("a generator's state is PyTorch's bytes, and brings the same numbers back", "[tensor][random]") {
  Generator g(3);
  CHECK(g.initial_seed() == 3);
  auto draw = [&] { return ops::rand({3}, "generator"_a = std::optional(g)); };
  ops::rand({5}, "generator"_a = std::optional(g));
  ops::randn({1}, "generator"_a = std::optional(g));
  Tensor state = g.get_state();
  REQUIRE(list(state.sizes()) == Ints{5056});
  const auto* bytes = static_cast<const unsigned char*>(state.data_ptr());
  CHECK((bytes[0] == 3 && bytes[8] == 104 && bytes[9] == 2 && bytes[12] == 1 && bytes[16] == 9));
  CHECK((bytes[5016] == 0 && bytes[5024] == 224 && bytes[5031] == 63 && bytes[5040] == 1));
  Generator other = g.clone();
  Numbers first = values(draw());
  CHECK(values(ops::rand({3}, "generator"_a = std::optional(other))) == first);
  g.set_state(state);
  CHECK(values(draw()) == first);
  CHECK_FALSE(values(draw()) == first);
  g.manual_seed(3);
  CHECK(values(ops::rand({2}, "generator"_a = std::optional(g))) ==
        values(ops::rand({2}, "generator"_a = std::optional(Generator(3)))));
  CHECK_ERROR(g.set_state(ops::zeros({5056})), TypeError, "RNG state must be a torch.ByteTensor");
  CHECK_ERROR(g.set_state(ops::zeros({5056}, kByte)), ValueError, "Invalid mt19937 state");
}

TEST_CASE("out forms of factories of random numbers draw PyTorch's numbers into the tensor they are given",
          "[ops][random]") {
  Tensor out = ops::empty({0}, kDouble), whole = ops::empty({5}, kLong), three = doubles({1, 1, 1});
  auto drawn = [&](auto call) {
    return seeded([&] {
      Tensor returned = call();
      CHECK((returned.is_same(out) || returned.is_same(whole)));
      return returned;
    });
  };
  const Numbers uniform{0.0341081956, 0.286740227, 0.772914944};
  CHECK(same_numbers(drawn([&] { return ops::rand({3}, "out"_a = out); }), uniform));
  CHECK(same_numbers(drawn([&] { return ops::rand({3}, "generator"_a = std::nullopt, "out"_a = out); }), uniform));
  CHECK(same_numbers(drawn([&] { return ops::rand_like(three, "out"_a = out); }), uniform));
  CHECK(same_numbers(drawn([&] { return ops::normal_functional_base_out(three, 2.0, 3.0, std::nullopt, out); }),
                     {4.40982823, 2.52450018, 2.26693429}));
  CHECK(same_numbers(drawn([&] {
                       return ops::randn({2, 2}, "out"_a = out);
                     }),
                     {0.803276078, 0.174833393, 0.088978095, -0.613718008}));
  CHECK(list(out.sizes()) == Ints{2, 2});
  CHECK(values(drawn([&] { return ops::randint(2, 9, {5}, "out"_a = whole); })) == Numbers{7, 5, 5, 6, 2});
  CHECK(values(drawn([&] { return ops::randint(9, {5}, "out"_a = whole); })) == Numbers{4, 5, 1, 3, 1});
  CHECK(values(drawn([&] { return ops::randint_like(whole, 9, "out"_a = whole); })) == Numbers{4, 5, 1, 3, 1});
  CHECK_THROWS_AS(ops::rand({5}, "out"_a = whole), NotImplementedError);
  CHECK_THROWS_AS(ops::rand_like(three, "out"_a = whole), NotImplementedError);
}

TEST_CASE("a tensor bounds random integers", "[ops][random]") {
  Tensor x = ops::zeros({50}), high = tensor({5});
  Generator by(3), again(3);
  Tensor drawn = ops::randint_like(x, high, "generator"_a = std::optional(by));
  CHECK(values(drawn) == values(ops::randint_like(x, 5, "generator"_a = std::optional(again))));
  CHECK(drawn.dtype() == kFloat);
  CHECK(ops::randint_like(x, high).max().item().to<double>() < 5);
  Tensor out = ops::empty({0}, "dtype"_a = kLong);
  CHECK(ops::randint_like(x, high, "out"_a = out).max().item().to<double>() < 5);
  CHECK_ERROR(ops::randint_like(x, tensor({5, 6})), ValueError, "high must be a scalar tensor and on CPU");
}

TEST_CASE("draws within a ForkRng leave no trace", "[ops]") {
  manual_seed(5);
  ops::randn({1});  // leaves the second number of its pair
  Tensor expected = [] {
    ForkRng fork;
    return ops::randn({4});
  }();
  {
    ForkRng fork;
    manual_seed(1);
    ops::rand({2000});
  }
  CHECK(ops::randn({4}).equal(expected));
  Tensor before = default_generator().get_state();
  {
    ForkRng off(false);
    ops::rand({1});
  }
  CHECK_FALSE(default_generator().get_state().equal(before));
}

TEST_CASE("a mask of a dropout is used again", "[ops][random]") {
  Tensor x = tensor({1.0, -2.0, 3.0}).requires_grad_(), mask = tensor({1, 0, 1}).to(kBool);
  Tensor y = ops::_masked_scale(x, mask, 2.5);
  CHECK(values(y.detach()) == Numbers{2.5, 0, 7.5});
  y.sum().backward();
  CHECK(values(x.grad()) == Numbers{2.5, 0, 2.5});
  Tensor out = ops::empty({0}, kHalf);
  ops::_masked_scale(x.detach().to(kHalf), mask.to(kByte), 2, "out"_a = out);
  CHECK(values(out) == Numbers{2, 0, 6});
  CHECK_ERROR(ops::_masked_scale(x, x, 2), TypeError, "_masked_scale(): expected a mask of bool or uint8, got float32");
  CHECK_ERROR(ops::_masked_scale(mask, mask, 2), TypeError, "_masked_scale(): expected floating numbers, got bool");
}
