// Medians, modes, k-th values, quantiles and running extremes: places among equals, not-a-numbers, gradients.
#include <cmath>
#include <limits>

#include "../ops/support.hpp"

#include <tenon/autograd/gradcheck.hpp>

using namespace test;

namespace {
using List = std::vector<Tensor>;
const double none = std::numeric_limits<double>::quiet_NaN();
Tensor leaf(IntArrayRef sizes) { return counted(sizes, kDouble).sin().requires_grad_(); }
}  // namespace

// Places among equal elements are those of PyTorch 2.15.
TEST_CASE("medians, modes and k-th values stand at PyTorch's places", "[composite]") {
  auto [m, at] = ops::median(tensor({2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 1.0}), 0);
  CHECK(m.item<double>() == 1);
  CHECK(at.item<std::int64_t>() == 6);
  CHECK(std::isnan(ops::median(tensor({3.0, none, 1.0})).item<double>()));
  CHECK(ops::nanmedian(tensor({3.0, none, 1.0})).item<double>() == 1);
  auto [all, first] = ops::nanmedian(tensor({none, none}), 0);
  CHECK(std::isnan(all.item<double>()));
  CHECK(first.item<std::int64_t>() == 0);
  auto [often, last] = ops::mode(tensor({1, 2, 2, 1, 1, 2}));
  CHECK(often.item<std::int64_t>() == 1);
  CHECK(last.item<std::int64_t>() == 4);
  CHECK(std::get<1>(ops::mode(tensor({none, 1.0, none, 1.0}))).item<std::int64_t>() == 0);
  auto [third, where] = ops::kthvalue(tensor({3, 1, 2, 2}), 3);
  CHECK(third.item<std::int64_t>() == 2);
  CHECK(where.item<std::int64_t>() == 2);
  CHECK_ERROR(ops::kthvalue(tensor({3, 1}), 3), ValueError,
              "kthvalue(): selected number k out of range for dimension 0");
  CHECK_ERROR(ops::median(ops::empty({2, 0}), 1), IndexError,
              "median(): Expected reduction dim 1 to have non-zero size.");
  CHECK_ERROR(ops::median(tensor({true})), NotImplementedError, "\"median_cpu\" not implemented for 'Bool'");
  autograd::gradcheck([](const List& t) { return std::get<0>(ops::kthvalue(t[0], 2, 0)).sin(); }, {leaf({4, 3})});
  autograd::gradcheck([](const List& t) { return ops::median(t[0]); }, {leaf({5})});
}

TEST_CASE("quantiles are interpolated, and spoiled by one not-a-number unless it is ignored", "[composite]") {
  Tensor x = tensor({4.0, 1.0, 2.0});
  CHECK(values(ops::quantile(x, tensor({0.0, 0.25, 1.0}))) == Numbers{1, 1.5, 4});
  CHECK(ops::quantile(x, 0.3, "interpolation"_a = "nearest").item<double>() == 2);
  CHECK(list(ops::quantile(counted({2, 3}), 0.5, 1, true).sizes()) == Ints{2, 1});
  CHECK(std::isnan(ops::quantile(tensor({1.0, none}), 0.5).item<double>()));
  CHECK(ops::nanquantile(tensor({1.0, none}), 0.5).item<double>() == 1);
  CHECK(std::isnan(ops::nanquantile(tensor({none, none}), 0.5).item<double>()));
  CHECK_ERROR(ops::quantile(x, 1.5), ValueError, "quantile() q must be in the range [0, 1] but got 1.5");
  CHECK_ERROR(ops::quantile(tensor({1}), 0.5), TypeError,
              "quantile() input tensor must be either float or double dtype");
  autograd::gradcheck([](const List& t) { return ops::quantile(t[0], 0.4, 0); }, {leaf({4, 3})});
}

TEST_CASE("running extremes keep the last of equals, and running logarithms of sums their infinities", "[composite]") {
  auto [v, at] = ops::cummax(tensor({1.0, none, 2.0, none, 3.0}), 0);
  CHECK(values(at) == Numbers{0, 1, 1, 3, 3});
  CHECK(values(std::get<1>(ops::cummin(tensor({2, 2, 1, 3}), 0))) == Numbers{0, 1, 2, 2});
  const double infinity = std::numeric_limits<double>::infinity();
  Tensor sums = ops::logcumsumexp(tensor({-infinity, -infinity, infinity, 1.0}), 0);
  CHECK(values(sums) == Numbers{-infinity, -infinity, infinity, infinity});
  autograd::gradcheck([](const List& t) { return ops::logcumsumexp(t[0], 0).sin(); }, {leaf({4, 2})});
  // A gradient that is 0 has a slope as well.
  Tensor x = tensor({0.0, 1.0, -1.0}).to(kDouble).requires_grad_(),
         g = tensor({1.0, 0.0, 0.0}).to(kDouble).requires_grad_();
  Tensor first = autograd::grad(List{ops::logcumsumexp(x, 0)}, List{x}, List{g}, std::nullopt, true)[0];
  CHECK(values(first) == Numbers{1, 0, 0});
  for (double slope : values(autograd::grad(List{first.sum()}, List{g})[0])) CHECK(slope == Approx(1));
}
