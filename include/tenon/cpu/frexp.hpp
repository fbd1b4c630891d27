// Floating-point numbers taken apart, on the CPU.
#pragma once
#include <cmath>
#include <tuple>

#include <tenon/composite/frexp_shapes.hpp>
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/cpu/tensor_operand.hpp>

namespace tenon::cpu::detail {
/// A mantissa in [1/2, 1) and an exponent of two. Infinities and not-a-number have exponent 0.
template <class Arch>
inline constexpr auto frexp_loops = make_scalar_loops<Arch, 1, 2>(over::fast_float{}, [](auto x) {
  int exponent = 0;
  auto mantissa = std::isfinite(x) ? std::frexp(x, &exponent) : x;
  return std::tuple(mantissa, static_cast<std::int32_t>(exponent));
});
template <class Arch>
inline constexpr LoopTable frexp_table = make_table(frexp_loops<Arch>);
template <class Arch>
void frexp_cpu(const Tensor& self, const Tensor& mantissa, const Tensor& exponent) {
  IntArrayRef sizes = mantissa.sizes();
  Operands o(sizes.data(), static_cast<int>(sizes.size()), self.numel(), self.dtype());
  o.add_output(operand_of(mantissa, sizes));
  o.add_output(operand_of(exponent, sizes));
  o.add_input(operand_of(self, sizes));
  active_tables().pointwise->run(*frexp_table<Arch>.find(self.dtype()), nullptr, o);
}

}  // namespace tenon::cpu::detail

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(frexp_Tensor, CPU, &cpu::detail::frexp_cpu<cpu::default_arch>);

}  // namespace tenon::ops
