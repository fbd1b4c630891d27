// Tensors on the simulated device: memory, copies, what the library says of it.
#include <csetjmp>
#include <csignal>

#include <tenon/base/component.hpp>
#include <tenon/cuda/executor.hpp>
#include <tenon/tenon.hpp>

#include "support.hpp"
#include "../registry_support.hpp"
#include "device.hpp"

using namespace tenon;
using namespace tenon::test;

namespace {

Tensor on_cuda(const Tensor& t) { return t.to(kCuda, t.dtype()); }
Tensor same(const Tensor& t) { return t; }

}  // namespace

TEST_CASE("the component tells of its device", "[cuda_sim]") {
  CHECK(cuda::is_built());
  CHECK(cuda::is_available());
  CHECK(cuda::device_count() == 1);
  CHECK(cuda::version() == "simulated");
}

TEST_CASE("tensors travel to the device and back with their layout", "[cuda_sim]") {
  Tensor x = ops::reshape(ops::arange(24, "dtype"_a = kFloat), {2, 3, 4});
  Tensor there = on_cuda(x);
  CHECK(there.device() == kCuda);
  CHECK(cuda::simulated::is_device_memory(there.data_ptr()));
  CHECK(ops::equal(on_cpu(there), x));
  Tensor turned = ops::transpose(there, 0, 2);
  CHECK(turned.storage() == there.storage());
  CHECK(ops::equal(on_cpu(turned), ops::transpose(x, 0, 2)));
  CHECK(ops::equal(on_cpu(ops::contiguous(turned)), ops::transpose(x, 0, 2)));
  CHECK(there.select(0, 1).select(0, 2).select(0, 3).item<float>() == 23.0f);
  CHECK(ops::equal(on_cpu(ops::empty({2}, "device"_a = Device("cuda")).fill_(3.0)), ops::full({2}, 3.0)));
  CHECK_THROWS_AS(ops::empty({2}, "device"_a = Device("cuda:1")), ValueError);
}

TEST_CASE("large transposed copies go through tiles", "[cuda_sim]") {
  for (auto [rows, columns] : {std::pair(8, 8), std::pair(33, 70), std::pair(64, 31)})
    for (ScalarType dtype : {kByte, kHalf, kFloat, kDouble, kComplexDouble}) {
      Tensor x = ops::reshape(ops::arange(2 * rows * columns, "dtype"_a = kFloat), {2, rows, columns}).to(kCPU, dtype);
      Tensor t = ops::transpose(on_cuda(x), 1, 2);
      CHECK(ops::equal(on_cpu(ops::contiguous(t)), ops::transpose(x, 1, 2)));
    }
}

TEST_CASE("gradients are computed on the device", "[cuda_sim]") {
  Tensor x = ops::reshape(ops::arange(12, "dtype"_a = kFloat), {3, 4}) * 0.1, w = ops::ones({4, 2}) * 0.5;
  auto loss = [](Tensor a, Tensor b) {
    Tensor l = ops::sum(ops::softmax(ops::relu(ops::mm(a, b)) * a.select(1, 1).unsqueeze(1), -1) * a.slice(1, 0, 2));
    l.backward();
    return l;
  };
  Tensor a = x.detach().requires_grad_(), b = w.detach().requires_grad_();
  Tensor c = on_cuda(x).requires_grad_(), d = on_cuda(w).requires_grad_();
  Tensor here = loss(a, b), there = loss(c, d);
  CHECK(there.device() == kCuda);
  CHECK(ops::allclose(on_cpu(there.detach()), here.detach()));
  CHECK(c.grad().device() == kCuda);
  CHECK(ops::allclose(on_cpu(c.grad()), a.grad(), 1e-4, 1e-6));
  CHECK(ops::allclose(on_cpu(d.grad()), b.grad(), 1e-4, 1e-6));
}

TEST_CASE("long reductions take several blocks and give the same bits in any order of lanes", "[cuda_sim]") {
  Tensor x = ops::sin(ops::arange(3 * 20000, "dtype"_a = kFloat)).reshape({3, 20000});
  Tensor there = on_cuda(x);
  std::optional<float> first;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    cuda::Executor::settings().seed = seed;
    float sum = ops::sum(there).item<float>();
    CHECK(sum == Approx(ops::sum(x.to(kCPU, kDouble)).item<double>()).margin(1e-3));
    CHECK(sum == first.value_or(sum));
    first = sum;
    CHECK(ops::allclose(on_cpu(ops::amax(there, {1})), ops::amax(x, {1})));
    CHECK(ops::allclose(on_cpu(ops::mean(there, {0})), ops::mean(x, {0})));
  }
  cuda::Executor::settings().seed = 1;
}

TEST_CASE("operands on two devices are refused, numbers of the host are not", "[cuda_sim]") {
  Tensor x = ops::ones({2, 2}), y = on_cuda(x);
  CHECK_ERROR_CONTAINS(ops::add(x, y), ValueError, "Expected all tensors to be on the same device");
  CHECK_ERROR_CONTAINS(ops::mm(y, x), ValueError, "same device");
  CHECK(ops::equal(on_cpu(y * scalar_tensor(2, kFloat)), x * 2));
}

TEST_CASE("an operator without a kernel on the device says so", "[cuda_sim]") {
  Library own = support::fragment("sim"), here = support::impl(DispatchKey::CPU, "sim");
  own.def("alone(Tensor self) -> Tensor");
  here.impl("alone", TENON_FN(same));
  Tensor x = ops::ones({2, 2});
  CHECK(support::boxed(support::op("sim::alone"), x)[0].to_tensor().is_same(x));
  CHECK_ERROR_CONTAINS(support::boxed(support::op("sim::alone"), on_cuda(x)), NotImplementedError,
                       "Could not run 'sim::alone");
}

TEST_CASE("bad places in an index are told as on the CPU", "[cuda_sim]") {
  Tensor x = on_cuda(ops::ones({3, 2})), index = on_cuda(ops::full({1, 2}, 3, "dtype"_a = kLong));
  CHECK_ERROR(ops::gather(x, 0, index), IndexError, "index 3 is out of bounds for dimension 0 with size 3");
  CHECK_ERROR(ops::index_select(x, 0, ops::reshape(index, {2})), IndexError, "index out of range in self");
}

namespace {
struct writes_beside {
  template <class L>
  void operator()(L& lane, float* p) const {
    p[lane.thread()] = 1;
  }
};
}  // namespace

TEST_CASE("a kernel that writes beside a tensor is found", "[cuda_sim]") {
  Tensor x = ops::empty({32}, "device"_a = kCuda);
  auto* p = static_cast<float*>(x.data_ptr());
  auto call = [&](unsigned threads) {
    cuda::Executor::run(1, threads, [p](cuda::HostLane& lane) { writes_beside{}(lane, p); });
  };
  call(32);
  CHECK_THROWS_AS(call(33), cuda::KernelDefect);
  // The zone stays written; the block leaves with its tensor.
}

namespace {
sigjmp_buf back;
void on_fault(int) { siglongjmp(back, 1); }
}  // namespace

TEST_CASE("the host cannot read the device's memory", "[cuda_sim]") {
  Tensor x = ops::ones({4}, "device"_a = kCuda);
  auto before = std::signal(SIGSEGV, &on_fault);
  volatile bool crashed = false;
  if (sigsetjmp(back, 1) == 0) {
    volatile float value = *static_cast<const volatile float*>(x.data_ptr());
    (void)value;
  } else {
    crashed = true;
  }
  std::signal(SIGSEGV, before);
  CHECK(crashed);
}
