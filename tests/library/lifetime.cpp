// How long registrations live: what ends with its handle, what stays, and what the registry then says. Case numbers are
// those of the dispatcher's test cases.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <thread>

#include <tenon/dispatch/explain.hpp>

#include "support.hpp"

using namespace support;
using K = DispatchKey;

namespace {

template <int N>
std::int64_t constant(const Tensor&) {
  return N;
}
std::int64_t answer(std::string_view name, const Tensor& x) { return boxed(op(name), x)[0].to_int(); }

}  // namespace

TEST_CASE("case 23: a key-less kernel that went leaves no trace", "[library][lifetime]") {
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("dummy(Tensor x) -> ()");
  {
    Library first = impl();
    first.impl("dummy", &count_cuda);
  }
  m.impl("dummy", K::CPU, &count_cpu);
  CHECK(called([] { boxed(op("_test::dummy"), cpu()); }) == 1);
}

TEST_CASE("case 25: a definition that ends is not found", "[library][lifetime]") {
  {
    Library m = fragment();
    m.def("dummy(Tensor x) -> ()");
    CHECK(Registry::get().find_schema("_test::dummy"));
  }
  CHECK_FALSE(Registry::get().find_schema("_test::dummy"));
  CHECK_FALSE(Registry::get().find_op("_test::dummy"));
}

TEST_CASE("cases 26 and 28: kernels may come later, tensors are not needed", "[library][lifetime]") {
  Library m = fragment();
  m.def("dummy(int x) -> ()");
  static std::int64_t seen = 0;
  Library later = impl();
  later.impl("dummy", K::CompositeExplicitAutograd, [](std::int64_t x) { seen = x; });
  boxed(op("_test::dummy"), 5);
  CHECK(seen == 5);
}

TEST_CASE("case 27: a kernel whose type contradicts the schema is refused, the definition stays usable",
          "[library][lifetime]") {
  Library m = fragment();
  m.def("dummy(Tensor x) -> ()");
  Library k = impl();
  std::string text = message([&] { k.impl("dummy", K::CPU, &count_two); });
  CHECK(
      text.find(
          "Inferred operator schema for a C++ kernel function doesn't match the expected function schema.\n  operator: _test::dummy\n  expected schema: _test::dummy(Tensor x) -> ()\n    registered at ") ==
      0);
  CHECK(text.find("\n  inferred schema: (Tensor _0, int _1) -> ()\n    registered at ") != text.npos);
  CHECK(text.find("\n  reason: The number of arguments is different. 1 vs 2.") != text.npos);
  // The peer keeps the type of the rejected kernel, so that a right one is refused afterwards.
  k.impl("dummy", K::CPU, &count_cpu);
  CHECK(called([] { boxed(op("_test::dummy"), cpu()); }) == 1);
}

TEST_CASE("cases 31 to 37: the newest living kernel runs, whatever ends first", "[library][lifetime]") {
  PlainFallbacks fallbacks;
  Warnings quiet;
  auto key = GENERATE(K::CPU, K::CompositeImplicitAutograd);
  Library m = fragment();
  m.def("dummy(Tensor x) -> ()");
  std::optional<Library> older(impl()), newer(impl());
  older->impl("dummy", key, &count_cpu);
  newer->impl("dummy", key, &count_cuda);
  auto run = [] { return called([] { boxed(op("_test::dummy"), cpu()); }); };
  CHECK(run() == 100);
  bool older_first = GENERATE(true, false);
  (older_first ? older : newer).reset();
  CHECK(run() == (older_first ? 100 : 1));
  (older_first ? newer : older).reset();
  CHECK_ERROR_CONTAINS(boxed(op("_test::dummy"), cpu()), NotImplementedError, "Could not run '_test::dummy'");
  CHECK(Registry::get().find_schema("_test::dummy"));
}

