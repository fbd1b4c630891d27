// Sampling at grids, fractional pooling, alignment losses and drawn samples on the simulated device.
#include <cmath>
#include <limits>
#include <vector>

#include <tenon/math/philox.hpp>
#include <tenon/math/samplers.hpp>
#include <tenon/tenon.hpp>

#include "device.hpp"
#include "support.hpp"

using namespace tenon;
using namespace tenon::test;

namespace {

void check_close(const Tensor& device, const Tensor& expected, double relative = 1e-4) {
  CHECK(device.device() == kCuda);
  CHECK(device.dtype() == expected.dtype());
  CHECK(ops::allclose(on_cpu(device), expected, relative, relative / 10, true));
}

}  // namespace

TEST_CASE("images and volumes are sampled at a grid, and both have the CPU's gradients", "[cuda_sim]") {
  Tensor image = waves({2, 3, 5, 4}, 0.7), points = waves({2, 3, 7, 2}, 0.31) * 1.6;
  Tensor volume = waves({2, 2, 3, 5, 4}, 0.7), places = waves({2, 2, 3, 4, 3}, 0.31) * 1.6;
  auto check = [](const Tensor& x, const Tensor& grid, std::int64_t mode, std::int64_t padding, bool align) {
    INFO("mode " << mode << ", padding " << padding << ", corners " << align << ", " << x.dim());
    Tensor a = x.clone().requires_grad_(), g = grid.clone().requires_grad_(), b = there(x).requires_grad_(),
           h = there(grid).requires_grad_();
    Tensor here = ops::grid_sampler(a, g, mode, padding, align), far = ops::grid_sampler(b, h, mode, padding, align);
    check_close(far.detach(), here.detach());
    Tensor weight = waves(here.sizes(), 0.9, x.dtype());
    ops::sum(here * weight).backward();
    ops::sum(far * there(weight)).backward();
    check_close(b.grad(), a.grad());
    check_close(h.grad(), g.grad(), 1e-3);
  };
  for (std::int64_t padding : {0, 1, 2})
    for (bool align : {false, true}) {
      for (std::int64_t mode : {0, 1, 2}) check(image, points, mode, padding, align);
      for (std::int64_t mode : {0, 1}) check(volume, places, mode, padding, align);
    }
  check(image.to(kDouble), points.to(kDouble), 0, 0, false);
  Tensor halves = there(image.to(kHalf)), at = there(points.to(kHalf));
  check_close(ops::grid_sampler(halves, at, 0, 0, true),
              ops::grid_sampler(image.to(kHalf), points.to(kHalf), 0, 0, true), 1e-2);
  // One of the two gradients.
  Tensor fixed = there(points), x = there(image).requires_grad_();
  ops::sum(ops::grid_sampler(x, fixed, 0, 0, false)).backward();
  Tensor here = image.clone().requires_grad_();
  ops::sum(ops::grid_sampler(here, points, 0, 0, false)).backward();
  check_close(x.grad(), here.grad());
  Tensor moved = there(points).requires_grad_(), beside = points.clone().requires_grad_();
  ops::sum(ops::grid_sampler(there(image), moved, 0, 0, false)).backward();
  ops::sum(ops::grid_sampler(image, beside, 0, 0, false)).backward();
  check_close(moved.grad(), beside.grad(), 1e-3);
  CHECK(ops::grid_sampler(there(image.slice(1, 0, 0)), there(points), 0, 0, false).numel() == 0);
  CHECK_THROWS_AS(ops::grid_sampler(there(image.to(kInt)), there(points.to(kInt)), 0, 0, false), NotImplementedError);
}

TEST_CASE("windows of fractional pooling lie where the numbers say", "[cuda_sim]") {
  for (ScalarType dtype : {kFloat, kDouble, kHalf}) {
    Tensor image = waves({2, 3, 9, 7}, 0.7, dtype), volume = waves({3, 6, 9, 7}, 0.7, dtype);
    Tensor two = ops::abs(waves({2, 3, 2}, 1.3, dtype)), three = ops::abs(waves({1, 3, 3}, 1.9, dtype));
    auto [y, at] = ops::fractional_max_pool2d(image, {2, 3}, {4, 3}, two);
    auto [z, in] = ops::fractional_max_pool2d(there(image), {2, 3}, {4, 3}, there(two));
    CHECK(ops::equal(on_cpu(z), y));
    CHECK(ops::equal(on_cpu(in), at));
    auto [v, from] = ops::fractional_max_pool3d(volume, {2, 3, 2}, {3, 4, 1}, three);
    auto [w, to] = ops::fractional_max_pool3d(there(volume), {2, 3, 2}, {3, 4, 1}, there(three));
    CHECK(ops::equal(on_cpu(w), v));
    CHECK(ops::equal(on_cpu(to), from));
  }
  Tensor x = waves({1, 2, 6, 6}, 0.7), samples = ops::full({1, 2, 2}, 2.0);  // no number of [0, 1]: as zero
  auto [y, at] = ops::fractional_max_pool2d(there(x), {2, 2}, {3, 3}, there(samples));
  CHECK(ops::equal(on_cpu(y), std::get<0>(ops::fractional_max_pool2d(x, {2, 2}, {3, 3}, samples * 0))));
  CHECK_THROWS_AS(ops::fractional_max_pool2d(there(x.to(kInt)), {2, 2}, {3, 3}, there(samples)), Error);
}

