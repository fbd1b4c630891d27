// Histograms of points: counts, edges, densities and errors of torch 2.15.
#include "../ops/support.hpp"

using namespace test;

namespace {
const Tensor& four_points() {
  static const Tensor points = tensor({{0.0, 1.0}, {1.0, 0.0}, {2.0, 0.0}, {2.0, 2.0}});
  return points;
}
bool near(const Tensor& t, const Numbers& expected) {
  Numbers got = values(t);
  bool same = got.size() == expected.size();
  for (std::size_t i = 0; same && i < got.size(); ++i) same = std::abs(got[i] - expected[i]) < 1e-6;
  return same;
}
}  // namespace

TEST_CASE("points are counted, or their weights added, in bins of every coordinate", "[composite]") {
  Tensor weight = tensor({1.0, 2.0, 4.0, 8.0});
  auto [hist, edges] = ops::histogramdd(four_points(), {3, 3}, "weight"_a = weight);
  CHECK(list(hist.sizes()) == Ints{3, 3});
  CHECK(values(hist) == Numbers{0, 1, 0, 2, 0, 0, 4, 0, 8});
  REQUIRE(edges.size() == 2);
  CHECK(near(edges[1], {0, 2.0 / 3, 4.0 / 3, 2}));
  auto [density, same] = ops::histogramdd(four_points(), {3, 3}, "weight"_a = weight, "density"_a = true);
  CHECK(near(density, {0, 0.15, 0, 0.3, 0, 0, 0.6, 0, 1.2}));
  // Points outside count nowhere; the last edge belongs to the last bin.
  auto [part, bounds] = ops::histogramdd(four_points(), {2, 2}, std::optional<ArrayRef<double>>({0.0, 1.0, 0.0, 1.0}));
  CHECK(values(part) == Numbers{0, 1, 1, 0});
  auto [all, from_number] = ops::histogramdd(four_points().view({2, 2, 2}), 2);
  CHECK(values(all) == Numbers{0, 1, 2, 1});
  Tensor own[] = {tensor({0.0, 1.0, 2.0}), tensor({0.0, 0.5, 2.0})};
  auto [given, own_edges] = ops::histogramdd(four_points(), TensorList(own));
  CHECK(values(given) == Numbers{0, 1, 2, 1});
  CHECK(values(own_edges[1]) == values(own[1]));
  auto [none, unit] = ops::histogramdd(ops::empty({0, 2}), {2, 1});
  CHECK(values(none) == Numbers{0, 0});
  CHECK(values(unit[0]) == Numbers{0, 0.5, 1});
}

TEST_CASE("a histogram of points refuses what PyTorch refuses", "[composite]") {
  const Tensor& x = four_points();
  CHECK_ERROR(ops::histogramdd(tensor({1.0}), {3}), ValueError,
              "torch.histogramdd: input tensor should have at least 2 dimensions");
  CHECK_ERROR(ops::histogramdd(x, {3}), ValueError,
              "histogramdd: The size of bins must be equal to the innermost dimension of the input.");
  CHECK_ERROR(ops::histogramdd(x, {3, 0}), ValueError,
              "torch.histogram(): bins must be > 0, but got 0 for dimension 1");
  CHECK_ERROR(ops::histogramdd(x, {3, 2}, std::optional<ArrayRef<double>>({1.0, 2.0})), ValueError,
              "torch.histogramdd: for a 2-dimensional histogram range should have 4 elements, but got 2");
  CHECK_ERROR(ops::histogramdd(x, {3, 2}, std::optional<ArrayRef<double>>({2.0, 1.0, 0.0, 1.0})), ValueError,
              "torch.histogramdd: min should not exceed max, but got min 2 max 1 for dimension 0");
  CHECK_ERROR(ops::histogramdd(x, {3, 2}, "weight"_a = ops::ones({3}, x.dtype())), ValueError,
              "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor "
              "excluding its innermost dimension, but got input with shape [4, 2] and weight with shape [3]");
  Tensor edges[] = {tensor({0.0, 1.0}), ops::empty({0}, x.dtype())};
  CHECK_ERROR(ops::histogramdd(x, TensorList(edges)), ValueError,
              "torch.histogramdd: bins tensor should have at least 1 element, but got 0 elements in the bins tensor "
              "for dimension 1");
  CHECK_ERROR(ops::histogramdd(x, TensorList(edges, 1)), ValueError,
              "torch.histogramdd: expected 2 sequences of bin edges for a 2-dimensional histogram but got 1");
  CHECK_THROWS_AS(ops::histogramdd(x.to(kLong), {3, 2}), NotImplementedError);
}
