// Zeros without memory.
#include <cmath>

#include <tenon/autograd/engine.hpp>
#include <tenon/io/dlpack.hpp>
#include <tenon/io/print.hpp>

#include "../ops/support.hpp"

using namespace test;

namespace {
Tensor zeros_of(IntArrayRef sizes, ScalarType dtype = kFloat) {
  return ops::_efficientzerotensor(sizes, "dtype"_a = dtype);
}
bool is_zero(const Tensor& t) { return ops::_is_zerotensor(t); }
}  // namespace

TEST_CASE("a zero tensor has no memory and reads as zeros", "[composite][zero_tensor]") {
  Tensor z = zeros_of({2, 2});
  CHECK((is_zero(z) && z.data_ptr() == nullptr && z.storage().nbytes() == 16));
  CHECK(to_string(z) == "tensor([[0., 0.],\n        [0., 0.]])");
  CHECK(values(z) == Numbers{0, 0, 0, 0});
  CHECK(z[0][0].item<double>() == 0);
  CHECK(zeros_of({}, kLong).item().is_integral());
  CHECK(z.to_vector<float>() == std::vector<float>(4));
  for (const Tensor& v : {z.t(), z.view({4}), z.expand({3, 2, 2}), z[0], z.detach()}) CHECK(is_zero(v));
  for (const Tensor& t : {z.clone(), ops::zeros_like(z), ops::empty_like(z), -z, z.to(kDouble)})
    CHECK_FALSE(is_zero(t));
  CHECK(values(z.clone()) == Numbers{0, 0, 0, 0});
  CHECK(values(z.to(kDouble)) == Numbers{0, 0, 0, 0});
  CHECK(values(z.sum()) == Numbers{0});
  Tensor c = zeros_of({2}, kComplexFloat).conj();
  CHECK((c.is_conj() && is_zero(c) && to_string(c) == "tensor([0.+0.j, 0.+0.j])"));
  CHECK_ERROR_CONTAINS(to_dlpack(z), ValueError, "zero tensor");
  CHECK(is_zero(ops::_efficientzerotensor({2}, "device"_a = kMeta)));
}

TEST_CASE("a zero tensor is not written", "[composite][zero_tensor]") {
  Tensor z = zeros_of({2}), x = tensor({1.0, 2.0});
  const char* message =
      "ZeroTensors are immutable. Please use the materialized zero tensor obtained using .clone() if you want a mutable tensor.";
  CHECK_ERROR(z.add_(1), ValueError, message);
  CHECK_ERROR(z.zero_(), ValueError, message);
  CHECK_ERROR(z.resize_({9}), ValueError, message);
  CHECK_ERROR(ops::add(x, x, "out"_a = z), ValueError, message);
  CHECK_ERROR(
      z.copy_(x), ValueError,
      "ZeroTensors are immutable. Please materialize the tensor using `.clone()`, if you want a mutable zero tensor.");
  x.copy_(z);
  CHECK(values(x) == Numbers{0, 0});
  CHECK_ERROR_CONTAINS(x.copy_(zeros_of({3})), ValueError, "3");
}

TEST_CASE("arithmetic with zero tensors makes more of them, or copies", "[composite][zero_tensor]") {
  Tensor z = zeros_of({2}), x = tensor({1.0, -2.0});
  for (const Tensor& t :
       {ops::mul(z, x), ops::mul(x, z), z * 2, ops::div(z, x), z / 2, z + z, z - z, ops::dot(z, x), ops::vdot(x, z)})
    CHECK(is_zero(t));
  for (const Tensor& t : {z + x, x + z, x - z, z + 1}) CHECK_FALSE(is_zero(t));
  CHECK(values(z + x) == Numbers{1, -2});
  CHECK(values(x - z) == Numbers{1, -2});
  CHECK(values(z - x) == Numbers{-1, 2});
  CHECK(values(ops::add(z, x, "alpha"_a = 3)) == Numbers{3, -6});
  CHECK(values(x / z) == Numbers{INFINITY, -INFINITY});
  CHECK(std::isnan(values(z / z)[0]));
  CHECK((zeros_of({2}, kLong) * x).dtype() == kFloat);
  CHECK((zeros_of({2}, kLong) / tensor({1, 2})).dtype() == kFloat);
  CHECK(values(zeros_of({2}) + ops::ones({3, 1}, "dtype"_a = kLong)) == Numbers{1, 1, 1, 1, 1, 1});
  CHECK((x + z).data_ptr() != x.data_ptr());
  CHECK(values(ops::matmul(zeros_of({2, 2}), x)) == Numbers{0, 0});
  CHECK(values(ops::cat({x, z})) == Numbers{1, -2, 0, 0});
  Tensor leaf = tensor({1.0, 2.0}).requires_grad_();
  (leaf * z + leaf).sum().backward();
  CHECK(values(leaf.grad()) == Numbers{1, 1});
}
