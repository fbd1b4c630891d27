// Search in sorted sequences, membership, unique elements, histograms.
#include <limits>

#include "../ops/support.hpp"

using namespace test;

TEST_CASE("places in a sorted sequence, from either side and through a sorter", "[composite]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Tensor s = tensor({1.0, 2.0, 2.0, nan}), x = tensor({3.0, nan, 1.0, 2.0});
  CHECK(values(ops::searchsorted(s, x)) == Numbers{4, 4, 0, 1});
  CHECK(values(ops::searchsorted(s, x, "right"_a = true)) == Numbers{4, 4, 1, 4});
  CHECK(values(ops::searchsorted(tensor({2.0, 1.0}), x, "sorter"_a = tensor({1, 0}))) == Numbers{2, 2, 0, 1});
  CHECK(ops::bucketize(2.5, tensor({1, 2, 3})).item<std::int64_t>() == 2);
  CHECK(ops::searchsorted(s, x, "out_int32"_a = true).dtype() == kInt);
  CHECK_ERROR(ops::searchsorted(s, x, "side"_a = "left", "right"_a = true), ValueError,
              "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True");
  CHECK(values(ops::isin(x, s)) == Numbers{0, 0, 1, 1});
  CHECK(values(ops::isin(tensor({1, 2}), 2, "invert"_a = true)) == Numbers{1, 0});
  CHECK_ERROR(ops::isin(tensor({true}), tensor({true})), NotImplementedError,
              "Unsupported input type encountered for isin(): Bool");
}

TEST_CASE("elements without repetitions know where they were and how often", "[composite]") {
  auto [values_, inverse, counts] = ops::_unique2(tensor({3, 1, 2, 2}), true, true, true);
  CHECK(values(values_) == Numbers{1, 2, 3});
  CHECK(values(inverse) == Numbers{2, 0, 1, 1});
  CHECK(values(counts) == Numbers{1, 2, 1});
  auto [runs, run_of, lengths] = ops::unique_consecutive(tensor({3, 3, 1, 3}), true, true);
  CHECK(values(runs) == Numbers{3, 1, 3});
  CHECK(values(run_of) == Numbers{0, 0, 1, 2});
  CHECK(values(lengths) == Numbers{2, 1, 1});
  auto [rows, row_of, row_counts] = ops::unique_dim(tensor({2, 1, 1, 1, 2, 1}).view({3, 2}), 0);
  CHECK(values(rows) == Numbers{1, 1, 2, 1});
  CHECK(values(row_of) == Numbers{1, 0, 1});
  CHECK(values(row_counts) == Numbers{1, 2});
  CHECK_ERROR(ops::unique_dim(ops::empty({2, 0}), 0), ValueError,
              "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
  CHECK_THROWS_AS(ops::_unique2(ops::empty({2}, "device"_a = kMeta)), NotImplementedError);
}

TEST_CASE("values are counted in bins, the last of which holds its upper edge", "[composite]") {
  Tensor x = tensor({1.0, 2.0, 3.0, 3.0});
  CHECK(values(ops::histc(x, 3)) == Numbers{1, 1, 2});
  CHECK(values(ops::histc(tensor({2.0, 2.0}), 3)) == Numbers{0, 2, 0});
  CHECK_ERROR(ops::histc(x, 3, 2, 1), ValueError, "torch.histc: max must be larger than min");
  auto [hist, edges] = ops::histogram(x, tensor({1.0, 2.0, 3.0}), "density"_a = true);
  CHECK(values(hist) == Numbers{0.25, 0.75});
  CHECK(values(edges) == Numbers{1, 2, 3});
  CHECK(values(ops::bincount(tensor({3, 1, 1}), tensor({0.5, 1.0, 2.0}), 5)) == Numbers{0, 3, 0, 0.5, 0});
  CHECK_ERROR(ops::bincount(tensor({-1})), ValueError, "bincount only supports 1-d non-negative integral inputs.");
}
