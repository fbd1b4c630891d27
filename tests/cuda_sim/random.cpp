// Random numbers on the simulated device: PyTorch's for the seed.
#include <algorithm>
#include <cmath>
#include <vector>

#include <tenon/autograd/graph/checkpoint.hpp>
#include <tenon/cuda/rng_state.hpp>
#include <tenon/math/philox.hpp>
#include <tenon/tenon.hpp>

#include "device.hpp"
#include "support.hpp"

using namespace tenon;
using namespace tenon::test;

namespace {

void check_close(const Tensor& t, std::initializer_list<double> expected) {
  Tensor here = on_cpu(t);
  std::int64_t i = 0;
  for (double x : expected) CHECK(here.select(0, i++).item<double>() == Approx(x).margin(6e-5));
}

}  // namespace

TEST_CASE("uniform and normal numbers are those that PyTorch prints for the seed on a CUDA device", "[cuda_sim]") {
  manual_seed(0);
  check_close(ops::rand({5}, "device"_a = kCuda), {0.3990, 0.5167, 0.0249, 0.9401, 0.9459});
  manual_seed(0);
  check_close(ops::randn({6}, "device"_a = kCuda), {-0.9247, -0.4253, -2.6438, 0.1452, -0.1209, -0.5797});
}

TEST_CASE("a seed repeats all that follows it, and calls go on where the last one ended", "[cuda_sim]") {
  auto draw = [] {
    Tensor x = ops::empty({3000}, "device"_a = kCuda);
    ops::uniform_(x);
    Tensor y = ops::randn({3000}, "device"_a = kCuda);
    return std::pair(on_cpu(x), on_cpu(y));
  };
  manual_seed(7);
  auto [a, b] = draw();
  auto [c, d] = draw();
  manual_seed(7);
  auto [e, f] = draw();
  CHECK(ops::equal(a, e));
  CHECK(ops::equal(b, f));
  CHECK_FALSE(ops::equal(a, c));
  CHECK_FALSE(ops::equal(b, d));
}

TEST_CASE("the state of a device's numbers is kept and restored", "[cuda_sim]") {
  manual_seed(11);
  Tensor state = cuda::get_rng_state(0), x = on_cpu(ops::randn({100}, "device"_a = kCuda)),
         behind = cuda::get_rng_state();
  CHECK(state.numel() == 16);
  CHECK(state.data_ptr<std::uint8_t>()[0] == 11);
  CHECK_FALSE(ops::equal(state, behind));
  cuda::set_rng_state(state);
  CHECK(ops::equal(on_cpu(ops::randn({100}, "device"_a = kCuda)), x));
  CHECK(ops::equal(cuda::get_rng_state(0), behind));
  CHECK_ERROR_CONTAINS(cuda::get_rng_state(7), ValueError, "no device cuda:7: the process has 1 of CUDA");
  CHECK_ERROR_CONTAINS(cuda::set_rng_state(ops::zeros({16})), TypeError,
                       "set_rng_state(): expected a uint8 tensor on the CPU");
  CHECK_ERROR_CONTAINS(cuda::set_rng_state(state.slice(0, 0, 8)), ValueError,
                       "set_rng_state(): expected 16 bytes, got shape [8]");
  state.data_ptr<std::uint8_t>()[8] = 2;
  CHECK_ERROR_CONTAINS(cuda::set_rng_state(state), ValueError,
                       "set_rng_state(): offset must be a multiple of 4, got 2");
}

TEST_CASE("the second run of a checkpoint draws what the first drew on the device", "[cuda_sim]") {
  manual_seed(4);
  Tensor x = ops::ones({512}, "device"_a = kCuda).requires_grad_();
  Tensor y = autograd::checkpoint([](const Tensor& t) { return ops::dropout(ops::mul(t, t), 0.5, true); }, x);
  Tensor state = cuda::get_rng_state();
  ops::sum(y).backward();
  CHECK(ops::equal(on_cpu(x.grad()), on_cpu(y.detach()) * 2));
  // Which leaves what comes next as it was.
  CHECK(ops::equal(cuda::get_rng_state(), state));
}

