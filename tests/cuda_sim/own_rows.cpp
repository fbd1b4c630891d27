// Rows of a program's own, tests/install/cuda/mine.hpp, as kernels; own_rows_device.cpp is their unit of kernels.
#include <tenon/tenon.hpp>

#include "../catch.hpp"
#include "../install/cuda/mine.hpp"
#include "driver.hpp"

using namespace tenon;

TENON_POINTWISE(cubed, "mine::cubed(Tensor self) -> Tensor", [](auto x) { return x * x * x; });

namespace {
const Device kCuda("cuda:0");
Tensor on_cpu(const Tensor& t) { return t.to(kCPU, t.dtype()); }
}  // namespace

TEST_CASE("an operator of a lambda runs on the device where a .cu file has its row", "[cuda_runtime]") {
  fake::reset();
  Tensor x = ops::sin(ops::arange(70, "dtype"_a = kFloat)).reshape({10, 7}), y = x * 0.3;
  Tensor there = x.to(kCuda, kFloat), other = y.to(kCuda, kFloat);
  CHECK(ops::allclose(on_cpu(swish(there, "beta"_a = 2)), swish(x, "beta"_a = 2)));
  CHECK(ops::allclose(on_cpu(swish(there.transpose(0, 1))), swish(x.transpose(0, 1))));
  CHECK(ops::allclose(on_cpu(between(0.1, there, other)), between(0.1, x, y)));
  CHECK(ops::equal(on_cpu(is_above(there, 0.25)), is_above(x, 0.25)));
  CHECK(is_above(there).dtype() == kBool);
  Tensor halves = swish(there.to(kHalf));
  CHECK(halves.dtype() == kHalf);
  CHECK(ops::allclose(on_cpu(halves).to(kFloat), swish(x), 1e-2, 1e-3));
  Tensor whole = ops::arange(5).to(kCuda, kLong);
  CHECK(ops::allclose(on_cpu(swish(whole)), swish(ops::arange(5))));
  swish_(there);
  CHECK(ops::allclose(on_cpu(there), swish(x)));
}

TEST_CASE("its gradient on the device is the CPU's, and so is the gradient's", "[cuda_runtime]") {
  fake::reset();
  auto gradients = [](Tensor x) {
    x.requires_grad_();
    Tensor y = ops::sum(swish(x, "beta"_a = 1.5));
    std::vector<Tensor> first = autograd::grad({y}, {x}, {}, std::nullopt, true);
    std::vector<Tensor> second = autograd::grad({ops::sum(first[0] * first[0])}, {x});
    Tensor z = x.detach().requires_grad_();
    ops::sum(swish(z, "beta"_a = 1.5)).backward();
    return std::vector<Tensor>{first[0].detach(), second[0], z.grad()};
  };
  Tensor x = ops::sin(ops::arange(9, "dtype"_a = kFloat));
  std::vector<Tensor> here = gradients(x.clone()), there = gradients(x.to(kCuda, kFloat));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(there[i].device() == kCuda);
    CHECK(ops::allclose(on_cpu(there[i]), here[i], 1e-4, 1e-6));
  }
}

TEST_CASE("an operator of a lambda without a row for the device says so", "[cuda_runtime]") {
  fake::reset();
  CHECK_ERROR_CONTAINS(cubed(ops::ones({2}, "device"_a = kCuda)), NotImplementedError,
                       "has no kernel for CUDA; put its row into a .cu file that ends with TENON_CUDA_ROWS");
}
