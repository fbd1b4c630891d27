// Forward mode by scope.
#include <tenon/func/dual_level.hpp>
#include <tenon/func/jvp.hpp>
#include <tenon/func/vmap.hpp>

#include "support.hpp"

using namespace test;

TEST_CASE("a dual level pushes tangents through whatever runs in it", "[func]") {
  Tensor x = drawn({4, 3}), along = drawn({4, 3}), w = drawn({2, 3});
  auto f = [&](const Tensor& a) {
    Tensor y = ops::zeros_like(ops::linear(a, w), "dtype"_a = kFloat);
    y.copy_(ops::linear(ops::tanh(a), w));
    y.select(0, 1).mul_(2);
    return y;
  };
  auto [value, change] = func::jvp(f, x, along);
  func::DualLevel level;
  Tensor a = level.make_dual(x, along), y = f(a);
  auto [primal, tangent] = level.unpack_dual(y);
  check_close(primal, value);
  check_close(tangent, change);
  CHECK(level.unpack_dual(a).primal.is_same(x));
  CHECK(level.unpack_dual(a).tangent.is_same(along));
  // What does not depend on a dual tensor has no tangent.
  CHECK(level.unpack_dual(x).primal.is_same(x));
  CHECK_FALSE(level.unpack_dual(x).tangent.defined());
  CHECK_FALSE(level.unpack_dual(f(x)).tangent.defined());
  check_close(level.unpack_dual(f(x)).primal, value);
}

TEST_CASE("dual levels nest, in one another and in transforms, and are recorded", "[func]") {
  Tensor x = drawn({3});
  auto cube_along = [](const Tensor& a) {
    func::DualLevel outer;
    Tensor once = outer.make_dual(a, ops::ones_like(a));
    func::DualLevel inner;
    Tensor twice = inner.make_dual(once, ops::ones_like(a));
    Tensor y = ops::mul(ops::mul(twice, twice), twice);
    return outer.unpack_dual(inner.unpack_dual(y).tangent).tangent;
  };
  check_close(cube_along(x), ops::mul(x, 6));
  check_close(func::vmap(cube_along)(x), ops::mul(x, 6));
  // The tangent of a recorded tensor is a function of it.
  Tensor leaf = x.clone().set_requires_grad(true);
  {
    func::DualLevel level;
    Tensor y = ops::sin(level.make_dual(leaf, ops::ones_like(x)));
    level.unpack_dual(y).tangent.sum().backward();
  }
  check_close(leaf.grad(), ops::neg(ops::sin(x)));
}

TEST_CASE("what a dual level refuses", "[func]") {
  Tensor x = drawn({3}), left;
  {
    func::DualLevel level;
    left = level.make_dual(x, x);
    CHECK_ERROR(level.make_dual(x, drawn({4})), ValueError,
                "jvp: expected a tangent of the shape of its tensor, [3], got [4]");
    CHECK_ERROR(level.make_dual(x, x.to(kFloat)), TypeError,
                "jvp: expected a tangent of the dtype of its tensor, float64, got float32");
    CHECK_ERROR(level.make_dual(x.to(kLong), x), TypeError,
                "make_dual(): expected primal to be floating point or complex, but got: int64");
    CHECK_ERROR(level.make_dual(x, x.to(kLong)), TypeError,
                "make_dual(): expected tangent to be floating point or complex, but got: int64");
    CHECK_ERROR(level.make_dual(x, Tensor()), ValueError,
                "make_dual(): expected a tensor and its tangent, got no tangent");
    CHECK_ERROR(level.unpack_dual(Tensor()), ValueError, "unpack_dual(): expected a tensor, got an undefined one");
    func::DualLevel inner;
    CHECK_ERROR(
        level.make_dual(x, x), ValueError,
        "make_dual(): a transform (vmap, jvp, a dual level) began after the level; make the dual tensor before it");
  }
  func::DualLevel next;
  CHECK_ERROR(next.unpack_dual(left), ValueError,
              "a tensor of shape [3] was made within a transform (vmap, jvp) that has ended, or is used outside of it; "
              "return it from the function instead");
}