TEST_CASE("more numbers than the device has lanes come from further words of each lane", "[cuda_sim]") {
  // The simulated device has 4096 lanes: number i + 4096 k is word k of lane i.
  manual_seed(3);
  Tensor many = on_cpu(ops::randint(0, 1 << 20, {3 * 4096 + 5}, "device"_a = kCuda));
  manual_seed(3);
  Tensor few = on_cpu(ops::randint(0, 1 << 20, {4096}, "device"_a = kCuda));
  CHECK(ops::equal(many.slice(0, 0, 4096), few));
  CHECK(ops::min(many).item<std::int64_t>() >= 0);
  CHECK(ops::max(many).item<std::int64_t>() < 1 << 20);
  CHECK(ops::mean(many.to(kCPU, kDouble)).item<double>() == Approx(1 << 19).epsilon(0.02));
  CHECK(std::get<0>(ops::_unique(many)).numel() > 3 * 4096 * 0.98);
}

TEST_CASE("distributions on the device have their moments and bounds", "[cuda_sim]") {
  manual_seed(1);
  auto moments = [](const Tensor& t, double mean, double deviation) {
    Tensor x = on_cpu(t).to(kCPU, kDouble);
    CHECK(ops::mean(x).item<double>() == Approx(mean).margin(0.06));
    CHECK(ops::std(x).item<double>() == Approx(deviation).margin(0.06));
  };
  Tensor x = ops::empty({20000}, "device"_a = kCuda);
  for (ScalarType dtype : {kFloat, kDouble, kHalf}) {
    Tensor t = ops::empty({20000}, "dtype"_a = dtype, "device"_a = kCuda);
    moments(ops::uniform_(t, -1.0, 3.0), 1, 4 / std::sqrt(12.0));
    CHECK(ops::max(on_cpu(t)).item<double>() < 3);
    moments(ops::normal_(t, 2.0, 1.5), 2, 1.5);
  }
  moments(ops::exponential_(x, 2.0), 0.5, 0.5);
  CHECK(ops::min(on_cpu(x)).item<double>() > 0);
  moments(ops::bernoulli_(x, 0.25), 0.25, std::sqrt(0.25 * 0.75));
  moments(ops::bernoulli(ops::full({20000}, 0.75, "device"_a = kCuda)), 0.75, std::sqrt(0.25 * 0.75));
  moments(ops::log_normal_(x, 0.0, 0.25), std::exp(0.03125), 0.29);
  moments(ops::geometric_(x, 0.5), 2, std::sqrt(2.0));
  CHECK_ERROR_CONTAINS(ops::bernoulli(ops::full({3}, 1.5, "device"_a = kCuda)), ValueError, "p_in <= 1");
  CHECK_ERROR_CONTAINS(ops::uniform_(x, 1.0, 0.0), ValueError, "uniform_ expects to return a [from, to) range");
  CHECK_ERROR_CONTAINS(ops::uniform_(x, 0.0, 1.0, "generator"_a = Generator(1)), ValueError,
                       "Expected a 'cuda' device type for generator but found 'cpu'");
}

TEST_CASE("permutations are the host's, and those of strided tensors fill them", "[cuda_sim]") {
  manual_seed(5);
  Tensor there = ops::randperm(50, "device"_a = kCuda);
  manual_seed(5);
  CHECK(ops::equal(on_cpu(there), ops::randperm(50)));
  Tensor x = ops::zeros({10, 6}, "device"_a = kCuda), columns = x.slice(1, 0, 6, 2);
  ops::fill_(columns, 5.0);
  ops::random_(columns, 0, std::optional<std::int64_t>(3));
  Tensor here = on_cpu(x);
  CHECK(ops::max(here).item<double>() < 3);
  CHECK(ops::equal(here.slice(1, 1, 6, 2), ops::zeros({10, 3})));
}

TEST_CASE("dropout on the device keeps a share, and its gradient goes where elements stayed", "[cuda_sim]") {
  manual_seed(2);
  for (std::int64_t n : {40000, 20002, 9999}) {
    Tensor x = ops::ones({n}, "device"_a = kCuda).requires_grad_();
    Tensor y = ops::dropout(x, 0.25, true);
    Tensor here = on_cpu(y.detach());
    CHECK(ops::mean(ops::gt(here, 0).to(kCPU, kFloat)).item<double>() == Approx(0.75).margin(0.02));
    CHECK(ops::allclose(ops::max(here), ops::full({}, 1 / 0.75)));
    ops::sum(y).backward();
    CHECK(ops::equal(on_cpu(x.grad()), here));
    CHECK(ops::equal(on_cpu(ops::dropout(x.detach(), 0.25, false)), ops::ones({n})));
  }
}

