#include <tenon/library/default_device.hpp>

#include <thread>

#include <tenon/tenon.hpp>

#include "../catch.hpp"

using namespace tenon;

TEST_CASE("factories that name no device make tensors on the default one", "[library][default_device]") {
  Tensor x = ops::ones({2});
  CHECK(get_default_device() == kCPU);
  {
    DefaultDeviceGuard guard(kMeta);
    CHECK(get_default_device() == kMeta);
    CHECK(ops::zeros({2}).is_meta());
    CHECK(ops::rand({2, 3}).is_meta());
    CHECK(ops::arange(5).dtype() == kLong);
    CHECK(ops::arange(5).is_meta());
    CHECK(ops::eye(2).is_meta());
    CHECK(ops::empty_strided({2}, {1}).is_meta());
    CHECK(ops::zeros({2}, TensorOptions(kLong)).is_meta());
    CHECK(tensor({1, 2}).is_meta());
    CHECK(nn::Linear{2, 3}.weight.is_meta());
    nn::BatchNorm1d norm{4};
    CHECK(norm.running_mean.is_meta());
    CHECK(norm.num_batches_tracked.is_meta());
    CHECK(nn::Linear{4, 3}(norm(ops::rand({5, 4}))).is_meta());
    // A device or a tensor that is named stays the one.
    CHECK(ops::zeros({2}, "device"_a = kCPU).device() == kCPU);
    CHECK(tensor({1, 2}, "device"_a = kCPU).device() == kCPU);
    CHECK(ops::zeros_like(x).device() == kCPU);
    CHECK(x.new_zeros({2}).device() == kCPU);
    CHECK(x.to(kDouble).device() == kCPU);
    // What operators make inside of themselves is not concerned.
    CHECK(ops::cdist(ops::ones({2, 3}, "device"_a = kCPU), ops::ones({4, 3}, "device"_a = kCPU)).device() == kCPU);
    Tensor w = ops::ones({2}, "device"_a = kCPU, "requires_grad"_a = true);
    (w * x).sum().backward();
    CHECK(w.grad().device() == kCPU);
    {
      DefaultDeviceGuard inner(kCPU);
      CHECK(get_default_device() == kCPU);
      CHECK(ops::ones({2}).device() == kCPU);
    }
    CHECK(ops::ones({2}).is_meta());
    Device elsewhere = kMeta;
    std::thread([&] { elsewhere = ops::ones({2}).device(); }).join();
    CHECK(elsewhere == kCPU);
  }
  CHECK(ops::zeros({2}).device() == kCPU);
}

TEST_CASE("the default device is set and forgotten", "[library][default_device]") {
  set_default_device(kMeta);
  Device with = ops::zeros({1}).device();
  set_default_device(std::nullopt);
  CHECK(with == kMeta);
  CHECK(get_default_device() == kCPU);
  CHECK(ops::zeros({1}).device() == kCPU);
}
