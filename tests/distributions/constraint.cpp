// Sets of numbers, vectors and matrices.
#include "support.hpp"

using namespace test;

namespace {

std::vector<bool> in(const Constraint& c, const Tensor& x) {
  std::vector<bool> found;
  for (double b : c.check(x).to(kDouble).flatten().to_vector<double>()) found.push_back(b != 0);
  return found;
}
using Bools = std::vector<bool>;

}  // namespace

TEST_CASE("sets of numbers hold what PyTorch's hold, and no NaN", "[distributions][constraint]") {
  Tensor x = f64({-1, 0, 0.5, 1, 2, kNaN});
  CHECK(in(constraints::real(), x) == Bools{1, 1, 1, 1, 1, 0});
  CHECK(in(constraints::positive(), x) == Bools{0, 0, 1, 1, 1, 0});
  CHECK(in(constraints::nonnegative(), x) == Bools{0, 1, 1, 1, 1, 0});
  CHECK(in(constraints::unit_interval(), x) == Bools{0, 1, 1, 1, 0, 0});
  CHECK(in(constraints::half_open_unit_interval(), x) == Bools{0, 1, 1, 0, 0, 0});
  CHECK(in(constraints::boolean(), x) == Bools{0, 1, 0, 1, 0, 0});
  CHECK(in(constraints::nonnegative_integer(), x) == Bools{0, 1, 0, 1, 1, 0});
  CHECK(in(constraints::interval(f64({0}), f64({1})), x) == Bools{0, 1, 1, 1, 0, 0});
  CHECK(in(constraints::integer_interval(f64({1})), x) == Bools{0, 1, 0, 1, 0, 0});
  CHECK(in(constraints::greater_than(f64({0})), x) == Bools{0, 0, 1, 1, 1, 0});
  CHECK(in(constraints::greater_than_eq(f64({0.5})), x) == Bools{0, 0, 1, 1, 1, 0});
  CHECK(to_string(constraints::interval(f64({0}), f64({1}))) == "in [0, 1]");
}

TEST_CASE("sets of vectors and matrices", "[distributions][constraint]") {
  CHECK(in(constraints::simplex(), tensor({{0.5, 0.5}, {1.5, -0.5}, {0.5, 0.6}})) == Bools{1, 0, 0});
  CHECK(in(constraints::one_hot(), tensor({{0, 1}, {1, 1}, {2, -1}})) == Bools{1, 0, 0});
  CHECK(in(constraints::multinomial(f64({3})), tensor({{1, 2}, {1, 1}, {4, -1}})) == Bools{1, 0, 0});
  CHECK(in(constraints::real_vector(), f64({1, 2, kNaN, 3}).view({2, 2})) == Bools{1, 0});
  CHECK(in(constraints::independent(constraints::positive(), 1), tensor({{1, 2}, {1, 0}})) == Bools{1, 0});
  Tensor matrices = f64({1, 0, 1, 2, 1, 1, 0, 2, -1, 0, 0, 1, 2, 1, 1, 2}).view({4, 2, 2});
  CHECK(in(constraints::lower_cholesky(), matrices) == Bools{1, 0, 0, 0});
  CHECK(in(constraints::positive_definite(), matrices) == Bools{0, 0, 0, 1});
  CHECK(constraints::real().event_dim() == 0);
  CHECK(constraints::simplex().event_dim() == 1);
  CHECK(constraints::independent(constraints::lower_cholesky(), 1).event_dim() == 3);
}

TEST_CASE("sets beyond those of distributions' parameters", "[distributions][constraint]") {
  Tensor x = f64({-1, 0, 0.5, 1, 2, kNaN});
  CHECK(in(constraints::positive_integer(), x) == Bools{0, 0, 0, 1, 1, 0});
  CHECK(in(constraints::half_open_interval(f64({0}), f64({1})), x) == Bools{0, 1, 1, 0, 0, 0});
  CHECK(in(constraints::less_than(f64({1})), x) == Bools{1, 1, 1, 0, 0, 0});
  Tensor matrices = f64({1, 0, 1, 2, 1, 1, 1, 1, -1, 0, 0, 1, 1, 0, 0.6, 0.8}).view({4, 2, 2});
  CHECK(in(constraints::lower_triangular(), matrices) == Bools{1, 0, 1, 1});
  CHECK(in(constraints::corr_cholesky(), matrices) == Bools{0, 0, 0, 1});
  CHECK(in(constraints::symmetric(), matrices) == Bools{0, 1, 1, 0});
  CHECK(in(constraints::positive_semidefinite(), matrices) == Bools{0, 1, 0, 0});
  CHECK(in(constraints::positive_definite(), matrices) == Bools{0, 0, 0, 0});
  CHECK(in(constraints::square(), matrices) == Bools{1, 1, 1, 1});
  CHECK(in(constraints::square(), zeros({2, 3})) == Bools{0});
  CHECK(in(constraints::symmetric(), zeros({2, 3})) == Bools{0});
  CHECK(constraints::square().event_dim() == 2);
  CHECK(to_string(constraints::half_open_interval(f64({0}), f64({1}))) == "in [0, 1)");
}

TEST_CASE("sets side by side judge the elements of a dimension", "[distributions][constraint]") {
  Constraint sets = constraints::cat({constraints::positive(), constraints::boolean()}, -1, {1, 2});
  CHECK(in(sets, tensor({{1.0, 1.0, 0.0}, {0.0, 1.0, 0.5}})) == Bools{1, 1, 1, 0, 1, 0});
  CHECK(sets.event_dim() == 0);
  CHECK(to_string(sets) == "positive, then 0 or 1");
  CHECK_ERROR(sets.check(zeros({2})), ValueError, "cat: expected 3 elements along dimension -1, got shape [2]");
  CHECK_ERROR(constraints::cat({constraints::real()}, 0, {1, 2}), ValueError,
              "cat: expected a length for each part, got 2 for 1");
  Constraint rows = constraints::stack({constraints::positive(), constraints::real()}, 0);
  CHECK(in(rows, tensor({{1.0, -1.0}, {-1.0, -1.0}})) == Bools{1, 0, 1, 1});
  CHECK(in(constraints::stack({constraints::simplex(), constraints::real_vector()}, 0),
           tensor({{0.5, 0.6}, {-1.0, 3.0}})) == Bools{0, 1});
  CHECK(in(constraints::cat({constraints::real_vector(), constraints::independent(constraints::positive(), 1)}, -1),
           tensor({{-1.0, 1.0}, {-1.0, -1.0}})) == Bools{1, 0});
}