namespace {

constexpr std::int64_t kLanes = 4096;  // of the simulated device, in blocks of 256
std::int64_t lanes_for(std::int64_t n) { return std::min((n + 255) / 256 * 256, kLanes); }
/// Word `k` of step `step` of a lane, for the seed and behind so many words of all lanes.
std::uint32_t word(std::uint64_t seed, std::uint64_t offset, std::int64_t lane, std::int64_t step, int k) {
  std::uint64_t counter = offset / 4 + static_cast<std::uint64_t>(step);
  return math::philox({{static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
                        static_cast<std::uint32_t>(lane), 0}},
                      seed)
      .at[k];
}
/// Numbers of a call that makes `parts` of each step: f(words of the number's step, its part).
template <class F>
std::vector<double> drawn(std::uint64_t seed, std::uint64_t offset, std::int64_t n, int parts, F f) {
  std::vector<double> out;
  std::int64_t lanes = lanes_for(n);
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint32_t w[4];
    for (int k = 0; k < 4; ++k) w[k] = word(seed, offset, i % lanes, i / lanes / parts, k);
    out.push_back(f(w, static_cast<int>(i / lanes % parts)));
  }
  return out;
}
double unit(std::uint32_t w) { return w * 0x1p-32 + 0x1p-33; }
double unit53(std::uint32_t low, std::uint32_t high) {
  return static_cast<double>(low ^ std::uint64_t{high} << 21) * 0x1p-53 + 0x1p-54;
}
double uniform(const std::uint32_t* w, int k) { return unit(w[k]); }
double normal_number(const std::uint32_t* w, int k) {
  double radius = std::sqrt(-2 * std::log(unit(w[k / 2 * 2]))), angle = unit(w[k / 2 * 2 + 1]) * 6.283185307179586;
  return radius * (k % 2 ? std::cos(angle) : std::sin(angle));
}
void check_numbers(const Tensor& t, const std::vector<double>& expected, double relative = 1e-4) {
  Tensor here = on_cpu(t).to(kCPU, kDouble);
  const double* x = here.data_ptr<double>();
  std::int64_t wrong = 0, first = -1;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(x[i] - expected[i]) <= relative * (1 + std::abs(expected[i])))) {
      if (first < 0) first = static_cast<std::int64_t>(i);
      ++wrong;
    }
  INFO("first at " << first << ": " << (first < 0 ? 0 : x[first]) << ", expected "
                   << (first < 0 ? 0 : expected[static_cast<std::size_t>(first)]));
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("every number of a distribution is made of the words of its lane and step", "[cuda_sim]") {
  constexpr std::uint64_t seed = 0x123456789abcdefull;
  constexpr std::int64_t n = 5 * kLanes + 77;  // two steps of four parts
  auto check = [&](auto draw, auto f, double relative = 1e-4) {
    manual_seed(seed);
    Tensor x = ops::empty({n}, "device"_a = kCuda), y = ops::empty({300}, "device"_a = kCuda);
    draw(x);
    draw(y);  // goes on behind the two steps
    check_numbers(x, drawn(seed, 0, n, 4, f), relative);
    check_numbers(y, drawn(seed, 8, 300, 4, f), relative);
  };
  check([](Tensor& t) { ops::uniform_(t, -1.0, 3.0); }, [](auto* w, int k) { return uniform(w, k) * 4 - 1; });
  check([](Tensor& t) { ops::normal_(t, 2.0, 1.5); }, [](auto* w, int k) { return normal_number(w, k) * 1.5 + 2; });
  check([](Tensor& t) { ops::log_normal_(t, 0.5, 0.25); },
        [](auto* w, int k) { return std::exp(normal_number(w, k) * 0.25 + 0.5); });
  check([](Tensor& t) { ops::exponential_(t, 2.0); }, [](auto* w, int k) { return -std::log(uniform(w, k)) / 2; });
  check([](Tensor& t) { ops::geometric_(t, 0.3); },
        [](auto* w, int k) { return std::ceil(std::log(uniform(w, k)) / std::log(0.7)); }, 1e-3);
  check([](Tensor& t) { ops::cauchy_(t, 1.0, 0.5); },
        [](auto* w, int k) { return 1 + 0.5 * std::tan(3.14159265358979 * (uniform(w, k) - 0.5)); }, 2e-2);
  check([](Tensor& t) { ops::bernoulli_(t, 0.25); }, [](auto* w, int k) { return uniform(w, k) < 0.25; });
  check([](Tensor& t) { ops::random_(t, 5, std::optional<std::int64_t>(1005)); },
        [](auto* w, int k) { return w[k] % 1000 + 5; });

  manual_seed(seed);
  Tensor wide = ops::empty({n}, "dtype"_a = kDouble, "device"_a = kCuda);
  check_numbers(ops::uniform_(wide, -1.0, 3.0),
                drawn(seed, 0, n, 2, [](auto* w, int k) { return unit53(w[2 * k], w[2 * k + 1]) * 4 - 1; }), 1e-12);
  manual_seed(seed);
  check_numbers(ops::normal_(wide, 1.0, 2.0),
                drawn(seed, 0, n, 2,
                      [](auto* w, int k) {
                        double radius = std::sqrt(-2 * std::log(unit53(w[0], w[1]))),
                               angle = 6.283185307179586 * unit53(w[2], w[3]);
                        return 1 + 2 * radius * (k ? std::cos(angle) : std::sin(angle));
                      }),
                1e-9);
  manual_seed(seed);
  Tensor big = ops::empty({n}, "dtype"_a = kLong, "device"_a = kCuda);
  ops::random_(big, 0, std::optional<std::int64_t>(std::int64_t{1} << 40));
  check_numbers(
      big,
      drawn(seed, 0, n, 2,
            [](auto* w, int k) {
              return static_cast<double>((std::uint64_t{w[2 * k]} << 32 | w[2 * k + 1]) % (std::uint64_t{1} << 40));
            }),
      1e-15);
}

