// Tables: which kernel serves which key, and by which rule. Case numbers are those of the dispatcher's test cases.
#include <tenon/dispatch/registry.hpp>

#include <functional>
#include <memory>
#include <optional>

#include <tenon/dispatch/detail/registry_state.hpp>

#include "registry_support.hpp"

using namespace support;
using K = DispatchKey;

namespace {

void nothing(const Tensor&) {}
/// The fallbacks of the cases: autograd keys have one, other keys fall through or have none.
struct Table {
  PlainFallbacks fallbacks;
  Library m = fragment();
  explicit Table(std::initializer_list<K> keys) {
    m.def("foo(Tensor x) -> ()");
    for (K k : keys) m.impl("foo", k, &nothing);
  }
  std::string at(K k) const { return rule("_test::foo", k); }
};

}  // namespace

TEST_CASE("case 64: composite, backend, Autograd and AutogradCPU kernels", "[dispatch][registry]") {
  Table t{K::CompositeImplicitAutograd, K::CPU, K::XLA, K::Autograd, K::AutogradCPU};
  for (K k : {K::CPU, K::XLA, K::AutogradCPU}) CHECK(t.at(k) == "kernel");
  for (K k : {K::Undefined, K::CUDA, K::AutogradOther, K::AutogradCUDA}) CHECK(t.at(k) == "math kernel");
  CHECK(t.at(K::AutogradXLA) == "autograd kernel");
}
TEST_CASE("cases 65 and 67: a backend's own kernel leaves its autograd key to the fallback", "[dispatch][registry]") {
  Table t{K::CompositeImplicitAutograd, K::CPU};
  CHECK(t.at(K::CPU) == "kernel");
  CHECK(t.at(K::AutogradCPU) == "backend fallback");
  CHECK(Registry::get().tables().compute(entry("_test::foo"), K::AutogradCPU).kernel->is_fallthrough);
  for (K k : {K::Undefined, K::CUDA, K::FPGA, K::AutogradOther, K::AutogradCUDA}) CHECK(t.at(k) == "math kernel");
}
TEST_CASE("case 66: a composite kernel serves everything", "[dispatch][registry]") {
  Table t{K::CompositeImplicitAutograd};
  for (K k : {K::Undefined, K::CPU, K::CUDA, K::XLA, K::SparseCPU, K::FPGA, K::AutogradOther, K::AutogradCPU,
              K::AutogradNestedTensor, K::NestedTensorCPU})
    CHECK(t.at(k) == "math kernel");
}
TEST_CASE("case 68: an Autograd kernel serves the autograd keys", "[dispatch][registry]") {
  Table t{K::Autograd};
  for (K k : {K::AutogradOther, K::AutogradCPU, K::AutogradXLA}) CHECK(t.at(k) == "autograd kernel");
  for (K k : {K::Undefined, K::CPU, K::FPGA}) CHECK(t.at(k) == "missing");
}
TEST_CASE("case 69: composite, CPU and Autograd kernels", "[dispatch][registry]") {
  Table t{K::CompositeImplicitAutograd, K::CPU, K::Autograd};
  CHECK(t.at(K::AutogradCPU) == "autograd kernel");
  CHECK(t.at(K::AutogradCUDA) == "math kernel");
  CHECK(t.at(K::CPU) == "kernel");
  CHECK(t.at(K::CUDA) == "math kernel");
}
TEST_CASE("case 70: a backend without an autograd key of its own makes AutogradOther ambiguous",
          "[dispatch][registry]") {
  Table t{K::CompositeImplicitAutograd, K::FPGA};
  CHECK(t.at(K::FPGA) == "kernel");
  CHECK(t.at(K::AutogradOther) == "ambiguous autogradother");
  for (K k : {K::CPU, K::AutogradCPU}) CHECK(t.at(k) == "math kernel");
}
TEST_CASE("case 71: a default kernel switches the composite rule off for autograd", "[dispatch][registry]") {
  Table t{K::CPU, K::CompositeExplicitAutograd};
  CHECK(t.at(K::CPU) == "kernel");
  for (K k : {K::Undefined, K::CUDA, K::FPGA}) CHECK(t.at(k) == "default backend kernel");
  for (K k : {K::AutogradOther, K::AutogradCPU, K::AutogradCUDA}) CHECK(t.at(k) == "backend fallback");
}
TEST_CASE("case 72: CPU, Autograd and default kernels", "[dispatch][registry]") {
  Table t{K::CPU, K::Autograd, K::CompositeExplicitAutograd};
  for (K k : {K::AutogradOther, K::AutogradCPU, K::AutogradCUDA}) CHECK(t.at(k) == "autograd kernel");
  for (K k : {K::Undefined, K::CUDA, K::FPGA}) CHECK(t.at(k) == "default backend kernel");
}
TEST_CASE("case 73: a default kernel hides a composite one", "[dispatch][registry]") {
  Table t{K::CPU, K::Autograd, K::CompositeImplicitAutograd, K::CompositeExplicitAutograd};
  CHECK(t.at(K::CPU) == "kernel");
  for (K k : {K::Undefined, K::CUDA, K::FPGA}) CHECK(t.at(k) == "default backend kernel");
  for (K k : {K::AutogradOther, K::AutogradCPU, K::AutogradCUDA}) CHECK(t.at(k) == "autograd kernel");
}
TEST_CASE("case 74: backends with their own kernels, composite elsewhere", "[dispatch][registry]") {
  Table t{K::CPU, K::XLA, K::Lazy, K::CompositeImplicitAutograd, K::AutogradCPU};
  CHECK(t.at(K::AutogradCPU) == "kernel");
  for (K k : {K::AutogradXLA, K::AutogradLazy}) CHECK(t.at(k) == "backend fallback");
  for (K k : {K::FPGA, K::AutogradOther}) CHECK(t.at(k) == "math kernel");
}
TEST_CASE("case 75: backends with their own kernels, a default one elsewhere", "[dispatch][registry]") {
  Table t{K::CPU, K::XLA, K::Lazy, K::CompositeExplicitAutograd, K::AutogradCPU};
  for (K k : {K::CPU, K::XLA, K::Lazy, K::AutogradCPU}) CHECK(t.at(k) == "kernel");
  CHECK(t.at(K::FPGA) == "default backend kernel");
  for (K k : {K::AutogradOther, K::AutogradXLA, K::AutogradLazy}) CHECK(t.at(k) == "backend fallback");
}
// Rules of the peer's teaching model; the dispatcher itself allows both.
TEST_CASE("cases 76 and 77: two kernels at a key and both composite kinds are allowed", "[dispatch][registry]") {
  Warnings quiet;
  Table t{K::CPU, K::CPU, K::CompositeImplicitAutograd, K::CompositeExplicitAutograd};
  CHECK(t.at(K::CPU) == "kernel");
}
TEST_CASE("a non-functional default kernel does not switch composites off for autograd", "[dispatch][registry]") {
  Table t{K::CompositeExplicitAutogradNonFunctional, K::CompositeImplicitAutograd};
  CHECK(t.at(K::CPU) == "default backend kernel");
  CHECK(t.at(K::SparseCPU) == "math kernel");
  CHECK(t.at(K::XLA) == "math kernel");
  CHECK(t.at(K::AutogradCPU) == "math kernel");
}
TEST_CASE("nested and batched kernels have rules of their own", "[dispatch][registry]") {
  Table t{K::CompositeImplicitAutograd, K::CompositeImplicitAutogradNestedTensor, K::FuncTorchBatchedDecomposition};
  CHECK(t.at(K::NestedTensorCPU) == "nested kernel");
  CHECK(t.at(K::AutogradNestedTensor) == "nested kernel");
  CHECK(t.at(K::FuncTorchBatched) == "batched kernel");
}

