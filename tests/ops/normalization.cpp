// Normalisation: statistics, what they leave behind, memory formats.
#include <cmath>

#include <tenon/tenon.hpp>

#include "support.hpp"

using namespace test;

namespace {

Tensor spread_out(const DimVector& sizes) {
  std::int64_t n = 1;
  for (std::int64_t s : sizes) n *= s;
  return ops::remainder(ops::arange(n, "dtype"_a = kDouble) * 0.6180339887498949, 1.0).view(sizes);
}
bool close_to(const Tensor& a, const Tensor& b) { return ops::sub(a, b).abs().max().item<double>() < 1e-12; }

}  // namespace

TEST_CASE("batch normalisation gives every channel mean 0 and variance 1", "[ops][normalization]") {
  Tensor x = spread_out({4, 3, 5, 2});
  auto [y, mean, invstd] =
      ops::native_batch_norm(x, std::nullopt, std::nullopt, std::nullopt, std::nullopt, true, 0.1, 0.0);
  CHECK(close_to(y.mean({0, 2, 3}), ops::zeros({3}, "dtype"_a = kDouble)));
  CHECK(close_to((y * y).mean({0, 2, 3}), ops::ones({3}, "dtype"_a = kDouble)));
  CHECK(close_to(mean, x.mean({0, 2, 3})));
  CHECK(invstd.sizes() == mean.sizes());
}
TEST_CASE("batch normalisation moves the running statistics and evaluates by them", "[ops][normalization]") {
  Tensor x = spread_out({6, 2}), mean = ops::zeros({2}, "dtype"_a = kDouble), var = ops::ones({2}, "dtype"_a = kDouble);
  ops::native_batch_norm(x, std::nullopt, std::nullopt, mean, var, true, 0.25, 1e-5);
  CHECK(close_to(mean, x.mean(0) * 0.25));
  Tensor d = x - x.mean(0);
  CHECK(close_to(var, (d * d).sum(0) / 5 * 0.25 + 0.75));
  Tensor y = ops::batch_norm(x, std::nullopt, std::nullopt, mean, var, false, 0.25, 0.5, false);
  CHECK(close_to(y, (x - mean) / ops::sqrt(var + 0.5)));
  CHECK_THROWS_AS(ops::batch_norm(x, std::nullopt, std::nullopt, std::nullopt, std::nullopt, false, 0.1, 1e-5, false),
                  ValueError);
}
TEST_CASE("channels last stays channels last through normalisation", "[ops][normalization]") {
  Tensor x = spread_out({2, 4, 3, 5}), last = x.contiguous(MemoryFormat::ChannelsLast);
  auto batch = [](const Tensor& t) {
    return ops::batch_norm(t, std::nullopt, std::nullopt, std::nullopt, std::nullopt, true, 0.1, 1e-5, false);
  };
  CHECK(batch(last).is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(close_to(batch(last), batch(x)));
  CHECK(ops::group_norm(last, 2).is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(close_to(ops::group_norm(last, 2), ops::group_norm(x, 2)));
}
TEST_CASE("layer, group, instance and root mean square normalisation agree where they mean the same",
          "[ops][normalization]") {
  Tensor x = spread_out({3, 4, 6});
  Tensor rows = ops::layer_norm(x, {6});
  CHECK(close_to(
      rows, ops::instance_norm(x, std::nullopt, std::nullopt, std::nullopt, std::nullopt, true, 0.1, 1e-5, false)));
  CHECK(close_to(rows, ops::group_norm(x, 4)));
  Tensor centred = x - x.mean({2}, true);
  CHECK(close_to(rows, ops::rms_norm(centred, {6}, std::nullopt, 1e-5)));
  CHECK_THROWS_AS(ops::layer_norm(x, {5}), ValueError);
  CHECK_THROWS_AS(ops::group_norm(x, 3), ValueError);
}
