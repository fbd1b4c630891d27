// The multinomial distribution, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("Multinomial's figures are those of PyTorch", "[distributions][multinomial]") {
  Tensor probs = leaf({0.2, 0.3, 0.5});
  Multinomial d{.total_count = 6, .probs = probs};
  close(d.entropy(), {2.790656747469694});
  slope(d.entropy(), probs, {1.2575472650610244, 0.21319223276454213, -0.630934245683135});
  close(d.mean(), {1.2000000000000002, 1.7999999999999998, 3});
  close(d.variance(), {0.9600000000000002, 1.2599999999999998, 1.5});
  close(d.stddev(), {0.9797958971132713, 1.1224972160321822, 1.224744871391589});
  Tensor value = f64({1, 2, 3, 0, 0, 6}).view({2, 3});
  close(d.log_prob(value), {-2.0024805005437063, -4.1588830833596715});
  slope(d.log_prob(value), probs, {-7, -5.333333333333333, 6});
  manual_seed(5);
  close(d.sample({2}), {0, 3, 3, 0, 4, 2});
}

TEST_CASE("multinomial counts have shapes and are checked", "[distributions][multinomial]") {
  Multinomial d{.total_count = 5, .logits = zeros({4, 3})};
  CHECK(IntArrayRef(d.batch_shape()) == IntArrayRef({4}));
  CHECK(IntArrayRef(d.event_shape()) == IntArrayRef({3}));
  Tensor drawn = d.expand({2, 4}).sample({7});
  CHECK(drawn.sizes() == IntArrayRef({7, 2, 4, 3}));
  CHECK((drawn.sum(-1) == 5).all().item<bool>());
  CHECK_ERROR(d.log_prob(tensor({1.0, 1.0, 1.0})), ValueError,
              "Multinomial.log_prob(): expected a value that is nonnegative integers with sum 5, got a tensor of shape "
              "[3] that is not");
  CHECK_ERROR((Multinomial{-1, zeros({2})}), ValueError, "Multinomial: expected a 'total_count' of at least 0, got -1");
}
