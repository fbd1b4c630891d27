// The choice of an instruction set, and that the sets agree to the bit where arithmetic is exact to the last rounding.
#include <cstring>
#include <vector>

#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/cpu/pointwise_loops.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::cpu;

namespace {

/// The pointwise loops of a set of kernels_cpu.
const PointwiseKernels* loops_of_set(Capability set) {
#if TENON_CPU_X86
  if (set == Capability::sse2) return tenon_kernels_pointwise_sse2(forwarding_executor());
  if (set == Capability::avx2) return tenon_kernels_pointwise_avx2(forwarding_executor());
  return tenon_kernels_pointwise_avx512(forwarding_executor());
#else
  static_cast<void>(set);
  return tenon_kernels_pointwise_neon64(forwarding_executor());
#endif
}

std::vector<float> result(const PointwiseKernels* kernels, PointwiseOp op, const std::vector<float>& a,
                          const std::vector<float>& b) {
  const Loop* loop = kernels->loops[static_cast<int>(op)].find(kFloat);
  std::vector<float> out(a.size());
  std::int64_t n = static_cast<std::int64_t>(a.size());
  Operands o(&n, 1, n, kFloat);
  o.add_output(Operand::dense(out.data(), kFloat));
  o.add_input(Operand::dense(a.data(), kFloat));
  if (loop->inputs > 1) o.add_input(Operand::dense(b.data(), kFloat));
  kernels->run(*loop, nullptr, o);
  return out;
}

}  // namespace

TEST_CASE("the kernels in use are those of the chosen set", "[cpu][kernel_tables]") {
  REQUIRE(active_tables().pointwise != nullptr);
  REQUIRE(active_tables().capability == chosen_capability());
  REQUIRE(chosen_capability() <= machine_capability());
}

TEST_CASE("every instruction set gives the same bits", "[cpu][kernel_tables]") {
  std::vector<float> a, b;
  std::uint32_t seed = 7;
  for (int i = 0; i < 5000; ++i) {
    seed = seed * 1664525u + 1013904223u;
    a.push_back(static_cast<float>(static_cast<std::int32_t>(seed)) * 1e-8f);
    seed = seed * 1664525u + 1013904223u;
    b.push_back(static_cast<float>(static_cast<std::int32_t>(seed)) * 1e-8f);
  }
  for (PointwiseOp op :
       {PointwiseOp::add, PointwiseOp::sub, PointwiseOp::mul, PointwiseOp::div, PointwiseOp::maximum, PointwiseOp::relu,
        PointwiseOp::abs, PointwiseOp::neg, PointwiseOp::floor, PointwiseOp::sign, PointwiseOp::div_floor}) {
    CAPTURE(static_cast<int>(op));
    auto expected = result(loops_of_set(machine_capability()), op, a, b);
    for (auto set : {Capability::sse2, Capability::avx2, Capability::avx512}) {
      if (set > machine_capability()) continue;
      auto got = result(loops_of_set(set), op, a, b);
      REQUIRE(std::memcmp(got.data(), expected.data(), got.size() * sizeof(float)) == 0);
    }
  }
}
