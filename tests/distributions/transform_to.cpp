// Maps chosen when a program runs, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("maps side by side share the elements of a dimension", "[distributions][transform_to]") {
  Tensor x = f64({-1.3, 0.2, 2.1});
  CatTransform t({ExpTransform{}, AffineTransform{1, -2}}, -1, {1, 2});
  close(t(x), {0.2725317930340126, 0.6, -3.2});
  close(t.inverse(t(x)), {-1.3, 0.2, 2.1});
  close(t.log_abs_det_jacobian(x, t(x)), {-1.3, 0.6931471805599453, 0.6931471805599453});
  CHECK(t.codomain().check(t(x)).all().item<bool>());
  CHECK(t.bijective());
  CHECK(!CatTransform({identity_transform, AbsTransform{}}).bijective());
  // Vectors side by side along themselves are one vector.
  CatTransform long_one({IndependentTransform{ExpTransform{}, 1}, identity_transform}, -1, {2, 1});
  close(long_one.log_abs_det_jacobian(x, long_one(x)), {-1.1});
  CHECK_ERROR(t(f64({1, 2})), ValueError, "CatTransform: expected 3 elements along dimension -1, got shape [2]");
  CHECK_ERROR(CatTransform({ExpTransform{}}, 0, {1, 2}), ValueError,
              "CatTransform: expected a length for each map, got 2 for 1");
}

TEST_CASE("each index along a dimension has a map of its own", "[distributions][transform_to]") {
  Tensor x = f64({-1.3, 0.2, 2.1, 0.3, 0.4, 0.5}).view({2, 3});
  StackTransform t({ExpTransform{}, AffineTransform{1, -2}});
  close(t(x), {0.2725317930340126, 1.2214027581601699, 8.166169912567652, 0.4, 0.2, 0});
  CHECK(allclose(t.inverse(t(x)), x));
  close(t.log_abs_det_jacobian(x, t(x)), {-1.3, 0.2, 2.1, 0.6931471805599453, 0.6931471805599453, 0.6931471805599453});
  CHECK(t.codomain().check(t(x)).all().item<bool>());
  TransformedDistribution d{Normal{zeros({2, 3}, "dtype"_a = kDouble), 1}, t};
  CHECK(d.log_prob(t(x)).sizes() == IntArrayRef({2, 3}));
  StackTransform vectors({IndependentTransform{ExpTransform{}, 1}, IndependentTransform{identity_transform, 1}});
  close(vectors.log_abs_det_jacobian(x, vectors(x)), {1.0, 0});
  CHECK_ERROR(t(x.t()), ValueError, "StackTransform: expected 2 elements along dimension 0, got shape [3, 2]");
}

TEST_CASE("maps onto sets are those of PyTorch", "[distributions][transform_to]") {
  Tensor x = f64({-1.3, 0.2, 2.1});
  auto both = [&](const Constraint& set, const std::vector<double>& expected) {
    for (const Transform& t : {transform_to(set), biject_to(set)}) {
      close(t(x), expected);
      close(t.inverse(t(x)), {-1.3, 0.2, 2.1});
      CHECK(set.check(t(x)).all().item<bool>());
      CHECK(t.bijective());
    }
  };
  std::vector<double> grown = {0.2725317930340126, 1.2214027581601699, 8.166169912567652};
  both(constraints::real(), {-1.3, 0.2, 2.1});
  both(constraints::positive(), grown);
  both(constraints::nonnegative(), grown);
  both(constraints::independent(constraints::positive(), 1), grown);
  both(constraints::greater_than(f64({2})), {2.2725317930340125, 3.2214027581601696, 10.166169912567652});
  both(constraints::less_than(f64({2})), {1.7274682069659875, 0.7785972418398301, -6.166169912567652});
  both(constraints::interval(f64({-1}), f64({3})), {-0.14333993217023444, 1.1993359892499118, 2.5636127152175483});
  both(constraints::unit_interval(), {0.2141650169574414, 0.549833997312478, 0.8909031788043871});
  both(constraints::corr_cholesky(), {1, 0, 0, -0.8617231593133063, 0.5073787507406021, 0, 0.197375320224904,
                                      0.9513612038307131, 0.23654776010753698});
  both(constraints::cat({constraints::positive(), constraints::real()}, 0, {1, 2}), {0.2725317930340126, 0.2, 2.1});
  both(constraints::stack({constraints::real(), constraints::real(), constraints::positive()}),
       {-1.3, 0.2, 8.166169912567652});
}

TEST_CASE("sets with another map for each purpose, or none", "[distributions][transform_to]") {
  Tensor x = f64({-1.3, 0.2, 2.1});
  Transform soft = transform_to(constraints::simplex()), stick = biject_to(constraints::simplex());
  close(soft(x), {0.028212095848069465, 0.12643784161362287, 0.8453500625383077});
  close(stick(x), {0.08327857764869698, 0.3475771760883071, 0.5070524181939299, 0.06209182806906595});
  CHECK(!soft.bijective());
  CHECK(IntArrayRef(stick.forward_shape({3})) == IntArrayRef({4}));
  CHECK_ERROR(soft.log_abs_det_jacobian(x, x), NotImplementedError, "Transform: the map has no log_abs_det_jacobian()");
  CHECK_ERROR(stick.falling(x), NotImplementedError, "Transform: the map has no falling()");
  CHECK(constraints::positive_definite()
            .check(transform_to(constraints::positive_definite())(zeros({2, 2})))
            .item<bool>());
  CHECK(constraints::lower_cholesky().check(transform_to(constraints::lower_cholesky())(ones({2, 2}))).item<bool>());
  CHECK_ERROR(biject_to(constraints::positive_definite()), NotImplementedError,
              "biject_to(): there is no map onto what is positive definite");
  CHECK_ERROR(transform_to(constraints::boolean()), NotImplementedError,
              "transform_to(): there is no map onto what is 0 or 1");
}

TEST_CASE("a map chosen when the program runs goes into a distribution", "[distributions][transform_to]") {
  Normal base{f64({0.3, -0.2}), 1};
  TransformedDistribution chosen{base, biject_to(constraints::positive())};
  TransformedDistribution known{base, ExpTransform{}};
  Tensor x = f64({0.5, 2});
  CHECK(allclose(chosen.log_prob(x), known.log_prob(x)));
  CHECK(allclose(chosen.cdf(x), known.cdf(x)));
  TransformedDistribution vectors{base, biject_to(constraints::simplex())};
  CHECK(IntArrayRef(vectors.event_shape()) == IntArrayRef({3}));
}