TEST_CASE("each element has its own probability, four neighbours a lane", "[cuda_sim]") {
  constexpr std::uint64_t seed = 99;
  for (std::int64_t n : {std::int64_t{1}, std::int64_t{7}, 4 * kLanes + 3}) {
    manual_seed(seed);
    Tensor p = ops::remainder(ops::arange(n, "dtype"_a = kFloat), 11) / 10;
    Tensor x = ops::bernoulli(p.to(kCuda, kFloat));
    std::vector<double> expected;
    for (std::int64_t i = 0; i < n; ++i)
      expected.push_back(unit(word(seed, 0, i / 4, 0, static_cast<int>(i % 4))) <= p.data_ptr<float>()[i]);
    check_numbers(x, expected);
  }
  for (std::int64_t bad : {0, 1, 5}) {
    Tensor p = ops::full({6}, 0.5);
    p.data_ptr<float>()[bad] = -0.5f;
    CHECK_THROWS_AS(ops::bernoulli(p.to(kCuda, kFloat)), ValueError);
  }
}

TEST_CASE("what dropout keeps is told by the words of the lane that has so many neighbours", "[cuda_sim]") {
  constexpr std::uint64_t seed = 5;
  for (std::int64_t n : {4 * 9 * kLanes + 8, 2 * 5 * kLanes + 2, 5 * kLanes + 1, std::int64_t{301}}) {
    INFO(n);
    manual_seed(seed);
    Tensor x = ops::arange(1, n + 1, "dtype"_a = kFloat);
    auto [y, mask] = ops::native_dropout(x.to(kCuda, kFloat), 0.25, std::optional<bool>(true));
    std::int64_t v = n % 4 == 0 ? 4 : n % 2 == 0 ? 2 : 1;
    // Lanes for vectors, or for single elements, which are `lanes` apart.
    std::int64_t lanes = lanes_for(v == 1 ? n : (n + v - 1) / v);
    std::vector<double> stays, kept;
    for (std::int64_t i = 0; i < n; ++i) {
      std::int64_t lane = i / v % lanes, used = v == 1 ? i / lanes : i / v / lanes * v + i % v;
      stays.push_back(unit(word(seed, 0, lane, used / 4, static_cast<int>(used % 4))) < 0.75);
      kept.push_back(stays.back() != 0 ? static_cast<double>(i + 1) / 0.75 : 0);
    }
    check_numbers(mask, stays);
    check_numbers(y, kept);
  }
}
