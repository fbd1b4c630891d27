// An operator of your own and its test: everything that its schema promises, with each instruction set.
#include <cmath>
#include <cstdint>
#include <cstdio>

#include <tenon/cpu/pointwise_operator.hpp>
#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

namespace my {

// Every form, dtype, broadcast and the derivative follow from the lambda.
TENON_POINTWISE(softclip, "my::softclip(Tensor self, *, Scalar beta=1) -> Tensor",
                [](auto x, auto beta) { return x / sqrt(1 + beta * x * x); });

// One with a mistake: the derivative of its kernel is not registered.
tenon::Tensor forgotten(const tenon::Tensor& self) { return tenon::ops::mul(self.detach(), 2.0); }
TENON_LIBRARY_FRAGMENT(my, m) {
  m.def("forgotten(Tensor self) -> Tensor");
  m.impl("forgotten", tenon::DispatchKey::CompositeImplicitAutograd, TENON_FN(&forgotten));
}

}  // namespace my

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tenon::testing::fuzz("my::softclip", data, size);
}

int main(int, char** argv) {
  using namespace tenon;
  // Once with each instruction set of this machine; the results are compared.
  if (auto status = testing::run_in_every_set(argv)) return *status;
  Tensor x = tensor({{-2.0, -0.5, 0.25}, {1.0, 3.0, 0.0}});

  // Against numbers known from elsewhere.
  testing::assert_close(my::softclip(x, "beta"_a = 1.0)[0][0], scalar_tensor(-2 / std::sqrt(5.0), x.dtype()));

  // Against what the schema says: aliasing, shapes on Meta, strides, in-place and out forms, odd input, the derivative,
  // for calls that are made from it.
  std::printf("calls made from the schema: %zu\n", testing::samples("my::softclip").size());
  for (const testing::CheckResult& r : testing::opcheck_samples_results("my::softclip"))
    std::printf("softclip  %-16s %s\n", r.check.c_str(), r.problem.empty() ? "passed" : r.problem.c_str());
  testing::opcheck("my::softclip");
  testing::opcheck_samples("my::softclip", {.arguments = {{"beta", 1.5}}});
  // For one call of one's own.
  testing::opcheck("my::softclip", {x, Scalar(1.5)});

  // What a fuzzer does, with bytes that another would find.
  const std::uint8_t bytes[] = {0, 64, 2, 3, 1, 20};
  LLVMFuzzerTestOneInput(bytes, sizeof bytes);

  try {
    testing::opcheck("my::forgotten", {x});
  } catch (const testing::AssertionError& e) {
    std::printf("%s\n", e.what());
    return 0;
  }
  return 1;
}
