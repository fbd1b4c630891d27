#include <cmath>
#include <limits>

#include "support.hpp"

using namespace test;

namespace {
std::vector<Tensor> three() { return {counted({2, 3}), counted({3}), tensor(-2.0)}; }
std::vector<Numbers> all_values(const std::vector<Tensor>& tensors) {
  std::vector<Numbers> out;
  for (const Tensor& t : tensors) out.push_back(values(t));
  return out;
}
}  // namespace

TEST_CASE("operators over lists give a result for each tensor", "[ops][foreach]") {
  std::vector<Tensor> x = three();
  CHECK(all_values(ops::_foreach_add(x, 1)) == std::vector<Numbers>{{1, 2, 3, 4, 5, 6}, {1, 2, 3}, {-1}});
  CHECK(all_values(ops::_foreach_mul(x, std::vector<Scalar>{2, 3, 4})) ==
        std::vector<Numbers>{{0, 2, 4, 6, 8, 10}, {0, 3, 6}, {-8}});
  CHECK(all_values(ops::_foreach_sub(x, x, "alpha"_a = 2)) ==
        std::vector<Numbers>{{0, -1, -2, -3, -4, -5}, {0, -1, -2}, {2}});
  CHECK(all_values(ops::_foreach_div(x, tensor(2.0))) ==
        std::vector<Numbers>{{0, .5, 1, 1.5, 2, 2.5}, {0, .5, 1}, {-1}});
  CHECK(all_values(ops::_foreach_neg(x))[2] == Numbers{2});
  CHECK(all_values(ops::_foreach_pow(2, x))[1] == Numbers{1, 2, 4});
  CHECK(all_values(ops::_foreach_norm(x))[1] == Numbers{static_cast<double>(std::sqrt(5.0f))});
  CHECK(all_values(ops::_foreach_max(x)) == std::vector<Numbers>{{5}, {2}, {-2}});
  CHECK(all_values(ops::_foreach_addcmul(x, x, x, tensor({1.0, 2.0, 3.0}))) ==
        std::vector<Numbers>{{0, 2, 6, 12, 20, 30}, {0, 3, 10}, {10}});
  // A list of tensors in other layouts and dtypes.
  std::vector<Tensor> mixed{counted({2, 3}).t(), counted({2}, kLong), ops::empty({0, 4})};
  std::vector<Tensor> doubled = ops::_foreach_mul(mixed, 2);
  CHECK(values(doubled[0]) == Numbers{0, 6, 2, 8, 4, 10});
  CHECK(doubled[1].dtype() == kLong);
  CHECK(list(doubled[2].sizes()) == Ints{0, 4});
}

TEST_CASE("operators over lists write in place and into given tensors", "[ops][foreach]") {
  std::vector<Tensor> x = three(), y = three();
  const auto version = x[0].version();
  ops::_foreach_add_(x, y);
  CHECK(all_values(x) == std::vector<Numbers>{{0, 2, 4, 6, 8, 10}, {0, 2, 4}, {-4}});
  CHECK(x[0].version() == version + 1);
  ops::_foreach_maximum_(x, 3);
  CHECK(all_values(x) == std::vector<Numbers>{{3, 3, 4, 6, 8, 10}, {3, 3, 4}, {3}});
  ops::_foreach_copy_(x, y);
  CHECK(all_values(x) == all_values(y));
  ops::_foreach_zero_(x);
  CHECK(values(x[1]) == Numbers{0, 0, 0});
  std::vector<Tensor> out{ops::empty({0}), ops::empty({0}), ops::empty({0})};
  ops::_foreach_exp(std::vector<Tensor>{counted({1}), counted({1}), tensor(0.0)}, "out"_a = out);
  CHECK(all_values(out) == std::vector<Numbers>{{1}, {1}, {1}});
  CHECK_ERROR_CONTAINS(ops::_foreach_exp(y, "out"_a = std::vector<Tensor>{ops::empty({0})}), ValueError,
                       "expected an out= argument of size 3, got size 1");
  std::vector<Tensor> whole{counted({2}, kLong)};
  CHECK_ERROR(ops::_foreach_maximum_(whole, 1.5), TypeError,
              "result type float32 can't be cast to the desired output type int64");
  CHECK_THROWS_AS(ops::_foreach_add_(whole, 1.5), TypeError);
}

