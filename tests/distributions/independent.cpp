// Batches as events, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("dimensions of a batch become dimensions of an event", "[distributions][independent]") {
  Tensor loc = f64({0.5, -1, 2, 1, 1, 1}).view({2, 3});
  Independent d{Normal{loc, 0.5}, 1};
  static_assert(distribution<decltype(d)> && reparameterized<decltype(d)>);
  static_assert(!reparameterized<Independent<Bernoulli>>);
  CHECK(IntArrayRef(d.batch_shape()) == IntArrayRef({2}));
  CHECK(IntArrayRef(d.event_shape()) == IntArrayRef({3}));
  close(d.log_prob(f64({0.3, 0.2, 0.9})), {-6.057374057934182, -2.957374057934182});
  close(d.entropy(), {2.1773740579341823, 2.1773740579341823});
  close(d.mean(), {0.5, -1, 2, 1, 1, 1});
  close(d.variance(), {0.25, 0.25, 0.25, 0.25, 0.25, 0.25});
  manual_seed(1);
  Tensor drawn = d.rsample({4});
  manual_seed(1);
  CHECK(equal(drawn, d.base_dist.rsample({4})));
  auto wide = d.expand({5, 2});
  CHECK(IntArrayRef(wide.batch_shape()) == IntArrayRef({5, 2}));
  CHECK(wide.sample({4}).sizes() == IntArrayRef({4, 5, 2, 3}));
  CHECK(d.support().event_dim() == 1);
  CHECK(d.support().check(loc).sizes() == IntArrayRef({2}));
  CHECK_ERROR((Independent{Normal{loc, 0.5}, 3}), ValueError,
              "Independent: expected 'reinterpreted_batch_ndims' of at most 2, got 3");
}
