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

TEST_CASE("an explanation follows a key without a backend to the slot that the call takes", "[library][explain]") {
  PlainFallbacks fallbacks;
  Library m = fragment("_explain");
  m.def<mix>();
  m.impl<mix>(K::SparseCPU, [](const Tensor&, TensorList, const std::optional<Tensor>&) {});
  IncludeDispatchKeyGuard guard{KeySet(K::Sparse)};
  mix(Tensor(), std::vector<Tensor>{});
  CHECK(explain(mix, Tensor(), std::vector<Tensor>{}).key == K::SparseCPU);
}

TEST_CASE("where the fake kernel lives is told where it is missed", "[library][explain]") {
  PlainFallbacks fallbacks;
  Library m = fragment("_explain");
  m.set_fake_kernel_module("my.fakes");
  m.def<mix>();
  Tensor meta = tensor_of(K::Meta);
  CHECK_ERROR_CONTAINS(mix(meta, std::vector<Tensor>{}), NotImplementedError,
                       " Its fake kernel is in module 'my.fakes': load that.");
  Explanation e = explain(mix, meta, std::vector<Tensor>{});
  CHECK(e.fake_kernel_module == "my.fakes");
  CHECK(e.text().find("  its fake kernel is in module 'my.fakes'\n") != std::string::npos);
  CHECK(dump_state(mix.handle().entry()).find("fake kernel module: my.fakes\n") != std::string::npos);
}

TEST_CASE("a refused call tells where its key comes from", "[library][explain]") {
  PlainFallbacks fallbacks;
  Library m = fragment("_explain");
  m.def<mix>();
  m.impl<mix>(K::CPU, [](const Tensor&, TensorList, const std::optional<Tensor>&) {});
  std::vector<Tensor> none;
  CHECK_ERROR_CONTAINS(mix(cuda(), none), NotImplementedError, " The key comes from argument 'a'. ");
  CHECK_ERROR_CONTAINS(mix(tensor_of(K::SparseCPU), std::vector<Tensor>{cuda()}), NotImplementedError,
                       " Together the arguments 'a', 'list' bring that key. ");
  {
    IncludeDispatchKeyGuard guard{KeySet(K::Tracer)};
    CHECK_ERROR_CONTAINS(mix(cpu(), none), NotImplementedError,
                         " No argument brought that key: it is included by the thread. ");
    CHECK_ERROR_CONTAINS(mix(cpu(), none), NotImplementedError, ", or end the guard that includes it.");
  }
  CHECK_ERROR_CONTAINS(mix.redispatch(KeySet(K::CUDA), cpu(), none, std::nullopt), NotImplementedError,
                       " No argument brought that key: the call asks for it, by a device or a layout say. ");
}
