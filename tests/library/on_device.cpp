// Kernels of a back end with several devices: they run behind their operator's device check and device guard, each of
// which a declaration may switch off. W17: unsqueeze_ has neither.
#include <tenon/library/on_device.hpp>

#include <vector>

#include <tenon/library/library.hpp>
#include <tenon/library/operators.hpp>
#include <tenon/tensor/create.hpp>

#include "support.hpp"

using namespace support;

namespace on_device_test {
TENON_OPERATOR(both, "_devices::both(Tensor a, Tensor? b, Tensor[] c) -> Tensor");
TENON_OPERATOR(unchecked, "_devices::unchecked(Tensor a, Tensor b) -> Tensor", no_device_check);
TENON_OPERATOR(unguarded, "_devices::unguarded(Tensor a, Tensor b) -> Tensor", no_device_guard);
TENON_OPERATOR(neither, "_devices::neither(Tensor a, Tensor b) -> Tensor", no_device_check, no_device_guard);
TENON_OPERATOR(factory, "_devices::factory(int n, *, Device? device=None) -> int");

int current = 0;
std::vector<int> seen;  // the device that is current where a kernel runs
std::int8_t exchange(std::int8_t index) { return static_cast<std::int8_t>(std::exchange(current, index)); }

Tensor both_kernel(const Tensor& a, const std::optional<Tensor>&, TensorList) { return seen.push_back(current), a; }
Tensor two_kernel(KeySet keys, const Tensor& a, const Tensor&) {
  CHECK(keys.has(DispatchKey::PrivateUse1));
  return seen.push_back(current), a;
}
Tensor plain_kernel(const Tensor& a, const Tensor&) { return seen.push_back(current), a; }
std::int64_t factory_kernel(std::int64_t n, std::optional<Device>) { return seen.push_back(current), n; }
}  // namespace on_device_test
using namespace on_device_test;

TENON_LIBRARY(_devices, m) { m.def<both>().def<unchecked>().def<unguarded>().def<neither>().def<factory>(); }
TENON_LIBRARY_IMPL(_devices, PrivateUse1, m) {
  m.impl<both, &both_kernel>().impl<unchecked, &two_kernel>().impl<unguarded, &plain_kernel>();
  m.impl<neither, &plain_kernel>().impl<factory, &factory_kernel>();
}
TENON_LIBRARY_IMPL(_devices, CPU, m) { m.impl<both, &both_kernel>(); }

namespace {
Tensor on(int index) {
  static float memory[2] = {};
  std::int64_t two[] = {2}, one[] = {1};
  return from_blob(memory, IntArrayRef(two), IntArrayRef(one), kFloat, nullptr, nullptr,
                   Device(DeviceType::PrivateUse1, static_cast<std::int8_t>(index)));
}
const TensorList none;
std::vector<Tensor> two(int a, int b) { return {on(a), on(b)}; }
struct Hooked {
  DeviceHooks hooks{&exchange};
  PlainFallbacks fallbacks;
  Hooked() {
    current = 0;
    seen.clear();
    set_device_hooks(DeviceType::PrivateUse1, &hooks);
  }
  ~Hooked() { set_device_hooks(DeviceType::PrivateUse1, nullptr); }
};
}  // namespace

TEST_CASE("a kernel runs while the device of its first tensor is the current one", "[library][on_device]") {
  Hooked hooked;
  both(on(1), std::nullopt, none);
  both(on(0), on(0), two(0, 0));
  unchecked(on(2), on(3));
  CHECK(seen == std::vector{1, 0, 2});
  CHECK(current == 0);
}

TEST_CASE("a declaration switches the guard off", "[library][on_device]") {
  Hooked hooked;
  unguarded(on(1), on(1));
  neither(on(1), on(2));
  CHECK(seen == std::vector{0, 0});
}

TEST_CASE("tensors on two devices are refused in PyTorch's words, unless the declaration allows them",
          "[library][on_device]") {
  Hooked hooked;
  CHECK_ERROR(
      both(on(0), on(1), none), ValueError,
      "Expected all tensors to be on the same device, but got b is on privateuseone:1, different from other tensors on privateuseone:0 (when checking argument in method _devices::both)");
  CHECK_ERROR_CONTAINS(both(on(0), std::nullopt, two(0, 2)), ValueError, "but got c is on privateuseone:2");
  CHECK_ERROR_CONTAINS(unguarded(on(3), on(1)), ValueError, "but got b is on privateuseone:1");
  CHECK(seen.empty());
  CHECK(current == 0);
  neither(on(0), on(1));
  unchecked(on(0), on(1));
  CHECK(seen.size() == 2);
}

TEST_CASE("the CPU has one device, and its kernels have neither check nor guard", "[library][on_device]") {
  Hooked hooked;
  STATIC_REQUIRE(detail::kernel_for<both_op, &both_kernel, DispatchKey::CPU>() == &both_kernel);
  STATIC_REQUIRE(detail::kernel_for<neither_op, &plain_kernel, DispatchKey::CUDA>() == &plain_kernel);
  STATIC_REQUIRE(detail::kernel_for<both_op, &both_kernel, DispatchKey::CUDA>() != &both_kernel);
  STATIC_REQUIRE(has_devices(DispatchKey::SparseCUDA));
  STATIC_REQUIRE_FALSE(has_devices(DispatchKey::Meta));
  STATIC_REQUIRE_FALSE(has_devices(DispatchKey::AutogradCUDA));
  STATIC_REQUIRE_FALSE(has_devices(DispatchKey::CompositeExplicitAutograd));
}

TEST_CASE("a guard without hooks does nothing, and one with hooks goes back", "[library][on_device]") {
  { DeviceGuard none(Device(DeviceType::CUDA, 3)); }
  Hooked hooked;
  {
    DeviceGuard one(Device(DeviceType::PrivateUse1, 1));
    CHECK(current == 1);
    DeviceGuard two(Device(DeviceType::PrivateUse1, 2));
    CHECK(current == 2);
  }
  CHECK(current == 0);
}