TEST_CASE("case 53: the state depends on what lives, not on the way there", "[library][lifetime]") {
  Warnings quiet;
  using Step = std::function<void(Library&)>;
  const std::vector<Step> steps = {
      [](Library& m) { m.def("foo(Tensor x) -> ()"); },
      [](Library& m) { m.impl("foo", K::CPU, Kernel(&count_cpu).debug("cpu")); },
      [](Library& m) { m.impl("foo", K::Autograd, Kernel(&count_cpu).debug("autograd")); },
      [](Library& m) { m.impl("foo", K::CUDA, Kernel(&count_boxed).debug("boxed")); },
      [](Library& m) { m.impl("foo", Kernel(&count_cpu).debug("keyless")); },
  };
  auto state = [] {
    auto found = Registry::get().find_op("_test::foo");
    return found ? dump_state(found.entry()) + dump_table(found.entry()) : std::string();
  };
  std::map<unsigned, std::string> seen;
  auto expect = [&](unsigned alive) {
    std::string now = state();
    auto [it, is_new] = seen.emplace(alive, now);
    if (!is_new && it->second != now)
      FAIL("state " << alive << " depends on the order:\n" << it->second << "\nand\n" << now);
  };
  std::vector<std::size_t> up{0, 1, 2, 3, 4}, down = up;
  int round = 0;
  do {
    if (++round % 7) continue;
    std::vector<std::optional<Library>> made(steps.size());
    unsigned alive = 0;
    for (std::size_t i : up) {
      made[i].emplace(fragment());
      steps[i](*made[i]);
      expect(alive |= 1u << i);
    }
    std::next_permutation(down.begin(), down.end());
    for (std::size_t i : down) {
      made[i].reset();
      expect(alive &= ~(1u << i));
    }
    CHECK(alive == 0);
  } while (std::next_permutation(up.begin(), up.end()));
  CHECK(seen[0].empty());
}

TEST_CASE("a registration that is assigned over is undone", "[library][lifetime]") {
  // The peer drops the old one and never undoes it.
  Library m = fragment();
  m.def("a(Tensor x) -> ()");
  m = fragment("_other");
  CHECK_FALSE(Registry::get().find_schema("_test::a"));
  auto first = Registry::get().add_fallback(K::VE, Kernel(&count_boxed), "x");
  first = Registration();
  CHECK(Registry::get().tables().fallback_at(K::VE) == nullptr);
}

TEST_CASE("a definition with its kernel is made whole or not at all", "[library][lifetime]") {
  Library m = fragment();
  CHECK_THROWS_AS(m.def("foo(Tensor x, int y) -> ()", &count_cpu), RegistrationError);
  CHECK_FALSE(Registry::get().find_op("_test::foo"));
}

TEST_CASE("case 123: two operators with two keys each, from one block", "[library][lifetime]") {
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("first(Tensor x) -> int").def("second(Tensor x) -> int");
  m.impl("first", K::CPU, TENON_FN(&constant<1>)).impl("first", K::CUDA, TENON_FN(&constant<2>));
  m.impl("second", K::CPU, TENON_FN(&constant<3>)).impl("second", K::CUDA, TENON_FN(&constant<4>));
  CHECK((answer("_test::first", cpu()) == 1 && answer("_test::first", cuda()) == 2));
  CHECK((answer("_test::second", cpu()) == 3 && answer("_test::second", cuda()) == 4));
  for (std::string name : {"_test::first", "_test::second"})
    CHECK_ERROR_CONTAINS(answer(name, tensor_of(K::XLA)), NotImplementedError,
                         "Could not run '" + name + "' with arguments from the 'XLA' backend");
}

TEST_CASE("case 124: of several blocks only the kernels of the one that ends vanish", "[library][lifetime]") {
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("first(Tensor x) -> int").def("second(Tensor x) -> int");
  std::optional<Library> on_cpu(impl(K::CPU)), on_cuda(impl(K::CUDA));
  on_cpu->impl("first", TENON_FN(&constant<1>)).impl("second", TENON_FN(&constant<3>));
  on_cuda->impl("first", TENON_FN(&constant<2>)).impl("second", TENON_FN(&constant<4>));
  CHECK((answer("_test::first", cpu()) == 1 && answer("_test::first", cuda()) == 2));
  CHECK((answer("_test::second", cpu()) == 3 && answer("_test::second", cuda()) == 4));
  on_cuda.reset();
  CHECK((answer("_test::first", cpu()) == 1 && answer("_test::second", cpu()) == 3));
  for (std::string name : {"_test::first", "_test::second"})
    CHECK_ERROR_CONTAINS(answer(name, cuda()), NotImplementedError,
                         "Could not run '" + name + "' with arguments from the 'CUDA' backend");
}

