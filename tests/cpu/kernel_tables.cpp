// The choice of an instruction set, and that the sets agree to the bit where arithmetic is exact to the last rounding.
#include <cstring>
#include <vector>

#include <tenon/cpu/formula_loops.hpp>
#include <tenon/cpu/kernel_tables.hpp>

#include "../ops/support.hpp"

using namespace test;
using namespace tenon::cpu;

// Not every group has been given kernels.
#define TENON_TEST_SET(MEMBER, TYPE, SET) \
  extern "C" __attribute__((weak)) const TYPE* tenon_kernels_##MEMBER##_##SET(const Executor*);
#define TENON_TEST_GROUP(MEMBER, TYPE) TENON_CPU_SETS(TENON_TEST_SET, MEMBER, TYPE)
TENON_CPU_KERNEL_GROUPS(TENON_TEST_GROUP)
#undef TENON_TEST_GROUP
#undef TENON_TEST_SET

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

std::vector<float> computed(const PointwiseKernels* kernels, const char* formula, const std::vector<float>& a,
                            const std::vector<float>& b) {
  const Loop* loop = nullptr;
  for (int i = 0; i < kernels->count; ++i)
    if (std::strcmp(kernels->formulas[i].name, formula) == 0) loop = kernels->formulas[i].loops.find(kFloat);
  REQUIRE(loop);
  std::vector<float> out(a.size());
  std::int64_t n = static_cast<std::int64_t>(a.size());
  Operands o(&n, 1, n, kFloat);
  o.add_output(Operand::dense(out.data(), kFloat));
  o.add_input(Operand::dense(a.data(), kFloat));
  if (loop->inputs > 1) o.add_input(Operand::dense(b.data(), kFloat));
  kernels->run(*loop, nullptr, o);
  return out;
}

