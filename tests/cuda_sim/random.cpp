// Random numbers on the simulated device: PyTorch's for the seed.
#include <tenon/tenon.hpp>

#include "../catch.hpp"
#include "device.hpp"

using namespace tenon;

namespace {

const Device kCuda("cuda:0");
Tensor on_cpu(const Tensor& t) { return t.to(kCPU, t.dtype()); }
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
