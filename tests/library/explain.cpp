// Why a call goes where it goes.
#include <tenon/library/explain.hpp>

#include "registry_support.hpp"

using namespace support;
using K = DispatchKey;

namespace {
TENON_OPERATOR(mix, "_explain::mix(Tensor a, Tensor[] list, *, Tensor? c=None) -> ()");
}

TEST_CASE("an explanation names arguments, masks, kernel and rule", "[library][explain]") {
  PlainFallbacks fallbacks;
  Library m = fragment("_explain");
  m.def<mix>();
  m.impl<mix>(K::CUDA, [](const Tensor&, TensorList, const std::optional<Tensor>&) {});
  Tensor a = cpu(), b = cuda();
  Explanation e = explain(mix, a, std::vector<Tensor>{b}, "c"_a = a);
  CHECK(e.key == K::CUDA);
  CHECK(e.rule == Provenance::Kernel);
  REQUIRE(e.arguments.size() == 3);
  CHECK(e.arguments[1].name == "list");
  CHECK(e.arguments[1].keys == b.keys());
  REQUIRE(e.skipped.size() == 3);
  CHECK(e.skipped[0].key == K::AutogradCUDA);
  CHECK(e.skipped[0].why == "falls through (fallthrough)");
  std::string text = e.text();
  CHECK(
      text.find(
          "_explain::mix(Tensor a, Tensor[] list, *, Tensor? c=None) -> ()\n  argument 'a' brings DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU)\n") ==
      0);
  CHECK(text.find("  CUDA wins by the rule 'kernel': registered at ") != text.npos);
  // The same from a stack.
  CHECK(explain(mix.handle(), {Value(a), Value::list({Value(b)}), Value(a)}).text() == text);
}

TEST_CASE("an explanation says what the thread excludes and what is missing", "[library][explain]") {
  PlainFallbacks fallbacks;
  Library m = fragment("_explain");
  m.def<mix>();
  m.impl<mix>(K::Autograd, [](const Tensor&, TensorList, const std::optional<Tensor>&) {});
  AutoDispatchBelowAutograd guard;
  Explanation e = explain(mix, cpu(), std::vector<Tensor>{});
  CHECK(e.skipped[0].key == K::AutogradCPU);
  CHECK(e.skipped[0].why == "excluded by the thread");
  CHECK(e.key == K::CPU);
  CHECK(e.rule == Provenance::Missing);
  CHECK(e.text().find("  CPU has no kernel; the operator's kernels: [Autograd (registered at ") != std::string::npos);
  CHECK(explain(mix, Tensor(), std::vector<Tensor>{}).text().find("no argument brings keys") != std::string::npos);
}
