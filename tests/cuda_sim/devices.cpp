// Networks over two devices, over a driver that runs their streams late.
#include <vector>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/memory.hpp>
#include <tenon/cuda/runtime.hpp>
#include <tenon/cuda/streams.hpp>
#include <tenon/tenon.hpp>

#include "driver.hpp"
#include "late.hpp"
#include "support.hpp"

using namespace tenon;
using namespace tenon::test;

namespace {

const Device kFirst("cuda:0"), kSecond("cuda:1");
Tensor leaf(const Tensor& t, Device device) { return t.to(device, kFloat, false, true).detach().requires_grad_(); }

}  // namespace

TEST_CASE("W25: layers on two devices have the gradients of one", "[cuda_runtime][walkthrough]") {
  Late late;
  Tensor x = waves({4, 5}, 0.37), first = waves({6, 5}, 0.7), second = waves({3, 6}, 1.1);
  auto loss = [&](const Tensor& a, const Tensor& b) {
    Tensor hidden = ops::relu(ops::linear(x.to(a.device(), kFloat), a));
    Tensor out = ops::linear(hidden.to(b.device(), kFloat), b);
    CHECK(out.device() == b.device());
    return ops::sum(out * out);
  };
  Tensor a = leaf(first, kCPU), b = leaf(second, kCPU), c = leaf(first, kFirst), d = leaf(second, kSecond);
  loss(a, b).backward();
  Tensor there = loss(c, d);
  there.backward();
  CHECK(there.device() == kSecond);
  CHECK((c.grad().device() == kFirst && d.grad().device() == kSecond));
  CHECK(ops::allclose(on_cpu(c.grad()), a.grad(), 1e-4, 1e-4));
  CHECK(ops::allclose(on_cpu(d.grad()), b.grad(), 1e-4, 1e-4));
}

TEST_CASE("W25: gradients of replicas, averaged, are those of the whole batch", "[cuda_runtime][walkthrough]") {
  Late late;
  Tensor x = waves({8, 5}, 0.37), weight = waves({3, 5}, 0.7);
  Tensor classes = ops::remainder(ops::arange(8), 3);
  auto gradient = [&](Device device, std::int64_t from, std::int64_t to) {
    Tensor w = leaf(weight, device);
    Tensor out = ops::linear(x.slice(0, from, to).to(device, kFloat), w);
    ops::cross_entropy_loss(out, classes.slice(0, from, to).to(device, kLong)).backward();
    CHECK(w.grad().device() == device);
    return w.grad();
  };
  Tensor whole = gradient(kCPU, 0, 8), one = gradient(kFirst, 0, 4), two = gradient(kSecond, 4, 8);
  Tensor mean = (one + two.to(kFirst, kFloat)) / 2.0;
  CHECK(mean.device() == kFirst);
  CHECK(ops::allclose(on_cpu(mean), whole, 1e-4, 1e-5));
}

TEST_CASE("a kernel on the wrong device or stream is found as a device would find it", "[cuda_runtime]") {
  Late late;
  Tensor here = ops::ones({4}, "device"_a = kFirst), there = ops::ones({4}, "device"_a = kSecond);
  auto fill = [](const Tensor& t, void* stream) {
    cuda::CopyCall call;
    cuda::Elementwise& c = call.elements;
    c.operands = 2, c.dense = true, c.walk.count = t.numel();
    c.at[0].data = static_cast<char*>(t.data_ptr());
    c.at[0].dtype = c.at[1].dtype = kFloat;
    cuda::copy(call, stream);
    cuda::runtime::check_launch("fill");
  };
  fill(here, nullptr);
  CHECK_ERROR(fill(there, nullptr), Error, "fill: CUDA error: an illegal memory access was encountered");
  cuda::Stream second = cuda::stream_from_pool(0, 1);
  CHECK_ERROR(fill(here, second.handle()), Error, "fill: CUDA error: invalid resource handle");
  CHECK(ops::equal(on_cpu(here), ops::zeros({4})));
  CHECK(ops::equal(on_cpu(there), ops::ones({4})));
  // And one whose start nobody looked at, by the next call of the driver.
  fake::driver().strict = true;
  cuda::CopyCall call;
  call.elements.operands = 2, call.elements.dense = true;
  call.elements.at[0].data = static_cast<char*>(here.data_ptr());
  call.elements.at[0].dtype = call.elements.at[1].dtype = kFloat;
  cuda::copy(call, nullptr);
  CHECK_THROWS_TEXT(cuda::runtime::synchronize(), "synchronize: CUDA error: unspecified launch failure");
}

TEST_CASE("results lie on the device of what they are made of, and are read behind its work", "[cuda_runtime]") {
  Late late;
  CHECK(fake::driver().current() == 0);
  cuda::empty_cache();
  std::uint64_t before = cuda::memory_stats(0).allocations;
  Tensor a = ops::full({4, 4}, 2.0, "device"_a = kSecond), sum = ops::mm(a, a);
  auto [values, places] = ops::sort(sum + a, 1);
  CHECK(values.select(0, 1).select(0, 2).item<float>() == 18.0f);
  CHECK(ops::softmax(sum, 1).select(0, 3).select(0, 0).item<float>() == 0.25f);
  CHECK(ops::index_select(sum, 0, places.select(0, 0)).device() == kSecond);
  CHECK(cuda::memory_stats(0).allocations == before);
}