TEST_CASE("losses of alignments and their gradients are the CPU's", "[cuda_sim]") {
  // 70 states: several warps; an example without labels, one too short for its labels, one that repeats a label.
  for (ScalarType dtype : {kFloat, kDouble})
    for (bool zero_infinity : {false, true}) {
      INFO("zero infinity " << zero_infinity);
      Tensor logits = waves({50, 5, 9}, 0.37, dtype);
      Tensor labels = ops::remainder(ops::arange(5 * 35) * 7 + 1, 8).reshape({5, 35}) + 1;
      ops::fill_(labels.select(0, 4), 3);
      DimVector times{50, 44, 3, 50, 41}, lengths{35, 20, 6, 0, 20};
      auto run = [&](const Tensor& x, const Tensor& y, std::int64_t reduction) {
        return ops::ctc_loss(ops::log_softmax(x, 2), y, times, lengths, 0, reduction, zero_infinity);
      };
      for (std::int64_t reduction : {0, 1}) {
        Tensor a = logits.clone().requires_grad_(), b = there(logits).requires_grad_();
        Tensor here = run(a, labels, reduction), far = run(b, there(labels), reduction);
        check_close(far.detach(), here.detach());
        if (!zero_infinity) continue;
        ops::sum(here).backward();
        ops::sum(far).backward();
        check_close(b.grad(), a.grad(), 1e-3);
      }
      // A list of all labels, narrow, of the host.
      Tensor list = ops::cat({labels.select(0, 0), labels.select(0, 1).slice(0, 0, 20)}).to(kInt);
      Tensor two = ops::log_softmax(logits.slice(1, 0, 2), 2);
      DimVector t{50, 44}, n{35, 20};
      check_close(ops::ctc_loss(there(two), list, t, n, 0, 0, zero_infinity),
                  ops::ctc_loss(two, list, t, n, 0, 0, zero_infinity));
    }
  Tensor p = there(ops::log_softmax(waves({6, 2, 4}, 0.37), 2)), bad = there(tensor({1, 2, 1, 4}).reshape({2, 2}));
  DimVector t{6, 6}, n{2, 2}, none{0, 0}, some{2, 1};
  CHECK_ERROR_CONTAINS(ops::ctc_loss(p, bad, t, n), IndexError, "a label of example 1 is out of range [0, 4)");
  CHECK_ERROR_CONTAINS(ops::ctc_loss(p, bad - 2, t, n), IndexError, "is out of range [0, 4)");
  CHECK(std::isfinite(ops::ctc_loss(p, bad, t, some).item<double>()));  // what is no label is not read
  Tensor empty = ops::zeros({2, 0}, "dtype"_a = kLong, "device"_a = kCuda);
  CHECK(on_cpu(ops::ctc_loss(p, empty, none, none, 0, 2)).item<double>() == 0);
  CHECK(on_cpu(ops::ctc_loss(p, bad, none, some, 0, 2)).item<double>() == std::numeric_limits<double>::infinity());
  CHECK_THROWS_AS(ops::ctc_loss(p.to("dtype"_a = kHalf), bad, t, n), NotImplementedError);
  // A gradient where no path reaches the end is not a number, unless infinite losses are to be zero.
  Tensor q = ops::log_softmax(waves({3, 1, 4}, 0.37), 2), same = tensor({1, 1, 1}).reshape({1, 3});
  DimVector short_time{3}, three{3};
  Tensor a = q.clone().requires_grad_(), b = there(q).requires_grad_();
  ops::sum(ops::ctc_loss(a, same, short_time, three)).backward();
  ops::sum(ops::ctc_loss(b, there(same), short_time, three)).backward();
  check_close(b.grad(), a.grad());
}