TEST_CASE("kernels of an operator that is not defined serve no call", "[library][lifetime]") {
  Library k = impl(K::CPU);
  k.impl("lonely", TENON_FN(&constant<5>));
  auto never = Registry::get().find_op("_test::lonely").typed<std::int64_t(const Tensor&)>();
  std::string found =
      "Could not find schema for _test::lonely but we found an implementation; did you forget to def() the operator?";
  // With and without keys above the kernel's.
  for (const Tensor& x : {tensor_of(K::CPU), cpu()}) {
    CHECK_ERROR(never.call(x), NotImplementedError, found);
    CHECK_ERROR(never.redispatch(KeySet(K::CPU), x), NotImplementedError, found);
  }
  std::string table = dump_table(entry("_test::lonely"));
  std::optional<Library> m(fragment());
  m->def("lonely(Tensor x) -> int");
  int line = __LINE__ - 1;
  auto typed = op("_test::lonely").typed<std::int64_t(const Tensor&)>();
  CHECK(typed.call(tensor_of(K::CPU)) == 5);
  CHECK(never.call(tensor_of(K::CPU)) == 5);
  m.reset();
  std::string gone = concat("operator _test::lonely was unregistered (defined at ", __FILE__, ":", line, ")");
  for (const Tensor& x : {tensor_of(K::CPU), cpu()}) {
    CHECK_ERROR(typed.call(x), NotImplementedError, gone);
    CHECK_ERROR(never.call(x), NotImplementedError, gone);
    CHECK_ERROR(boxed(typed, x), NotImplementedError, gone);
    CHECK_ERROR(explain(typed, Stack{Value(x)}), NotImplementedError, gone);
  }
  CHECK(dump_table(entry("_test::lonely")) == table);
}

TEST_CASE("a typed handle serves the schema that it was made for", "[library][lifetime]") {
  auto sum = [](std::int64_t n) { return [n](const Tensor&, const Tensor&) { return n; }; };
  std::optional<Library> m(fragment());
  m->def("foo(Tensor a, Tensor b) -> int", sum(1));
  auto typed = op("_test::foo").typed<std::int64_t(const Tensor&, const Tensor&)>();
  CHECK(typed.call(cpu(), cpu()) == 1);
  m.emplace(fragment());
  m->def("foo(Tensor b, Tensor a) -> int", sum(2));
  std::string text = "_test::foo(Tensor b, Tensor a) -> int; look it up again";
  CHECK_ERROR_CONTAINS(typed.call(cpu(), cpu()), NotImplementedError, text);
  CHECK_ERROR_CONTAINS(typed.redispatch(KeySet(K::CPU), cpu(), cpu()), NotImplementedError, text);
  CHECK_ERROR_CONTAINS(boxed(typed, cpu(), cpu()), NotImplementedError, text);
  CHECK_ERROR_CONTAINS(typed.schema(), NotImplementedError, text);
  CHECK_ERROR_CONTAINS(explain(typed, Stack{Value(cpu()), Value(cpu())}), NotImplementedError, text);
  auto now = op("_test::foo").typed<std::int64_t(const Tensor&, const Tensor&)>();
  CHECK(now.call(cpu(), cpu()) == 2);
  CHECK_ERROR_CONTAINS(typed.call(cpu(), cpu()), NotImplementedError, text);
  m.emplace(fragment());
  m->def("foo(Tensor b, Tensor a) -> int", sum(3));
  CHECK(now.call(cpu(), cpu()) == 3);
}