/// For as long as it lives the kernels of a set are in use.
class SetGuard {
 public:
  explicit SetGuard(Capability set) {
    KernelTables& t = cpu::detail::kernel_tables;
#define TENON_TEST_SET(MEMBER, TYPE, SET)                       \
  if (set == Capability::SET && tenon_kernels_##MEMBER##_##SET) \
    t.MEMBER = tenon_kernels_##MEMBER##_##SET(forwarding_executor());
#define TENON_TEST_GROUP(MEMBER, TYPE) TENON_CPU_SETS(TENON_TEST_SET, MEMBER, TYPE)
    TENON_CPU_KERNEL_GROUPS(TENON_TEST_GROUP)
#undef TENON_TEST_GROUP
#undef TENON_TEST_SET
    t.capability = set;
  }
  SetGuard(const SetGuard&) = delete;
  ~SetGuard() { cpu::detail::kernel_tables = before_; }

 private:
  KernelTables before_ = cpu::detail::kernel_tables;
};
std::vector<Capability> sets_of_machine() {
  std::vector<Capability> out;
#if TENON_CPU_X86
  for (auto set : {Capability::sse2, Capability::avx2, Capability::avx512})
    if (set <= machine_capability()) out.push_back(set);
#else
  out.push_back(Capability::neon64);
#endif
  return out;
}
/// Bytes in row-major order.
std::string bytes(const Tensor& t) {
  Tensor c = t.contiguous();
  return {static_cast<const char*>(c.data_ptr()), c.nbytes()};
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
  for (const char* op : {"add", "sub", "mul", "div", "maximum", "relu_base", "abs_base", "neg_base", "floor_base",
                         "sign_base", "div_floor"}) {
    CAPTURE(op);
    auto expected = computed(loops_of_set(machine_capability()), op, a, b);
    for (auto set : {Capability::sse2, Capability::avx2, Capability::avx512}) {
      if (set > machine_capability()) continue;
      auto got = computed(loops_of_set(set), op, a, b);
      REQUIRE(std::memcmp(got.data(), expected.data(), got.size() * sizeof(float)) == 0);
    }
  }
}

// Lengths with every tail of every set; the elements around the result stay as they are.
TEST_CASE("every instruction set gives the same bits for lengths with tails, and writes no further",
          "[cpu][kernel_tables]") {
  using Call = Tensor (*)(const Tensor&, const Tensor&);
  struct Case {
    const char* name;
    Call call;
    bool writes_operand = false;
  } cases[] = {
      {"add", [](const Tensor& a, const Tensor& b) { return a + b; }},
      {"sub, strided", [](const Tensor& a, const Tensor& b) { return a.flip({0}) - b; }},
      {"add_", [](const Tensor& a, const Tensor& b) { return Tensor(a).add_(b); }, true},
      {"mul_ by a number", [](const Tensor& a, const Tensor&) { return Tensor(a).mul_(3); }, true},
      {"maximum", [](const Tensor& a, const Tensor& b) { return ops::maximum(a, b); }},
      {"lt", [](const Tensor& a, const Tensor& b) { return a < b; }},
      {"where", [](const Tensor& a, const Tensor& b) { return ops::where(a > b, a, b); }},
      {"to double", [](const Tensor& a, const Tensor&) { return a.to(kDouble); }},
      {"to float", [](const Tensor& a, const Tensor&) { return a.to(kFloat); }},
      {"to half", [](const Tensor& a, const Tensor&) { return a.to(kHalf); }},
      {"to bfloat16", [](const Tensor& a, const Tensor&) { return a.to(kBFloat16); }},
      {"copy_ of double", [](const Tensor& a, const Tensor& b) { return Tensor(a).copy_(b.to(kDouble)); }, true},
      {"sum", [](const Tensor& a, const Tensor&) { return a.sum(); }},
      {"amax", [](const Tensor& a, const Tensor&) { return a.amax(); }},
      {"argmax", [](const Tensor& a, const Tensor&) { return a.argmax(); }},
      {"cumsum", [](const Tensor& a, const Tensor&) { return a.cumsum(0); }},
      {"fill_", [](const Tensor& a, const Tensor&) { return Tensor(a).fill_(7); }, true},
      {"outer", [](const Tensor& a, const Tensor& b) { return a.unsqueeze(1) * b.unsqueeze(0); }},
      {"index_select", [](const Tensor& a, const Tensor&) { return a.index_select(0, ops::arange(a.numel())); }},
  };
  for (ScalarType type : {kFloat, kDouble, kHalf, kBFloat16, kInt, kLong, kByte, kComplexFloat})
    for (const Case& c : cases) {
      if (type == kComplexFloat && std::strchr("alwmt", c.name[0]) && std::strcmp(c.name, "add") != 0 &&
          std::strcmp(c.name, "add_") != 0)
        continue;  // complex numbers have no order, nor real values
      for (std::int64_t n = 1; n <= 67; ++n) {
        CAPTURE(c.name, type, n);
        std::string expected, surroundings;
        for (Capability set : sets_of_machine()) {
          SetGuard guard(set);
          Tensor memory = ops::remainder(ops::arange(n + 32) * 37, 23).to(type), before = memory.clone();
          Tensor b = ops::remainder(ops::arange(n) * 13, 29).to(type);
          std::string got = bytes(c.call(memory.narrow(0, 16, n), b));
          if (expected.empty()) expected = got;
          bool same = got == expected;
          CAPTURE(to_string(set));
          REQUIRE(same);
          if (c.writes_operand) {
            REQUIRE(bytes(memory.narrow(0, 0, 16)) == bytes(before.narrow(0, 0, 16)));
            REQUIRE(bytes(memory.narrow(0, n + 16, 16)) == bytes(before.narrow(0, n + 16, 16)));
          }
        }
      }
    }
}

// Results that are larger than the caches are written past them, in blocks and with ends that are no block.
TEST_CASE("every instruction set writes long results to the last byte", "[cpu][kernel_tables]") {
  constexpr std::int64_t n = (std::int64_t{5} << 20) + 37;  // floats: more than the 16 MiB from which on this is done
  Tensor a = ops::arange(n, "dtype"_a = kFloat), memory = ops::empty({n + 64}, "dtype"_a = kFloat);
  for (Capability set : sets_of_machine())
    for (std::int64_t start : {0, 3}) {
      SetGuard guard(set);
      CAPTURE(to_string(set), start);
      memory.fill_(-1);
      Tensor out = memory.narrow(0, start, n);
      ops::neg(a, "out"_a = out);
      const float* p = memory.data_ptr<float>();
      std::int64_t wrong = 0;
      for (std::int64_t i = 0; i < n + 64; ++i)
        wrong += p[i] != (i < start || i >= start + n ? -1.0f : -static_cast<float>(i - start));
      CHECK(wrong == 0);
    }
}
