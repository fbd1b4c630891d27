// Scales and zero points chosen from ranges, and observers of fake quantisation: the answers of torch 2.15.
#include <cmath>

#include "../ops/support.hpp"

using namespace test;

namespace {

Tensor floats(const Numbers& list) { return tensor(list).to(kFloat); }
Tensor sample() { return floats({0.5, -1.25, 2.0, 3.0, 0.0, -0.75}).view({2, 3}); }

struct Observer {
  Tensor least, greatest, scale, zero_point;
  Observer(const Numbers& min, const Numbers& max, const Numbers& s, const Numbers& z)
      : least(floats(min)), greatest(floats(max)), scale(floats(s)), zero_point(tensor(z).to(kInt)) {}
  auto operator()(const Tensor& x, bool on, bool quantise, std::int64_t low, std::int64_t high, bool by_row = false,
                  bool symmetric = false) {
    return ops::_fused_moving_avg_obs_fq_helper(x, tensor({on ? 1 : 0}), tensor({quantise ? 1 : 0}), least, greatest,
                                                scale, zero_point, 0.1, low, high, 0, by_row, symmetric);
  }
};
bool near(const Tensor& t, const Numbers& expected) {
  return ops::allclose(t.to(kDouble), tensor(expected).to(kDouble).view(t.sizes()), 1e-4, 1e-4);
}

}  // namespace