// The peer refreshes AutogradCPU and forgets AutogradOther, so that the order of registration decides.
TEST_CASE("quirk 3: the order of a composite and a sparse kernel does not matter", "[dispatch][registry]") {
  {
    Table t{K::CompositeImplicitAutograd, K::SparseCPU};
    CHECK(t.at(K::AutogradOther) == "ambiguous autogradother");
  }
  {
    Table t{K::SparseCPU, K::CompositeImplicitAutograd};
    CHECK(t.at(K::AutogradOther) == "ambiguous autogradother");
  }
}
// The peer leaves HIP, VE and MTIA without a backend behind their autograd keys.
TEST_CASE("quirk 4: every backend stands behind its autograd key", "[dispatch][registry]") {
  for (auto [backend, autograd] :
       {std::pair{K::HIP, K::AutogradHIP}, {K::VE, K::AutogradVE}, {K::MTIA, K::AutogradMTIA}}) {
    Table t{K::CompositeImplicitAutograd, backend};
    CHECK(t.at(autograd) == "backend fallback");
  }
}

TEST_CASE("case 62: what is published is what is computed, for every operator", "[dispatch][registry]") {
  Table t{K::CompositeImplicitAutograd, K::CPU, K::Tracer};
  for (const auto& o : Registry::get().operators()) {
    const auto& table = Registry::get().tables().of(o.entry());
    for (unsigned i = 0; i < kTableSize; ++i) {
      auto computed = Registry::get().tables().compute(o.entry(), detail::key_of_slot[i]);
      CHECK((table.slot[i] != 0) == (computed.kernel != nullptr));
      if (computed.kernel && computed.kernel->record.unboxed)
        CHECK(table.records[table.slot[i]].unboxed == computed.kernel->record.unboxed);
    }
    CHECK(o.name() == o.schema().operator_name());
  }
}

