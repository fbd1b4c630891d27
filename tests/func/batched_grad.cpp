// Gradients of a batch of weights beside those of each.
#include <tenon/func/batched_grad.hpp>

#include "support.hpp"

using namespace test;

TEST_CASE("batched weights give the gradients of each", "[func]") {
  Tensor x = drawn({3}).requires_grad_(), w = drawn({2, 3}).requires_grad_(), unused = drawn({2}).requires_grad_();
  Tensor y = ops::tanh(ops::mv(w, x)), z = ops::sum(ops::square(x));
  Tensor weights = drawn({4, 2}), more = drawn({4});
  auto all = func::batched_grad({y, z}, {x, w, unused}, {weights, more}, {.retain_graph = true, .allow_unused = true});
  REQUIRE(all[1].sizes() == IntArrayRef({4, 2, 3}));
  CHECK(!all[2].defined());
  for (int i = 0; i < 4; ++i) {
    auto one = autograd::grad({y, z}, {x, w}, {weights[i], more[i]}, true);
    check_close(all[0][i], one[0]);
    check_close(all[1][i], one[1]);
  }
  CHECK(!x.grad().defined());
  // Rows of an identity: the Jacobian. An undefined weight is one for each.
  Tensor jacobian = func::batched_grad({y}, {x}, {ops::eye(2, "dtype"_a = kDouble)}, {.retain_graph = true})[0];
  check_close(jacobian, func::jacrev([&](const Tensor& t) { return ops::tanh(ops::mv(w.detach(), t)); })(x.detach()));
  auto ones = func::batched_grad({y, z}, {x}, {ops::zeros({2, 2}, "dtype"_a = kDouble), Tensor()},
                                 {.retain_graph = true, .materialize_grads = true})[0];
  check_close(ones, ops::mul(ops::stack({x, x}), 2));
  check_close(func::batched_grad({z}, {unused}, {more}, {.retain_graph = true, .materialize_grads = true})[0],
              ops::zeros({4, 2}));
  // The Hessian of z is twice an identity.
  Tensor first = func::batched_grad({z}, {x}, {ops::ones({1}, "dtype"_a = kDouble)}, {.create_graph = true})[0][0];
  check_close(func::batched_grad({first}, {x}, {ops::eye(3, "dtype"_a = kDouble)})[0], ops::mul(ops::eye(3), 2));
}

TEST_CASE("batched weights of other shapes are refused", "[func]") {
  Tensor x = drawn({3}).requires_grad_(), y = ops::mul(x, 2), z = ops::sum(x);
  CHECK_THROWS_WITH(func::batched_grad({y}, {x}, {drawn({3})}),
                    "batched_grad: expected the sizes of gradient 0 behind the batch to be those of its output, [3], "
                    "got [3]");
  CHECK_THROWS_WITH(func::batched_grad({y, z}, {x}, {drawn({2, 3}), drawn({4})}),
                    "batched_grad: expected batches of one size, got 2 and 4");
  CHECK_THROWS_WITH(func::batched_grad({z}, {x}, {Tensor()}), "batched_grad: expected a batch of gradients, got none");
  CHECK_THROWS_WITH(func::batched_grad({z}, {x}, {}), "got 1 tensors and 0 gradients");
}
