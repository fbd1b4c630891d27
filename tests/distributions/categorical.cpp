// Classes, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("Categorical's figures are those of PyTorch", "[distributions][categorical]") {
  Tensor probs = f64({0.2, 0.3, 0.5, 1, 2, 5}).view({2, 3}).requires_grad_();
  Categorical d{.probs = probs};
  close(d.entropy(), {1.0296530140645737, 0.9002560512685369});
  slope(d.entropy(), probs,
        {0.5797848983695267, 0.17431979026136257, -0.33650583350462826, 0.14739818630141235, 0.060754788731419214,
         -0.05378155275285016});
  close(d.mean(), {kNaN, kNaN});
  close(d.variance(), {kNaN, kNaN});
  close(d.mode(), {2, 2});
  Tensor value = f64({2, 1});
  close(d.log_prob(value), {-0.6931471805599453, -1.3862943611198906});
  slope(d.log_prob(value), probs, {-1, -1, 1, -0.125, 0.375, -0.125});
  manual_seed(5);
  close(d.sample({2}), {2, 1, 1, 1});
}

TEST_CASE("Categorical's figures by logits are those of PyTorch", "[distributions][categorical]") {
  Tensor logits = f64({0.2, -0.3, 0.5, 1, 2, -5}).view({2, 3}).requires_grad_();
  Categorical d{.logits = logits};
  close(d.entropy(), {1.0495712811326223, 0.5873537236341703});
  slope(d.entropy(), logits,
        {0.011634958278940233, 0.10963658627078426, -0.12127154454972461, 0.19527576826466123, -0.19975697863196362,
         0.00448121036730245});
  close(d.mean(), {kNaN, kNaN});
  close(d.variance(), {kNaN, kNaN});
  close(d.mode(), {2, 1});
  Tensor value = f64({2, 1});
  close(d.log_prob(value), {-0.7839687492408238, -0.31392810454667597});
  slope(d.log_prob(value), logits,
        {-0.3382504271053028, -0.2051592547002593, 0.5434096818055623, -0.2687622539338838, 0.26942844895582807,
         -0.0006661950219443711});
  manual_seed(5);
  close(d.sample({2}), {2, 1, 0, 1});
}

TEST_CASE("OneHotCategorical's figures are those of PyTorch", "[distributions][onehotcategorical]") {
  Tensor probs = f64({0.2, 0.3, 0.5, 1, 2, 5}).view({2, 3}).requires_grad_();
  OneHotCategorical d{.probs = probs};
  close(d.entropy(), {1.0296530140645737, 0.9002560512685369});
  slope(d.entropy(), probs,
        {0.5797848983695267, 0.17431979026136257, -0.33650583350462826, 0.14739818630141235, 0.060754788731419214,
         -0.05378155275285016});
  close(d.mean(), {0.2, 0.3, 0.5, 0.125, 0.25, 0.625});
  close(d.variance(), {0.16000000000000003, 0.21, 0.25, 0.109375, 0.1875, 0.234375});
  close(d.mode(), {0, 0, 1, 0, 0, 1});
  close(d.stddev(), {0.4, 0.458257569495584, 0.5, 0.33071891388307384, 0.4330127018922193, 0.4841229182759271});
  Tensor value = f64({0, 0, 1, 0, 1, 0}).view({2, 3});
  close(d.log_prob(value), {-0.6931471805599453, -1.3862943611198906});
  slope(d.log_prob(value), probs, {-1, -1, 1, -0.125, 0.375, -0.125});
  manual_seed(5);
  close(d.sample({2}), {0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0});
}

TEST_CASE("classes have shapes and are checked", "[distributions][categorical]") {
  Categorical d{.logits = zeros({4, 3})};
  CHECK(IntArrayRef(d.batch_shape()) == IntArrayRef({4}));
  CHECK(d.event_shape().empty());
  CHECK(d.sample({5, 2}).sizes() == IntArrayRef({5, 2, 4}));
  CHECK(d.sample().dtype() == kLong);
  CHECK(d.expand({2, 4}).sample().sizes() == IntArrayRef({2, 4}));
  CHECK(d.enumerate_support().sizes() == IntArrayRef({3, 4}));
  CHECK(d.log_prob(tensor(1)).sizes() == IntArrayRef({4}));
  OneHotCategorical hot{.logits = zeros({4, 3})};
  CHECK(IntArrayRef(hot.event_shape()) == IntArrayRef({3}));
  CHECK(hot.sample({5}).sizes() == IntArrayRef({5, 4, 3}));
  CHECK(hot.enumerate_support().sizes() == IntArrayRef({3, 4, 3}));
  CHECK(hot.enumerate_support(false).sizes() == IntArrayRef({3, 1, 3}));
  CHECK_ERROR((Categorical{.probs = 0.5}), ValueError,
              "Categorical: expected parameter 'probs' to have at least 1 dimension");
  CHECK_ERROR((Categorical{.probs = f64({-1, 2})}), ValueError,
              "Categorical: expected parameter 'probs' to be nonnegative with sum 1, got a tensor of shape [2] that is "
              "not");
  CHECK_ERROR(d.log_prob(tensor(3)), ValueError,
              "Categorical.log_prob(): expected a value that is an integer in [0, 2], got 3 in shape []");
  CHECK_ERROR(hot.log_prob(ones({3})), ValueError,
              "OneHotCategorical.log_prob(): expected a value that is one-hot, got a tensor of shape [3] that is not");
  CHECK_ERROR(hot.log_prob(ones({2})), ValueError,
              "OneHotCategorical.log_prob(): expected a value that broadcasts with shape [4] + [3], got shape [2]");
}