TEST_CASE("the table prints one line per kernel, the undefined key first", "[dispatch][registry]") {
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("foo(Tensor x) -> ()")
      .impl("foo", K::CompositeExplicitAutograd, Kernel(&nothing).debug("default"))
      .impl("foo", K::CPU, Kernel(&nothing).debug("mine"));
  std::string text = dump_table(entry("_test::foo"));
  CHECK(
      text.find(
          "Undefined: default [default backend kernel]\nCPU: mine [kernel]\nCUDA: default [default backend kernel]\n") ==
      0);
  CHECK(text.find("\nBackendSelect: fallthrough fallthrough [backend fallback]\n") != text.npos);
  CHECK(text.find("\nTracer:") == text.npos);
}

TEST_CASE("per-backend fallthroughs mask each backend for itself", "[dispatch][registry]") {
  static std::string ran;
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("foo(Tensor x) -> ()").impl("foo", K::AutogradCPU, Kernel(fallthrough()));
  m.impl("foo", K::AutogradCUDA, [](const Tensor&) { ran = "autograd"; })
      .impl("foo", K::CPU, [](const Tensor&) { ran = "cpu"; })
      .impl("foo", K::CUDA, [](const Tensor&) { ran = "cuda"; });
  auto none = Registry::get().override_fallback(K::AutogradMeta, std::nullopt, "none");
  boxed(op("_test::foo"), cpu());
  CHECK(ran == "cpu");
  boxed(op("_test::foo"), cuda());
  CHECK(ran == "autograd");
  auto typed = op("_test::foo").typed<void(const Tensor&)>();
  typed.call(cpu());
  CHECK(ran == "cpu");
  typed.call(cuda());
  CHECK(ran == "autograd");
}

TEST_CASE("fallthroughs are those of the keys that the thread adds, too", "[dispatch][registry]") {
  static std::string ran;
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("foo(Tensor x) -> ()").impl("foo", K::AutogradCPU, Kernel(fallthrough()));
  m.impl("foo", K::AutogradMeta, [](const Tensor&) { ran = "autograd"; })
      .impl("foo", K::CPU, [](const Tensor&) { ran = "cpu"; })
      .impl("foo", K::Meta, [](const Tensor&) { ran = "meta"; });
  auto typed = op("_test::foo").typed<void(const Tensor&)>();
  typed.call(cpu());
  CHECK(ran == "cpu");
  IncludeDispatchKeyGuard mode(K::Meta);
  typed.call(cpu());
  CHECK(ran == "autograd");
  boxed(op("_test::foo"), cpu());
  CHECK(ran == "autograd");
  ExcludeDispatchKeyGuard below(key_sets::autograd_expansion);
  typed.call(cpu());
  CHECK(ran == "meta");
}

TEST_CASE("the kernel of one key is asked for by name", "[dispatch][registry]") {
  Table t{K::CPU};
  Stack stack{Value(cpu())};
  op("_test::foo").call_boxed_for_key(K::CPU, stack);
  CHECK(stack.empty());
  stack = {Value(cpu())};
  CHECK_ERROR(op("_test::foo").call_boxed_for_key(K::CUDA, stack), NotImplementedError,
              "no kernel for CUDA on _test::foo");
  CHECK_ERROR(op("_test::foo").call_boxed_for_key(K::Autograd, stack), ValueError,
              "Alias keys do not have runtime kernel registrations.");
}