namespace {

/// The words of a sequence, one after the other.
struct Words {
  std::uint64_t seed, offset;
  std::int64_t sequence;
  int used = 0;
  float other = 0;
  bool has_other = false;
  float unit() {
    std::uint64_t counter = offset / 4 + static_cast<std::uint64_t>(used / 4);
    std::uint32_t w = math::philox({{static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
                                     static_cast<std::uint32_t>(sequence), 0}},
                                   seed)
                          .at[used % 4];
    ++used;
    return static_cast<float>(w) * 0x1p-32f + 0x1p-33f;
  }
  float uniform() { return unit(); }
  float normal() {
    if (has_other) return has_other = false, other;
    float radius = std::sqrt(-2 * std::log(unit())), angle = unit() * 6.2831855f;
    other = radius * std::cos(angle), has_other = true;
    return radius * std::sin(angle);
  }
};
/// How many elements are not what f(i, words of a sequence) makes.
template <class F>
std::int64_t others(const Tensor& drawn, std::uint64_t seed, std::uint64_t offset, F f) {
  Tensor here = on_cpu(drawn).to(kDouble);
  const double* x = here.data_ptr<double>();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < here.numel(); ++i) {
    double expected = f(i, [&](std::int64_t sequence) { return Words{seed, offset, sequence}; });
    wrong += !(std::abs(x[i] - expected) <= 2e-4 * (1 + std::abs(expected)));
  }
  return wrong;
}
void check_moments(const Tensor& t, double mean, double deviation) {
  Tensor x = on_cpu(t).to(kDouble);
  CHECK(ops::mean(x).item<double>() == Approx(mean).margin(0.05 * deviation));
  CHECK(ops::std(x).item<double>() == Approx(deviation).epsilon(0.1));
}

}  // namespace

TEST_CASE("samples are made of the words of their element's sequence", "[cuda_sim]") {
  constexpr std::uint64_t seed = 0x23456789abull;
  constexpr std::int64_t n = 1500;
  Tensor parameter = ops::arange(1, n + 1, "dtype"_a = kFloat) / 40.0;  // up to 37.5
  const float* a = parameter.data_ptr<float>();
  manual_seed(seed);
  Tensor counts = ops::poisson(there(parameter)), gammas = ops::_standard_gamma(there(parameter / 20.0)),
         trials = ops::binomial(there(ops::ceil(parameter)), ops::full({}, 0.4, "device"_a = kCuda));
  auto rate = [&](std::int64_t i, auto words) {
    Words w = words(i);
    float product = std::exp(a[i]);
    double k = -1;
    do ++k, product *= w.unit();
    while (product > 1);
    return k;
  };
  CHECK(others(counts, seed, 0, rate) <= 2);  // of the rounding of a product near one
  // Rounded logarithms may turn a rejection.
  CHECK(others(gammas, seed, 20, [&](std::int64_t i, auto words) {
          Words w = words(i);
          return static_cast<double>(math::gamma_draw(a[i] / 20.0f, w));
        }) <= 5);
  // A lane of 128 has four elements from one sequence.
  std::vector<Words> lanes;
  CHECK(others(trials, seed, 32, [&](std::int64_t i, auto words) {
          std::int64_t lane = i / 512 * 128 + i % 128;
          while (static_cast<std::int64_t>(lanes.size()) <= lane)
            lanes.push_back(words(static_cast<std::int64_t>(lanes.size())));
          return static_cast<double>(math::binomial_draw(std::ceil(a[i]), 0.4f, lanes[static_cast<std::size_t>(lane)]));
        }) <= 20);
  // 32 and 44 words later.
  Tensor after = ops::empty({64}, "device"_a = kCuda);
  ops::uniform_(after);
  CHECK(others(after, seed, 76, [&](std::int64_t i, auto words) { return words(i).unit(); }) == 0);
}

