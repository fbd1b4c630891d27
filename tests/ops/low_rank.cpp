// Decompositions by random products, beside numbers of PyTorch 2.15.
#include "support.hpp"

using namespace test;

namespace {
Tensor matrix() {
  return tensor({{1.0, 2.0, 3.0, 4.0}, {0.0, 1.0, -1.0, 2.0}, {2.0, 0.0, 1.0, 1.0}}, "dtype"_a = kDouble);
}
void is_near(const Tensor& got, const Numbers& expected) {
  Numbers all = values(got);
  REQUIRE(all.size() == expected.size());
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == Approx(expected[i]).margin(1e-9));
}
}  // namespace

TEST_CASE("svd_lowrank draws what PyTorch draws", "[ops]") {
  manual_seed(3);
  auto [U, S, V] = ops::svd_lowrank(matrix(), 2);
  is_near(S, {5.8898195382, 1.9775243631});
  is_near(U.abs(), {0.9248203727, 0.1543260586, 0.2360108393, 0.4840540153, 0.2983390049, 0.8613217621});
  CHECK(list(V.sizes()) == Ints{4, 2});
  manual_seed(3);
  auto [left, less, right] = ops::svd_lowrank(matrix(), 2, 1, ops::ones({4}, kDouble));
  is_near(less, {3.7655434425, 2.1554631595});
  is_near(right.abs(), {0.0084852395, 0.0728495609, 0.2965251699, 0.2810603939, 0.5760798608, 0.7078199097,
                        0.7616645051, 0.6439634864});
}

TEST_CASE("a low rank is found whole, in batches and of complex numbers", "[ops]") {
  manual_seed(0);
  for (ScalarType dtype : {kDouble, kComplexDouble}) {
    Tensor A = ops::matmul(ops::randn({2, 9, 3}, "dtype"_a = dtype), ops::randn({2, 3, 7}, "dtype"_a = dtype));
    auto [U, S, V] = ops::svd_lowrank(A, 4);
    CHECK((list(U.sizes()) == Ints{2, 9, 4} && list(S.sizes()) == Ints{2, 4} && list(V.sizes()) == Ints{2, 7, 4}));
    CHECK(ops::allclose(ops::matmul(U * S.unsqueeze(-2), V.mH()), A));
  }
}

TEST_CASE("pca_lowrank takes the mean of the rows away", "[ops]") {
  manual_seed(3);
  auto [U, S, V] = ops::pca_lowrank(matrix(), 2);
  is_near(S, {3.4439805092, 2.1921826837});
  is_near(V.abs(), {0.0681508128, 0.6361699394, 0.3166117281, 0.4108075725, 0.7695250819, 0.4507247340, 0.5504031511,
                    0.4726226409});
  auto [u, plain, v] = ops::pca_lowrank(matrix(), {}, false);
  is_near(plain, {5.8898195645, 2.2470391672, 1.5036091510});
}

TEST_CASE("decompositions of low rank refuse ranks that no matrix has", "[ops]") {
  CHECK_ERROR(ops::svd_lowrank(ops::ones({3})), ValueError,
              "svd_lowrank(): expected 'A' of at least 2 dimensions, got shape [3]");
  CHECK_ERROR(ops::svd_lowrank(ops::ones({3, 2}), -1), ValueError,
              "svd_lowrank(): expected a non-negative 'q', got -1");
  CHECK_ERROR(ops::pca_lowrank(ops::ones({3, 2}), 3), ValueError,
              "pca_lowrank(): q(=3) must be non-negative integer and not greater than min(m, n)=2");
  CHECK_ERROR(ops::pca_lowrank(ops::ones({3, 2}), {}, true, -1), ValueError,
              "pca_lowrank(): niter(=-1) must be non-negative integer");
}
