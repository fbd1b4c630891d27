// A back end of one's own: kernels for a device, and a fallback that sends all other operators to the CPU.
#include <cstdio>

#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

// The device's memory is the host's here, so that the example runs everywhere.
Tensor on(const Tensor& t, Device device) {
  Tensor keep = t.detach();
  return from_blob(
      keep.data_ptr(), keep.sizes(), keep.strides(), keep.dtype(),
      [](void* impl) { Tensor(intrusive_ptr<TensorImpl>::adopt(static_cast<TensorImpl*>(impl))); },
      intrusive_ptr<TensorImpl>(keep.impl_ptr()).release(), device);
}
constexpr Device kMine(DeviceType::PrivateUse1, 0);

Tensor device_add(const Tensor& a, const Tensor& b, const Scalar& alpha) {
  std::puts("  add on the device");
  return on(ops::add(on(a, kCPU), on(b, kCPU), "alpha"_a = alpha), kMine);
}

Tensor device_empty(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout>, std::optional<Device>,
                    std::optional<bool>, std::optional<MemoryFormat>) {
  return on(make_tensor(size, {}, dtype.value_or(kFloat)), kMine);
}

Tensor& device_copy(Tensor& self, const Tensor& source, bool) {
  Tensor to = on(self, kCPU);
  ops::copy_(to, on(source, kCPU));
  return self;
}

void on_cpu(const OperatorHandle& op, Stack& stack) {
  std::printf("  %s on the CPU\n", std::string(op.name()).c_str());
  for (Value& v : stack)
    if (v.is_tensor() && v.to_tensor().defined()) v = on(v.to_tensor(), kCPU);
  op.call_boxed(stack);
  for (Value& v : stack)
    if (v.is_tensor()) v = on(v.to_tensor(), kMine);
}

}  // namespace

TENON_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl<ops::add_Tensor, &device_add>();
  m.impl<ops::empty_memory_format, &device_empty>();
  m.impl<ops::copy_base_, &device_copy>();
}
TENON_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(&on_cpu); }

int main() {
  Tensor x = on(tensor({1.0, 2.0}), kMine), y = on(tensor({10.0, 20.0}), kMine);
  x.requires_grad_();
  std::puts("forward");
  Tensor z = (x + y * x);
  std::puts("backward");
  z.backward(on(tensor({1.0, 1.0}), kMine));
  std::printf("%s, its gradient %s\n", to_string(on(z, kCPU)).c_str(), to_string(on(x.grad(), kCPU)).c_str());
}

// Prints:
// forward
//   aten::mul.Tensor on the CPU
//   add on the device
// backward
//   aten::mul.Tensor on the CPU
//   add on the device
// tensor([11., 42.]), its gradient tensor([11., 21.])