TEST_CASE("a few changes of a table keep it on the quick way, many do not, and both end well", "[dispatch][registry]") {
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("foo(Tensor x) -> int").impl("foo", K::CPU, [](const Tensor&) { return std::int64_t{-1}; });
  auto typed = op("_test::foo").typed<std::int64_t(const Tensor&)>();
  Warnings quiet;
  auto alive = std::make_shared<int>(0);
  for (std::int64_t i = 0; i < 50; ++i) {
    Library k = impl(K::CPU);
    k.impl("foo", [i, alive](const Tensor&) { return i; });
    CHECK(typed.call(cpu()) == i);
  }
  CHECK(typed.call(cpu()) == -1);
  // Kernels that were replaced are freed, but for those of the first tables.
  CHECK(alive.use_count() < 12);
}

TEST_CASE("the memory of a definition that went serves the next of its size", "[dispatch][registry]") {
  auto defined_at = [](const std::string& schema, std::string_view name) {
    Library m = fragment();
    m.def(schema);
    const schema::SchemaView& view = op(name).schema();
    CHECK(schema::to_string(view) == "_test::" + schema);
    return static_cast<const void*>(&view);
  };
  const void* first = defined_at("first(Tensor x, int[2]? y=None) -> Tensor", "_test::first");
  CHECK(defined_at("other(Tensor x, int[2]? y=None) -> Tensor", "_test::other") == first);
  // A mistake that is found late gives it back too.
  Library m = fragment();
  m.def("taken(Tensor x) -> Tensor");
  CHECK_THROWS_AS(m.def("taken(Tensor x) -> Tensor"), RegistrationError);
  CHECK(defined_at("third(Tensor x, int[2]? y=None) -> Tensor", "_test::third") == first);
  // More arguments than the stack has room for, in a block of its own.
  std::string many = "many(Tensor x0";
  for (int i = 1; i < 300; ++i) many += ", Tensor? x" + std::to_string(i);
  many += ") -> Tensor";
  for (int i = 0; i < 2; ++i) {
    Library n = fragment();
    n.def(many);
    CHECK(schema::to_string(op("_test::many").schema()) == "_test::" + many);
    CHECK(op("_test::many").schema().n_args() == 300);
  }
}

TEST_CASE("a schema outlives its definition for as long as a call may be reading it", "[dispatch][registry]") {
  std::optional<Library> m;
  auto define = [&](const char* schema) {
    m.emplace(fragment());
    m->def(schema);
  };
  static std::function<void()> within;
  Library k = impl(K::CPU);
  auto read = [](const OperatorHandle& op, Stack& stack) {
    const schema::SchemaView& s = op.schema();
    std::string before = schema::to_string(s);
    within();
    CHECK(schema::to_string(s) == before);
    stack.back() = Value(7);
  };
  k.impl("reads", read).impl("heard", read);
  // The call leaves no mark: whoever asks for memory next must not get the schema's.
  define("reads(Tensor first) -> int");
  const void* first = &op("_test::reads").schema();
  within = [&] {
    define("other(Tensor first) -> int");
    CHECK(static_cast<const void*>(&op("_test::other").schema()) != first);
  };
  CHECK(boxed(op("_test::reads"), cpu())[0].to_int() == 7);
  m.reset();
  // One that does leave a mark keeps it while it lasts.
  within = [&] {
    m.reset();
    const void* old = nullptr;
    for (const char* name : {"iota", "zeta", "beta"}) {
      Library n = fragment();
      n.def(concat(name, "(Tensor marks) -> int"));
      old = &op(concat("_test::", name)).schema();
    }
    CHECK(old != nullptr);
  };
  {
    Trace trace;
    define("rose(Tensor marks) -> int");
    Library r = impl(K::CPU);
    r.impl("rose", read);
    CHECK(boxed(op("_test::rose"), cpu())[0].to_int() == 7);
  }
  // A definition of which all calls were observed ones, which leave marks, is kept by none of them once they ended.
  within = [] {};
  const void* second = nullptr;
  {
    Trace trace;
    define("heard(Tensor after) -> int");
    second = &op("_test::heard").schema();
    CHECK(boxed(op("_test::heard"), cpu())[0].to_int() == 7);
    m.reset();
  }
  CHECK(second != first);
  m.emplace(fragment());
  bool used_again = false;
  for (const char* name : {"alpha", "gamma", "delta", "sigma", "omega"}) {
    m->def(concat(name, "(Tensor after) -> int"));
    used_again = used_again || &op(concat("_test::", name)).schema() == second;
  }
  CHECK(used_again);
  within = nullptr;
}