TEST_CASE("samples of every parameter have their moments", "[cuda_sim]") {
  manual_seed(11);
  auto all = [](double x, ScalarType dtype) { return ops::full({5000}, x, "dtype"_a = dtype, "device"_a = kCuda); };
  for (double rate : {0.3, 12.0, 63.5, 100.0, 3000.0, 9000.0}) {
    INFO("rate " << rate);
    for (ScalarType dtype : {kFloat, kDouble}) {
      Tensor x = ops::poisson(all(rate, dtype));
      check_moments(x, rate, std::sqrt(rate));
      CHECK(ops::equal(on_cpu(x), ops::floor(on_cpu(x))));
    }
  }
  CHECK(ops::equal(on_cpu(ops::poisson(all(0, kFloat))), ops::zeros({5000})));
  for (double alpha : {0.4, 1.0, 7.0})
    for (ScalarType dtype : {kFloat, kDouble})
      check_moments(ops::_standard_gamma(all(alpha, dtype)), alpha, std::sqrt(alpha));
  for (auto [count, p] : {std::pair(8.0, 0.3), std::pair(100.0, 0.3), std::pair(100.0, 0.8)})
    check_moments(ops::binomial(all(count, kFloat), all(p, kFloat)), count * p, std::sqrt(count * p * (1 - p)));
  CHECK(ops::equal(on_cpu(ops::binomial(all(7, kFloat), all(1, kFloat))), ops::full({5000}, 7.0)));
  CHECK(ops::max(on_cpu(ops::binomial(all(7, kFloat), all(0, kFloat)))).item<double>() == 0);
  Tensor shares = on_cpu(ops::_sample_dirichlet(there(tensor({0.5f, 2.0f, 1.5f}).expand({3000, 3}))));
  CHECK(ops::allclose(ops::sum(shares, {1}), ops::ones({3000})));
  CHECK(ops::mean(shares.select(1, 1)).item<double>() == Approx(0.5).margin(0.02));
  CHECK(ops::min(shares).item<double>() > 0);
  CHECK(ops::min(on_cpu(ops::_standard_gamma(all(0, kFloat)))).item<double>() ==
        static_cast<double>(std::numeric_limits<float>::min()));
  CHECK_ERROR_CONTAINS(ops::poisson(all(-1, kFloat)), ValueError, "invalid Poisson rate");
  CHECK_THROWS_AS(ops::poisson(all(1, kInt)), NotImplementedError);
  CHECK(ops::poisson(ops::empty({0}, "device"_a = kCuda)).numel() == 0);
  CHECK_ERROR_CONTAINS(ops::binomial(all(1, kFloat), all(0, kDouble)), ValueError, "Found dtype");
}

TEST_CASE("how gamma samples move with their parameter is as on the CPU", "[cuda_sim]") {
  for (ScalarType dtype : {kFloat, kDouble}) {
    Tensor alpha = ops::abs(waves({40}, 0.9, dtype)) * 6 + 0.05, x = ops::abs(waves({40}, 0.5, dtype)) * 9 + 0.01;
    check_close(ops::_standard_gamma_grad(there(alpha), there(x)), ops::_standard_gamma_grad(alpha, x));
  }
  CHECK_THROWS_AS(ops::_standard_gamma_grad(ops::ones({2}, "device"_a = kCuda), ops::ones({3}, "device"_a = kCuda)),
                  ValueError);
}

TEST_CASE("slopes of rrelu are the numbers of a grid of lanes, kept for the gradient", "[cuda_sim]") {
  constexpr std::uint64_t seed = 77;
  constexpr std::int64_t n = 4096 * 5 + 33, lanes = 4096;
  Tensor x = ops::remainder(ops::arange(n, "dtype"_a = kFloat), 7) - 3, noise = ops::empty({n}, "device"_a = kCuda);
  manual_seed(seed);
  Tensor y = ops::rrelu_with_noise(there(x), noise, 0.2, 0.6, true);
  const float* from = x.data_ptr<float>();
  auto slope = [&](std::int64_t i, auto words) {
    if (from[i] > 0) return 1.0;
    Words w = words(i % lanes);
    w.used = static_cast<int>(i / lanes);
    return static_cast<double>(w.unit()) * (0.6 - 0.2) + 0.2;
  };
  CHECK(others(noise, seed, 0, slope) == 0);
  CHECK(others(y, seed, 0,
               [&](std::int64_t i, auto words) { return static_cast<double>(from[i]) * slope(i, words); }) == 0);
  for (ScalarType dtype : {kFloat, kDouble, kHalf}) {
    Tensor a = there(x.slice(0, 0, 500).to(dtype)).requires_grad_();
    Tensor b = ops::rrelu(a, 0.1, 0.3, true);
    ops::sum(b).backward();
    Tensor at = on_cpu(a.detach()), slopes = on_cpu(a.grad());
    CHECK(ops::allclose(on_cpu(b.detach()), at * slopes, 1e-3, 1e-3));
    CHECK(ops::min(slopes).item<double>() >= 0.0999);
    CHECK(ops::max(slopes).item<double>() == 1);
  }
  check_close(ops::rrelu(there(x), 0.1, 0.3, false), ops::rrelu(x, 0.1, 0.3, false));
  CHECK_THROWS_AS(ops::rrelu(there(x), 0.3, 0.1, true), ValueError);
}
