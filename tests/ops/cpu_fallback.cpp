// A back end with kernels for empty and copy_ alone: everything else runs on the CPU.
#include <tenon/tenon.hpp>

#include "../catch.hpp"
#include "../host_device.hpp"

using namespace tenon;

namespace {

Tensor device_empty(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout>, std::optional<Device>,
                    std::optional<bool>, std::optional<MemoryFormat>) {
  return on(make_tensor(size, {}, dtype.value_or(kFloat)), kDevice);
}
Tensor& device_copy(Tensor& self, const Tensor& source, bool) {
  Tensor to = on(self, kCPU);
  ops::copy_(to, on(source, kCPU));
  return self;
}

struct BackEnd {
  Library kernels{Library::Kind::Impl, "aten", DispatchKey::PrivateUse1},
      fallback{Library::Kind::Impl, "_", DispatchKey::PrivateUse1};
  BackEnd() {
    kernels.impl<ops::empty_memory_format, &device_empty>();
    kernels.impl<ops::copy_base_, &device_copy>();
    fallback.fallback(&cpu_fallback);
  }
  static Tensor tensor(std::initializer_list<double> values) {
    Tensor t = ops::empty({static_cast<std::int64_t>(values.size())}, "device"_a = kDevice);
    return t.copy_(tenon::tensor(std::vector<double>(values), "dtype"_a = kFloat));
  }
};
std::vector<float> values(const Tensor& t) {
  CHECK(t.device() == kDevice);
  return on(t.contiguous(), kCPU).to_vector<float>();
}

}  // namespace

TEST_CASE("an operator without a kernel on a device runs on the CPU", "[ops][cpu_fallback]") {
  BackEnd here;
  Tensor x = here.tensor({1, 2}), y = here.tensor({3, 4});
  CHECK(values(x + y) == std::vector<float>{4, 6});
  CHECK(values(ops::cat({x, y})) == std::vector<float>{1, 2, 3, 4});
  CHECK(values(ops::clamp(x, here.tensor({1, 1}), std::nullopt)) == std::vector<float>{1, 2});
  CHECK(values(ops::ones({2}, "device"_a = kDevice)) == std::vector<float>{1, 1});
}

TEST_CASE("what an operator writes comes back to the device, and is what it returns", "[ops][cpu_fallback]") {
  BackEnd here;
  Tensor x = here.tensor({1, 2}), y = here.tensor({3, 4}), out = here.tensor({0, 0});
  CHECK(x.add_(y).is_same(x));
  CHECK(values(x) == std::vector<float>{4, 6});
  CHECK(ops::mul(x, y, "out"_a = out).is_same(out));
  CHECK(values(out) == std::vector<float>{12, 24});
}

TEST_CASE("views and the back end's own operators are not for the fallback", "[ops][cpu_fallback]") {
  BackEnd here;
  Tensor x = here.tensor({1, 2});
  Stack s{Value(x), Value(std::int64_t{0}), Value(std::int64_t{1}), Value(std::int64_t{1}), Value()};
  CHECK_ERROR(cpu_fallback(Registry::get().find_schema_or_throw("aten::unfold", ""), s), NotImplementedError,
              "aten::unfold is a view: its result shares memory with its argument, which a copy on the CPU cannot; the "
              "back end registers a kernel for it");
  CHECK_ERROR(cpu_fallback(Registry::get().find_schema_or_throw("aten::copy_", ""), s), NotImplementedError,
              "aten::copy_: a back end whose fallback is cpu_fallback needs a kernel of its own for this operator");
}