TEST_CASE("lists that do not fit are refused", "[ops][foreach]") {
  std::vector<Tensor> x = three(), two{x[0], x[1]}, none;
  const char* empty = "Tensor list must have at least one tensor.";
  const char* scalars = "Tensor list must have same number of elements as scalar list.";
  CHECK_ERROR(ops::_foreach_abs(none), ValueError, empty);
  CHECK_ERROR(ops::_foreach_add(none, none), ValueError, empty);
  CHECK_ERROR(ops::_foreach_zero_(none), ValueError, empty);
  CHECK_ERROR(ops::_foreach_add(none, x), ValueError, "Tensor lists must have the same number of tensors, got 0 and 3");
  CHECK_ERROR(ops::_foreach_add(x, two), ValueError, "Tensor lists must have the same number of tensors, got 3 and 2");
  CHECK_ERROR(ops::_foreach_addcmul(x, x, two, 1), ValueError,
              "Tensor lists must have the same number of tensors, got 3 and 2");
  CHECK_ERROR(ops::_foreach_add(x, std::vector<Scalar>{1}), ValueError, scalars);
  CHECK_ERROR(ops::_foreach_addcdiv(x, x, x, std::vector<Scalar>{1, 2}), ValueError, scalars);
  CHECK_ERROR(ops::_foreach_mul(x, counted({2})), ValueError,
              "scalar tensor expected to be 0 dim but it has 1 dimensions and 2 elements.");
  CHECK_ERROR(ops::_foreach_addcmul(x, x, x, tensor(1.0)), ValueError,
              "Expected packed scalar Tensor to be of dimension 1. Got 0 instead.");
  CHECK_ERROR(ops::_foreach_addcmul(x, x, x, counted({2})), ValueError,
              "Expected length of scalars to match input of length 3 but got 2 instead.");
  CHECK_ERROR(ops::_foreach_norm(x, true), TypeError, "foreach_tensor_norm_slow expects ord to be integer or float");
  CHECK_ERROR(ops::_foreach_max(std::vector<Tensor>{ops::empty({0})}), ValueError,
              "_foreach_max cannot compute the maximum of an empty tensor; max over zero elements is undefined.");
}

TEST_CASE("gradients go through lists", "[ops][foreach]") {
  Tensor a = counted({2}, kDouble).requires_grad_(), b = (counted({3}, kDouble) + 1).requires_grad_();
  autograd::gradcheck(
      [](const std::vector<Tensor>& x) {
        std::vector<Tensor> y = ops::_foreach_lerp(x, ops::_foreach_exp(x), 0.25);
        ops::_foreach_mul_(y, std::vector<Scalar>{2, 3});
        return y[0].sum() * y[1].sum();
      },
      {a, b});
  // Half of the gradient where both are equal.
  Tensor x = tensor({1.0, 2.0, 3.0}).requires_grad_();
  ops::_foreach_maximum(std::vector<Tensor>{x}, 2)[0].sum().backward();
  CHECK(values(x.grad()) == Numbers{0, 0.5, 1});
  // A tensor that requires none has none, beside one that does.
  CHECK_FALSE(ops::_foreach_exp(std::vector<Tensor>{x, counted({2})})[1].requires_grad());
  std::vector<Tensor> leaf{counted({2}).requires_grad_()};
  CHECK_ERROR_CONTAINS(ops::_foreach_add_(leaf, 1), AutogradError, "a leaf Variable that requires grad");
}

TEST_CASE("operators over lists know no device", "[ops][foreach]") {
  std::vector<Tensor> meta{ops::empty({2, 3}, "device"_a = kMeta), ops::empty({4}, "device"_a = kMeta)};
  CHECK(list(ops::_foreach_add(meta, 1)[0].sizes()) == Ints{2, 3});
  CHECK(ops::_foreach_norm(meta)[1].is_meta());
  ops::_foreach_sqrt_(meta);
}

TEST_CASE("a scaler divides gradients, sees infinities and moves its scale", "[ops][foreach]") {
  std::vector<Tensor> grads{tensor({2.0, 4.0}), tensor({8.0}).to(kHalf)};
  Tensor found = ops::zeros({1}), inverse = ops::full({1}, 0.5);
  ops::_amp_foreach_non_finite_check_and_unscale_(grads, found, inverse);
  CHECK(all_values(grads) == std::vector<Numbers>{{1, 2}, {4}});
  CHECK(values(found) == Numbers{0});
  grads.push_back(tensor({std::numeric_limits<double>::infinity()}));
  ops::_amp_foreach_non_finite_check_and_unscale_(grads, found, inverse);
  CHECK(values(found) == Numbers{1});
  Tensor scale = ops::full({1}, 8.0), steps = ops::zeros({1}, "dtype"_a = kInt);
  ops::_amp_update_scale_(scale, steps, found, 2.0, 0.5, 2);
  CHECK(values(scale) == Numbers{4});
  found.zero_();
  ops::_amp_update_scale_(scale, steps, found, 2.0, 0.5, 2);
  CHECK(values(steps) == Numbers{1});
  ops::_amp_update_scale_(scale, steps, found, 2.0, 0.5, 2);
  CHECK(values(scale) == Numbers{8});
  CHECK(values(steps) == Numbers{0});
  // No scale grows to infinity.
  Tensor large = ops::full({1}, 3e38);
  ops::_amp_update_scale_(large, steps, found, 2.0, 0.5, 1);
  CHECK(values(large)[0] == Approx(3e38));
  CHECK_ERROR(ops::_amp_foreach_non_finite_check_and_unscale_(grads, ops::zeros({2}), inverse), ValueError,
              "found_inf must be a 1-element tensor.");
  CHECK_ERROR(ops::_amp_foreach_non_finite_check_and_unscale_(grads, found, inverse.to(kDouble)), TypeError,
              "inv_scale must be a float tensor.");
  CHECK_ERROR(ops::_amp_update_scale_(scale, steps.to(kLong), found, 2.0, 0.5, 2), TypeError,
              "growth_tracker must be an int tensor.");
}
