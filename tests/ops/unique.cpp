// Elements and slices without repetitions, beside numbers of PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("unique gives elements, places and counts, by place and by keyword", "[ops]") {
  Tensor x = tensor({3, 1, 2, 2, 1});
  auto [output, inverse, counts] = x.unique(true, true, true);
  CHECK(values(output) == Numbers{1, 2, 3});
  CHECK(values(inverse) == Numbers{2, 0, 1, 1, 0});
  CHECK(values(counts) == Numbers{2, 2, 1});
  auto [plain, no_inverse, no_counts] = ops::unique(x);
  CHECK(plain.equal(output));
  CHECK(no_inverse.numel() == 0);
  CHECK(no_counts.numel() == 0);
  CHECK(std::get<2>(x.unique("return_counts"_a = true)).equal(counts));
  CHECK(std::get<1>(x.unique("return_counts"_a = false, "return_inverse"_a = true, "sorted"_a = false)).numel() == 5);
}

TEST_CASE("unique along a dimension gives slices", "[ops]") {
  Tensor rows = tensor({2, 1, 1, 1, 2, 1}).view({3, 2}), columns = tensor({1, 1, 0, 2, 2, 1}).view({2, 3});
  auto [output, inverse, counts] = ops::unique(rows, "dim"_a = 0, "return_counts"_a = true);
  CHECK(values(output) == Numbers{1, 1, 2, 1});
  CHECK(values(counts) == Numbers{1, 2});
  auto [of_columns, which, of] = columns.unique(true, true, false, 1);
  CHECK(values(of_columns) == Numbers{0, 1, 1, 2});
  CHECK(values(which) == Numbers{1, 1, 0});
  std::optional<std::int64_t> none;
  CHECK(values(std::get<0>(rows.unique("dim"_a = none))) == Numbers{1, 2});
}

TEST_CASE("unique_consecutive is a method", "[ops]") {
  auto [runs, run_of, lengths] = tensor({3, 3, 1, 3}).unique_consecutive("return_counts"_a = true);
  CHECK(values(runs) == Numbers{3, 1, 3});
  CHECK(values(lengths) == Numbers{2, 1, 1});
}