TEST_CASE("fallbacks end alone, in any order", "[library][lifetime]") {
  auto& r = Registry::get();
  auto named = [](const char* name) { return Kernel(&count_boxed).debug(name); };
  auto now = [&](K key) {
    return r.tables().fallback_at(key) ? r.tables().fallback_at(key)->place.text() : std::string("none");
  };
  auto plain = r.add_fallback(K::VE, named("plain"), "x");
  auto a = r.override_fallback(K::VE, named("a"), "x"), b = r.override_fallback(K::VE, named("b"), "x");
  CHECK(now(K::VE) == "b");
  a.reset();
  CHECK(now(K::VE) == "b");
  b.reset();
  CHECK(now(K::VE) == "plain");
  auto none = r.override_fallback(K::VE, std::nullopt, "x");
  CHECK(now(K::VE) == "none");
  plain.reset();
  none.reset();
  CHECK(now(K::VE) == "none");

  // Without a fallback calls pass autograd keys by, unless one says that there is none.
  Library m = fragment();
  m.def("foo(Tensor x) -> int").impl("foo", K::CPU, TENON_FN(&constant<5>));
  auto passes = [&] { return rule("_test::foo", K::AutogradCPU) == "backend fallback"; };
  auto first = r.override_fallback(K::AutogradCPU, std::nullopt, "x");
  auto second = r.override_fallback(K::AutogradCPU, fallthrough(), "x");
  CHECK(passes());
  first.reset();
  CHECK(passes());
  first = r.override_fallback(K::AutogradCPU, std::nullopt, "x");
  CHECK_FALSE(passes());
  second.reset();
  CHECK_FALSE(passes());
  first.reset();
  CHECK(passes());
}

TEST_CASE("a call meets one definition or none while they come and go", "[library][lifetime][threads]") {
  Library k = impl();
  k.impl("foo", [](const Tensor&) { return std::int64_t{5}; });
  std::optional<Library> m(fragment());
  m->def("foo(Tensor x) -> int");
  auto handle = op("_test::foo");
  auto typed = handle.typed<std::int64_t(const Tensor&)>();
  std::atomic<bool> stop{false};
  std::atomic<int> odd{0};
  auto worker = [&](bool by_type) {
    Tensor x = cpu();
    while (!stop) {
      try {
        if ((by_type ? typed.call(x) : boxed(handle, x)[0].to_int()) != 5) ++odd;
      } catch (const NotImplementedError& e) {
        if (std::string_view(e.what()).find("was unregistered (defined at") == std::string_view::npos) ++odd;
      } catch (const std::exception&) { ++odd; }
    }
  };
  std::thread one(worker, false), two(worker, true);
  auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  while (std::chrono::steady_clock::now() < end) {
    m.reset();
    std::this_thread::yield();
    m.emplace(fragment());
    m->def("foo(Tensor x) -> int");
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  stop = true;
  one.join();
  two.join();
  CHECK(odd == 0);
}

TEST_CASE("a boxed kernel may read the schema while the definition goes", "[library][lifetime][threads]") {
  static std::atomic<int> odd;
  odd = 0;
  auto read = [](const OperatorHandle& o, Stack& stack) {
    const schema::SchemaView& s = o.schema();
    for (int i = 0; i < 20; ++i) {
      if (s.n_args() != 1 || (s.arg_name(0) != "first" && s.arg_name(0) != "second")) ++odd;
      if (i % 8 == 0) std::this_thread::yield();
    }
    stack.back() = Value(7);
  };
  Library k = impl();
  k.impl("foo", K::CPU, read);
  std::atomic<bool> stop{false};
  std::atomic<int> calls{0};
  auto worker = [&] {
    Tensor x = cpu();
    while (!stop) {
      try {
        if (OperatorHandle handle = Registry::get().find_schema("_test::foo"))
          if (boxed(handle, x)[0].to_int() == 7) ++calls;
      } catch (const NotImplementedError& e) {
        if (std::string_view(e.what()).find("_test::foo was unregistered ") == std::string_view::npos) ++odd;
      } catch (const std::exception&) { ++odd; }
    }
  };
  std::thread one(worker), two(worker);
  auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  for (int i = 0; std::chrono::steady_clock::now() < end; ++i) {
    Library m = fragment();
    m.def(i % 3 == 0 ? "foo(Tensor first) -> int" : "foo(Tensor second) -> int");
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  stop = true;
  one.join();
  two.join();
  CHECK(odd == 0);
  CHECK(calls > 0);
}