TEST_CASE("a range gives a scale and a zero point", "[composite][quantization_range]") {
  using Chosen = std::tuple<double, std::int64_t>;
  CHECK(ops::_choose_qparams_per_tensor(sample()) == Chosen{0.016666666666666666, 75});
  CHECK(ops::_choose_qparams_per_tensor(sample(), true) == Chosen{0.03346456692913386, 37});
  CHECK(ops::_choose_qparams_per_tensor(ops::zeros({3})) == Chosen{0.1, 0});
  CHECK(ops::_choose_qparams_per_tensor(floats({5, 7})) == Chosen{0.027450980392156862, 0});
  CHECK(ops::_choose_qparams_per_tensor(floats({-5, -7})) == Chosen{0.027450980392156862, 255});
  CHECK(ops::_choose_qparams_per_tensor(tensor({1, 2})) == Chosen{0.00784313725490196, 0});
}
TEST_CASE("a range is narrowed while less is lost", "[composite][quantization_range]") {
  auto [high, low] = ops::choose_qparams_optimized(sample(), 6, 200, 0.16, 4);
  CHECK(near(high, {3}));
  CHECK(near(low, {-1.2075}));
  std::tie(high, low) = ops::choose_qparams_optimized(sample(), 6, 10, 0.5, 2);
  CHECK(near(high, {3}));
  CHECK(near(low, {-0.825}));
  std::tie(high, low) = ops::choose_qparams_optimized(sample(), 0, 10, 0.5, 2);
  CHECK(values(high) == Numbers{0.5});
  CHECK(values(low) == Numbers{0.5});
  std::tie(high, low) = ops::choose_qparams_optimized(ops::_neg_view(-sample()), 6, 200, 0.16, 4);
  CHECK(near(high, {3}));
  CHECK_ERROR(ops::choose_qparams_optimized(sample(), 7, 10, 0.5, 2), ValueError,
              "numel is out of the bound of input tensor");
  CHECK_ERROR(ops::choose_qparams_optimized(sample().to(kDouble), 6, 10, 0.5, 2), TypeError,
              "expected scalar type Float but found Double");
}
TEST_CASE("an observer follows the range that it quantises by", "[composite][quantization_range]") {
  Tensor x = sample();
  Observer fresh({INFINITY}, {-INFINITY}, {1}, {0});
  CHECK(near(std::get<0>(fresh(x, true, true, 0, 255)), values(x)));
  CHECK(near(fresh.scale, {0.0166667}));
  CHECK(values(fresh.zero_point) == Numbers{75});
  Observer moved({-1}, {1}, {1}, {0});
  auto [y, mask] = moved(x, true, true, 0, 255);
  CHECK(near(y, {0.4974, -1.0209, 1.2041, 1.2041, 0, -0.7504}));
  CHECK(values(mask) == Numbers{1, 0, 0, 0, 1, 1});
  CHECK(near(moved.least, {-1.025}));
  CHECK(near(moved.greatest, {1.2}));
  CHECK(values(moved.zero_point) == Numbers{117});
  Observer symmetric({-1}, {1}, {1}, {0});
  CHECK(near(std::get<0>(symmetric(x, true, true, -128, 127, false, true)), {0.5008, -1.2094, 1.2, 1.2, 0, -0.7465}));
  CHECK(values(symmetric.zero_point) == Numbers{0});
  Observer silent({-1}, {1}, {0.5}, {3});
  CHECK(near(std::get<0>(silent(x, false, true, 0, 3)), {0.6667, -0.6667, 1.3333, 1.3333, 0, -0.6667}));
  CHECK(near(silent.scale, {0.66667}));
  CHECK(values(silent.zero_point) == Numbers{1});  // 1.5 but for the rounding of the scale
  Observer only({-1}, {1}, {1}, {0});
  CHECK(values(std::get<0>(only(x, true, false, 0, 255))) == values(x));
  CHECK(near(only.greatest, {1.2}));
  CHECK(values(only.scale) == Numbers{1});
}
TEST_CASE("an observer of Meta tensors has shapes only", "[composite][quantization_range]") {
  Tensor x = ops::empty({2, 3}, "device"_a = kMeta), number = ops::empty({1}, "device"_a = kMeta);
  auto [y, mask] =
      ops::_fused_moving_avg_obs_fq_helper(x, number, number, number, number, number, number, 0.1, 0, 255, 0);
  CHECK((y.is_meta() && y.sizes() == x.sizes() && y.dtype() == kFloat));
  CHECK((mask.is_meta() && mask.sizes() == x.sizes() && mask.dtype() == kBool));
  CHECK_ERROR(ops::_fused_moving_avg_obs_fq_helper(x, number, number, number, number, number, number, 0.1, 0, 255, 2),
              ValueError, "Error in fused_moving_avg_obs_fake_quant_cpu: ch_axis must be < self.dim()");
}
TEST_CASE("an observer of rows takes as many ranges as there are", "[composite][quantization_range]") {
  Tensor x = sample();
  Observer fresh({}, {}, {1}, {0});
  CHECK(near(std::get<0>(fresh(x, true, true, 0, 255, true)), {0.4971, -1.2490, 2.0010, 3, 0, -0.75}));
  CHECK(values(fresh.least) == Numbers{-1.25, -0.75});
  CHECK(values(fresh.zero_point) == Numbers{98, 51});
  Observer moved({-1, -1}, {1, 1}, {1, 1}, {0, 0});
  CHECK(near(std::get<0>(moved(x, true, true, 0, 255, true)), {0.5, -1.025, 1.1, 1.2026, 0, -0.7506}));
  CHECK(values(moved.zero_point) == Numbers{123, 114});
  Observer other({0}, {0}, {1}, {0});
  CHECK_ERROR(other(x, true, true, 0, 255, true), ValueError,
              "dimensions of scale and zero-point are not consistent with input tensor");
}
TEST_CASE("what an observer lets through has a gradient", "[composite][quantization_range]") {
  Tensor x = sample().requires_grad_(true);
  Observer by({-1}, {1}, {1}, {0});
  Tensor y = ops::fused_moving_avg_obs_fake_quant(x, tensor({1}), tensor({1}), by.least, by.greatest, by.scale,
                                                  by.zero_point, 0.1, 0, 255, 0);
  ops::sum(y).backward();
  CHECK(values(x.grad()) == Numbers{1, 0, 0, 0, 1, 1});
}
