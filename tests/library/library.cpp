// Registration: blocks, order, duplicates, lifetimes, checks. Case numbers are those of the dispatcher's test cases.
#include <tenon/library/library.hpp>

#include <algorithm>
#include <functional>
#include <memory>

#include <tenon/boxing/match.hpp>
#include <tenon/dispatch/explain.hpp>

#include "support.hpp"

using namespace support;

namespace {
const std::string place_pattern = __FILE__ ":";
}  // namespace

TEST_CASE("cases 17 and 18: schema and kernel in either order", "[library]") {
  PlainFallbacks fallbacks;
  {
    Library m = fragment();
    m.def("dummy(Tensor x) -> ()").impl("dummy", DispatchKey::CPU, &count_cpu);
    CHECK(called([] { boxed(op("_test::dummy"), cpu()); }) == 1);
  }
  Library m = fragment();
  m.impl("dummy", DispatchKey::CPU, &count_cpu).def("dummy(Tensor x) -> ()");
  CHECK(called([] { boxed(op("_test::dummy"), cpu()); }) == 1);
}

TEST_CASE("case 19: a schema is inferred from a kernel's type", "[library]") {
  Library m = fragment();
  m.def("dummy", &count_cpu);
  CHECK(schema::to_string(op("_test::dummy").schema()) == "_test::dummy(Tensor _0) -> ()");
  CHECK(called([] { boxed(op("_test::dummy"), cpu()); }) == 1);
}

TEST_CASE("cases 20 and 24: without schema and kernel there is nothing to define", "[library]") {
  Library m = fragment();
  CHECK_ERROR(m.def("dummy"), SchemaError, "Tried to parse a function schema but only the operator name was given");
  CHECK_THROWS_AS(m.def(""), SchemaError);
}

TEST_CASE("cases 21, 38 and 122: a backend without a kernel is refused by name", "[library]") {
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("dummy(Tensor x) -> ()").impl("dummy", DispatchKey::CPU, &count_cpu);
  CHECK(called([] { boxed(op("_test::dummy"), cpu()); }) == 1);
  calls = 0;
  std::string text = message([] { boxed(op("_test::dummy"), cuda()); });
  CHECK(text.find("Could not run '_test::dummy' with arguments from the 'CUDA' backend") == 0);
  CHECK(text.find("The key comes from argument 'x'.") != text.npos);
  CHECK(text.find("Kernels: [CPU (registered at " + place_pattern) != text.npos);
  auto typed = op("_test::dummy").typed<void(const Tensor&)>();
  CHECK(message([&] { typed.call(cuda()); }) == text);
  CHECK(calls == 0);
}

TEST_CASE("case 22: a kernel without a key serves every key", "[library]") {
  Library m = fragment();
  m.def("dummy(Tensor x) -> ()").impl("dummy", &count_cpu);
  CHECK(called([] { boxed(op("_test::dummy"), cpu()); }) == 1);
  CHECK(rule("_test::dummy", DispatchKey::CUDA) == "math kernel");
}

// The peer warns once per process and may name the wrong kernel; we warn once per operator and key, with the right one.
TEST_CASE("case 29: a second kernel at a key warns and wins", "[library]") {
  Warnings warnings;
  Library m = fragment();
  m.def("overridden(Tensor x) -> ()").impl("overridden", DispatchKey::CPU, Kernel(&count_cpu).debug("first"));
  {
    Library second = impl();
    second.impl("overridden", DispatchKey::CPU, Kernel(&count_cuda).debug("second"));
    REQUIRE(warnings.texts.size() == 1);
    CHECK(
        warnings.texts[0].find(
            "Overriding a previously registered kernel for the same operator and the same dispatch key\n  operator: _test::overridden(Tensor x) -> ()\n    registered at ") ==
        0);
    CHECK(warnings.texts[0].find("\n  dispatch key: CPU\n  previous kernel: first\n       new kernel: second") !=
          std::string::npos);
    second.impl("overridden", DispatchKey::CPU, Kernel(&count_cuda).debug("third"));
    CHECK(warnings.texts.size() == 1);
    second.impl("overridden", DispatchKey::CUDA, Kernel(&count_cuda));
    second.impl("overridden", DispatchKey::CUDA, Kernel(&count_cuda).override_existing());
    CHECK(warnings.texts.size() == 1);
  }
}

// In one statement or in two, ours treats them alike; OverridePolicy::Error gives the peer's refusal everywhere.
TEST_CASE("case 30: under the policy Error a second kernel is refused", "[library]") {
  Library m = fragment();
  m.def("dummy(Tensor x) -> ()").impl("dummy", DispatchKey::CPU, &count_cpu);
  Registry::get().set_override_policy(OverridePolicy::Error);
  CHECK_ERROR_CONTAINS(m.impl("dummy", DispatchKey::CPU, &count_cuda), RegistrationError,
                       "Overriding a previously registered kernel");
  Registry::get().set_override_policy(OverridePolicy::Warn);
  CHECK(called([] { boxed(op("_test::dummy"), tensor_of(DispatchKey::CPU)); }) == 1);
}

TEST_CASE("cases 39 and 149: a boxed kernel gives no schema", "[library]") {
  Library m = fragment();
  CHECK_ERROR_CONTAINS(
      m.def("dummy", &count_boxed), RegistrationError,
      "def(\"dummy\"): Full schema string was not specified, and we couldn't infer schema either.  Please explicitly provide a schema string.  (Error occurred while processing TENON_LIBRARY_FRAGMENT block at ");
  CHECK_FALSE(Registry::get().find_op("_test::dummy"));
}

TEST_CASE("cases 40, 41 and 147: boxed kernels beside a schema or a typed kernel", "[library]") {
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("dummy(Tensor x) -> ()")
      .impl("dummy", DispatchKey::CPU, &count_boxed)
      .impl("dummy", DispatchKey::CUDA, &count_boxed);
  CHECK(called([] { boxed(op("_test::dummy"), cuda()); }) == 10000);
  m.def("mixed", &count_cpu);
  m.impl("mixed", DispatchKey::CUDA, &count_boxed);
  CHECK(called([] { boxed(op("_test::mixed"), cuda()); }) == 10000);
}

TEST_CASE("a boxed kernel without a key serves an operator without tensors", "[library]") {
  Library m = fragment();
  m.def("twice(int n) -> int").impl("twice", [](const OperatorHandle&, Stack& s) {
    s.back() = Value(2 * s.back().to_int());
  });
  CHECK(boxed(op("_test::twice"), 21) == Stack{Value(42)});
  CHECK(op("_test::twice").typed<std::int64_t(std::int64_t)>().call(4) == 8);
}

TEST_CASE("cases 42, 107 and 110: two kernels of different C++ types contradict each other", "[library]") {
  Library m = fragment();
  m.impl("dummy", &count_cpu);
  std::string text = message([&] { m.impl("dummy", DispatchKey::CPU, &count_two); });
  CHECK(
      text.find(
          "\nMismatch in kernel C++ signatures\n  operator: _test::dummy\n    no debug info\n  kernel 1: void (tenon::Tensor const&)\n    dispatch key: (catch all)\n    registered at ") ==
      0);
  CHECK(text.find("\n  kernel 2: void (tenon::Tensor const&, long)\n    dispatch key: CPU\n    registered at ") !=
        text.npos);
  m.impl("dummy", DispatchKey::CPU, &count_cpu);
}

TEST_CASE("cases 43 and 44: every spelling of def and impl registers the same", "[library]") {
  Library m = def();
  m.def("schema_only(Tensor x) -> ()")
      .def("with_function(Tensor x) -> ()", &count_cpu)
      .def("inferred", &count_cpu)
      .def("_test::qualified(Tensor x) -> ()");
  m.impl("schema_only", DispatchKey::CPU, TENON_FN(&count_cpu))
      .impl("_test::schema_only", DeviceType::CUDA, [](const Tensor&) {})
      .impl("lone", &count_cpu);
  for (auto name : {"_test::schema_only", "_test::with_function", "_test::inferred", "_test::qualified"})
    CHECK(Registry::get().find_schema(name));
  CHECK_FALSE(Registry::get().find_schema("_test::lone"));
  CHECK(Registry::get().find_op("_test::lone"));
}

TEST_CASE("case 45: overloads are told apart", "[library]") {
  Library m = fragment();
  m.def("fn.overload1(Tensor x) -> ()").def("fn.overload2(Tensor x, int y) -> ()");
  CHECK(op("_test::fn", "overload1").schema().n_args() == 1);
  CHECK(op("_test::fn", "overload2").schema().n_args() == 2);
  CHECK_FALSE(Registry::get().find_schema("_test::fn"));
}

TEST_CASE("case 46: a block fills its namespace in and refuses another", "[library]") {
  Library m = fragment();
  CHECK_ERROR_CONTAINS(
      m.def("other::fn(Tensor x) -> ()"), RegistrationError,
      "Explicitly provided namespace (other) in schema string does not match namespace of enclosing TENON_LIBRARY_FRAGMENT block (_test).");
  CHECK_ERROR_CONTAINS(
      m.impl("other::fn", &count_cpu), RegistrationError,
      "impl(\"other::fn\", ...): Explicitly provided namespace (other) in operator name does not match namespace of enclosing TENON_LIBRARY_FRAGMENT block (_test).");
  m.def("fn(Tensor x) -> ()");
  CHECK(Registry::get().find_schema("_test::fn"));
}

TEST_CASE("case 47: a namespace has one block", "[library]") {
  std::optional<Library> first(def());
  std::string text = message([] { def(); });
  CHECK(text.find("Only a single TENON_LIBRARY can be used to register the namespace _test;") == 0);
  CHECK(text.find("Previous registration of TENON_LIBRARY was registered at ") != text.npos);
  CHECK(text.find("; latest registration was registered at ") != text.npos);
  first.reset();
  CHECK_NOTHROW(def());
}

TEST_CASE("blocks refuse what is not theirs", "[library]") {
  CHECK_ERROR_CONTAINS(fragment("_"), RegistrationError,
                       "TENON_LIBRARY_FRAGMENT: cannot define TENON_LIBRARY_FRAGMENT with the wildcard namespace _");
  // The peer dies with `bad optional access` here.
  CHECK_ERROR_CONTAINS(def("_"), RegistrationError,
                       "TENON_LIBRARY: cannot define TENON_LIBRARY with the wildcard namespace _");
  Library k = impl(DispatchKey::CPU);
  CHECK_ERROR_CONTAINS(
      k.def("dummy(Tensor x) -> ()"), RegistrationError,
      "def(\"dummy(Tensor x) -> ()\"): Cannot define an operator inside of a TENON_LIBRARY_IMPL block.");
  CHECK_ERROR_CONTAINS(
      k.impl("dummy", DispatchKey::CUDA, &count_cpu), RegistrationError,
      "impl(\"dummy\", ...): Explicitly provided dispatch key (CUDA) is inconsistent with the dispatch key of the enclosing TENON_LIBRARY_IMPL block (CPU).  Please declare a separate TENON_LIBRARY_IMPL block for this dispatch key and move your impl() there.");
  CHECK_ERROR(k.impl("dummy(Tensor x) -> ()", &count_cpu), SchemaError,
              "Tried to parse an operator name but function schema was given");
  CHECK_ERROR_CONTAINS(
      k.fallback(fallthrough()), RegistrationError,
      "fallback(...): Fallback functions which apply to only a single namespace (you specified _test) are not supported.");
  Library m = fragment();
  CHECK_ERROR_CONTAINS(m.fallback(fallthrough()), RegistrationError,
                       "fallback(...): Cannot define an operator inside of a TENON_LIBRARY_FRAGMENT block.");
  CHECK_ERROR_CONTAINS(k.impl("dummy", DeviceType::OPENGL, &count_cpu), RegistrationError, "has no dispatch key");
}

// An explicit alias kind is no argument of ours: the schema's annotations are the truth, inferred schemas are
// conservative.
TEST_CASE("cases 48, 52, 57 and 58: where the alias kind comes from", "[library]") {
  Library m = fragment();
  m.def("text(Tensor x) -> ()").def("inferred", &count_cpu);
  CHECK(dump_state(entry("_test::text")).find("alias analysis kind: FROM_SCHEMA\n") != std::string::npos);
  CHECK(dump_state(entry("_test::inferred")).find("alias analysis kind: CONSERVATIVE\n") != std::string::npos);
}

TEST_CASE("cases 49 and W3: looking up what is not defined", "[library]") {
  Library m = fragment();
  CHECK_ERROR_CONTAINS(op("_test::nope", "x"), NotImplementedError, "Could not find schema for _test::nope.x; ");
  CHECK_ERROR_CONTAINS(op("_test::nope"), NotImplementedError, "Could not find schema for _test::nope; ");
  CHECK_ERROR(
      op("_nowhere::nope"), NotImplementedError,
      "Could not find schema for _nowhere::nope; no operator of namespace '_nowhere' is registered yet; link the "
      "unit that defines it (a static library with --whole-archive), or open the plugin first; a static object's "
      "constructor may run before registrations do");
  m.def("gather_rows(Tensor x) -> Tensor").def("gather_rows.some(Tensor x, int n) -> Tensor");
  CHECK_ERROR_CONTAINS(op("_test::gather_row"), NotImplementedError, "did you mean '_test::gather_rows'?");
  CHECK_ERROR(op("_test::gather_rows", "all"), NotImplementedError,
              "Could not find schema for _test::gather_rows.all; there is _test::gather_rows, _test::gather_rows.some");
  m.impl("nope.x", &count_cpu);
  CHECK_ERROR(
      op("_test::nope", "x"), NotImplementedError,
      "Could not find schema for _test::nope.x but we found an implementation; did you forget to def() the operator?");
  CHECK_ERROR(entry("_test::nope.x").schema(), InternalError,
              "Tried to access the schema for _test::nope.x which doesn't have a schema registered yet");
  CHECK_ERROR_CONTAINS(boxed(Registry::get().find_op("_test::nope.x"), cpu()), NotImplementedError,
                       "Could not find schema for _test::nope.x but we found an implementation");
}

TEST_CASE("case 50: listeners hear of definitions alone", "[library]") {
  struct Names : RegistryListener {
    std::vector<std::string>& log;
    explicit Names(std::vector<std::string>& l) : log(l) {}
    void on_registered(const OperatorHandle& o) override {
      if (o.name().starts_with("_test::")) log.push_back("+" + std::string(o.name()));
    }
    void on_unregistered(const OperatorHandle& o) override {
      // The schema is still there.
      if (o.name().starts_with("_test::"))
        log.push_back("-" + std::string(o.name()) + std::to_string(o.schema().n_args()));
    }
  };
  std::vector<std::string> log;
  Library before = fragment();
  before.def("there(Tensor x) -> ()");
  auto listening = Registry::get().add_listener(std::make_unique<Names>(log));
  CHECK(log == std::vector<std::string>{"+_test::there"});
  Library k = impl();
  k.impl("dummy", &count_cpu);
  CHECK(log.size() == 1);
  {
    Library m = fragment();
    m.def("dummy(Tensor x) -> ()");
    CHECK(log.back() == "+_test::dummy");
  }
  CHECK(log.back() == "-_test::dummy1");
  CHECK(log.size() == 3);
  listening.reset();
  before.reset();
  CHECK(log.size() == 3);
}

TEST_CASE("cases 51 and 63: operators with a kernel of their own at a key", "[library]") {
  Library m = fragment();
  m.def("own(Tensor x) -> ()")
      .def("composite(Tensor x) -> ()")
      .impl("own", DispatchKey::SparseCsrVE, &count_cpu)
      .impl("composite", &count_cpu);
  CHECK(Registry::get().registrations_for(DispatchKey::SparseCsrVE) == std::vector<std::string>{"_test::own"});
  auto all = Registry::get().registrations_for(DispatchKey::Undefined);
  CHECK(std::count(all.begin(), all.end(), "_test::own") + std::count(all.begin(), all.end(), "_test::composite") == 2);
}

TEST_CASE("case 54: the state of a definition alone tells its schema and its place", "[library]") {
  Library m = fragment();
  m.def("foo(Tensor x) -> ()");
  std::string text = dump_state(entry("_test::foo"));
  CHECK(text.find("name: _test::foo\nschema: _test::foo(Tensor x) -> ()\ndebug: registered at " + place_pattern) == 0);
  CHECK(text.find("\nalias analysis kind: FROM_SCHEMA\n") != text.npos);
}

TEST_CASE("case 55: the state of kernels alone, in the order of the keys", "[library]") {
  Library m = fragment();
  m.impl("foo", Kernel(&count_cpu).debug("keyless"))
      .impl("foo", DispatchKey::CPU, Kernel(&count_cpu).debug("cpu"))
      .impl("foo", DispatchKey::Tracer, Kernel(fallthrough()).debug("skipped"));
  CHECK(
      dump_state(entry("_test::foo")) ==
      "name: _test::foo\nschema: (none)\nTracer: skipped :: (none) [ fallthrough ]\nCPU: cpu :: (Tensor _0) -> () [ boxed unboxed ]\n"
      "CompositeImplicitAutograd[alias]: keyless :: (Tensor _0) -> () [ boxed unboxed ]\n");
}

TEST_CASE("case 56: a second definition is refused", "[library]") {
  Library m = fragment();
  m.def("foo(Tensor x) -> ()");
  std::string text = message([&] { m.def("foo(Tensor x) -> ()"); });
  CHECK(
      text.find(
          "Tried to register an operator (_test::foo(Tensor x) -> ()) with the same name and overload name multiple times. Each overload's schema should only be registered with a single call to def(). Duplicate registration: registered at ") ==
      0);
  CHECK(text.find(". Original registration: registered at ") != text.npos);
}

TEST_CASE("case 59: a key has one fallback", "[library]") {
  PlainFallbacks none;
  Library first = impl(DispatchKey::XLA, "_");
  first.fallback(Kernel(&count_boxed).debug("first"));
  {
    Library second = impl(DispatchKey::XLA, "_");
    CHECK_ERROR(
        second.fallback(Kernel(&count_boxed).debug("second")), RegistrationError,
        "Tried to register multiple backend fallbacks for the same dispatch key XLA; previous registration first, new registration second");
  }
  CHECK(Registry::get().tables().fallback_at(DispatchKey::XLA)->place.text() == "first");
}

TEST_CASE("an alias fallback is made whole or not at all", "[library]") {
  PlainFallbacks keep;
  auto cleared = Registry::get().override_fallback(DispatchKey::Autograd, std::nullopt, "none");
  Library one = impl(DispatchKey::AutogradCUDA, "_");
  one.fallback(fallthrough());
  Library all = impl(DispatchKey::Autograd, "_");
  // The peer leaves those before the taken key registered.
  CHECK_THROWS_AS(all.fallback(fallthrough()), RegistrationError);
  CHECK(Registry::get().tables().fallback_at(DispatchKey::AutogradCPU) == nullptr);
  one.reset();
  all.fallback(fallthrough());
  CHECK(Registry::get().tables().fallback_at(DispatchKey::AutogradMTIA) != nullptr);
}

TEST_CASE("cases 60 and 61: kernels without a definition are found", "[library]") {
  auto dangling = [] {
    auto all = Registry::get().find_dangling_impls();
    return std::count_if(all.begin(), all.end(), [](const auto& o) { return o.name().starts_with("_test::"); });
  };
  CHECK(dangling() == 0);
  Library m = fragment();
  m.impl("nobody", DispatchKey::CPU, &count_cpu);
  CHECK(dangling() == 1);
  std::string text = dump_state(entry("_test::nobody"));
  CHECK(text.find("name: _test::nobody\nschema: (none)\nCPU: registered at " + place_pattern) == 0);
}

TEST_CASE("the places are those of the statements, not of the block", "[library]") {
  Library m = fragment();
  int line = __LINE__ + 1;
  m.def("foo(Tensor x) -> ()");
  CHECK(entry("_test::foo").definition_place().text() == concat("registered at ", __FILE__, ":", line));
}

TEST_CASE("tags are kept with the definition", "[library]") {
  Library m = fragment();
  m.def("foo(Tensor x) -> ()", {"core", "pointwise"});
  CHECK(entry("_test::foo").has_tag("core"));
  CHECK(entry("_test::foo").has_tag(Tag::pointwise));
  CHECK_FALSE(entry("_test::foo").has_tag("out"));
  CHECK_FALSE(entry("_test::foo").has_tag("no_such_tag"));
  m.def("one(Tensor x) -> ()", {"core"});
  CHECK(entry("_test::one").has_tag("core"));
  m.reset();
  Library again = fragment();
  again.def("foo(Tensor x) -> ()");
  CHECK(entry("_test::foo").tags().empty());
}

TEST_CASE("misspelt types are refused in every form of def", "[library]") {
  Library m = fragment();
  CHECK_THROWS_AS(m.def("foo(Tensor x, tensor y) -> ()"), SchemaError);
  // The peer takes `integer` for a type variable here.
  CHECK_THROWS_AS(m.def("foo(integer y) -> ()", [](std::int64_t) {}), SchemaError);
}

TEST_CASE("an error in a static block is kept for the first use of its namespace", "[library]") {
  {
    detail::StaticLibrary block(
        Library::Kind::Fragment, "_broken", std::nullopt,
        [](Library& m) { m.def("fine(Tensor x) -> ()").def("wrong(Tensr x) -> ()"); }, "pack.cpp", 12);
    // The block is undone as a whole.
    CHECK_FALSE(Registry::get().find_op("_broken::fine"));
    Library later = fragment("_broken");
    later.def("other(Tensor x) -> ()").impl("other", &count_cpu);
    CHECK(message([] { op("_broken::other"); }).find("registrations failed:\n  ") == 0);
    CHECK_NOTHROW(op("_broken::other"));
    CHECK_ERROR_CONTAINS(check_registrations(), RegistrationError, "[pack.cpp:12]");
  }
  auto errors = Registry::get().errors().take();
  CHECK(errors.size() == 1);
  CHECK_NOTHROW(check_registrations());
}

TEST_CASE("every first use of a namespace meets the errors of its blocks", "[library]") {
  Library there = fragment("_broken");
  there.def("other(Tensor x) -> ()").impl("other", &count_cpu);
  auto handle = op("_broken::other");
  auto use = GENERATE_COPY(std::function<void()>([] { Registry::get().find_schema("_broken::missing"); }),
                           std::function<void()>([=] { explain(handle, Stack{Value(cpu())}); }),
                           std::function<void()>([=] { detail::explain_keys(handle.entry(), {}); }));
  Registry::get().errors().record("_broken", "a block");
  CHECK(message(use) == "registrations failed:\n  a block");
  CHECK(message(use) == "(nothing was thrown)");
  CHECK(Registry::get().errors().take().size() == 1);
}

TEST_CASE("no key stands for the block's key", "[library]") {
  Library m = fragment();
  m.def("foo(Tensor x) -> ()");
  Library k = impl(DispatchKey::CUDA);
  k.impl("foo", DispatchKey::Undefined, &count_cuda);
  CHECK(entry("_test::foo").kernel_at(DispatchKey::CUDA) != nullptr);
  CHECK(entry("_test::foo").kernel_at(DispatchKey::CompositeImplicitAutograd) == nullptr);
  m.impl("foo", DispatchKey::Undefined, &count_cpu);
  CHECK(entry("_test::foo").kernel_at(DispatchKey::CompositeImplicitAutograd) != nullptr);
}

TEST_CASE("a kernel object has a place at each of its statements", "[library]") {
  auto alive = std::make_shared<int>(0);
  int first = 0;
  {
    Library m = fragment();
    m.def("a(Tensor x) -> int").def("b(Tensor x) -> int");
    {
      Kernel kernel([alive](const Tensor&) { return std::int64_t{7}; });
      first = __LINE__ + 1;
      m.impl("a", DispatchKey::CPU, kernel);
      m.impl("b", DispatchKey::CPU, kernel);
      Kernel small([](const Tensor&) { return std::int64_t{8}; });
      m.impl("a", DispatchKey::CUDA, small);
      m.impl("b", DispatchKey::CUDA, std::move(small));
      Kernel words = Kernel([](const Tensor&) { return std::int64_t{9}; }).debug("words");
      m.impl("a", DispatchKey::XLA, words);
    }
    auto place = [](std::string_view name, DispatchKey key) { return (*entry(name).kernel_at(key))->place.text(); };
    auto at = [&](int line) { return concat("registered at ", __FILE__, ":", line); };
    CHECK(place("_test::a", DispatchKey::CPU) == at(first));
    CHECK(place("_test::b", DispatchKey::CPU) == at(first + 1));
    CHECK(place("_test::a", DispatchKey::CUDA) == at(first + 3));
    CHECK(place("_test::b", DispatchKey::CUDA) == at(first + 4));
    CHECK(place("_test::a", DispatchKey::XLA) == "words");
    for (const char* name : {"_test::a", "_test::b"}) {
      CHECK(boxed(op(name), tensor_of(DispatchKey::CPU))[0].to_int() == 7);
      CHECK(op(name).typed<std::int64_t(const Tensor&)>().call(tensor_of(DispatchKey::CUDA)) == 8);
    }
    CHECK(alive.use_count() == 2);
  }
}

namespace {
struct Listener : RegistryListener {
  std::function<void(const OperatorHandle&)> came, went;
  void on_registered(const OperatorHandle& o) override {
    if (o.name().starts_with("_test::") && came) came(o);
  }
  void on_unregistered(const OperatorHandle& o) override {
    if (o.name().starts_with("_test::") && went) went(o);
  }
};
Registration listen(std::function<void(const OperatorHandle&)> came, std::function<void(const OperatorHandle&)> went) {
  auto made = std::make_unique<Listener>();
  made->came = std::move(came);
  made->went = std::move(went);
  return Registry::get().add_listener(std::move(made));
}
}  // namespace

TEST_CASE("a listener may end its own registration and others while it is told", "[library]") {
  std::string log;
  auto alive = std::make_shared<int>(0);
  Registration first, second, third;
  first = listen(
      [&, alive](const OperatorHandle&) {
        log += "a";
        first.reset();
        third.reset();
        CHECK(alive.use_count() > 1);
      },
      {});
  second = listen([&](const OperatorHandle&) { log += "b"; }, [&](const OperatorHandle&) { second.reset(); });
  third = listen([&](const OperatorHandle&) { log += "c"; }, {});
  Library m = fragment();
  m.def("x(Tensor x) -> ()");
  CHECK(log == "ab");
  CHECK(alive.use_count() == 1);
  m.def("y(Tensor x) -> ()");
  CHECK(log == "abb");
  m.reset();
  CHECK_FALSE(second);
  m.def("x(Tensor x) -> ()");
  CHECK(log == "abb");
}

TEST_CASE("a listener is gone when its registration has ended", "[library]") {
  auto alive = std::make_shared<int>(0);
  Registration r = listen([alive](const OperatorHandle&) {}, {});
  CHECK(alive.use_count() == 2);
  r.reset();
  CHECK(alive.use_count() == 1);
  // One that ends while it is told of something goes when it has been told.
  r = listen({}, [&r, alive](const OperatorHandle&) { r.reset(); });
  {
    Library m = fragment();
    m.def("x(Tensor x) -> ()");
    CHECK(alive.use_count() == 2);
  }
  CHECK(alive.use_count() == 1);
}

TEST_CASE("what a listener refuses is not defined", "[library]") {
  std::string log;
  bool refuses = true;
  OperatorHandle refused;
  auto before = listen([&](const OperatorHandle&) { log += "+"; }, [&](const OperatorHandle&) { log += "-"; });
  auto refusing = listen(
      [&](const OperatorHandle& o) {
        refused = o;
        if (refuses) throw ValueError("listener says no");
      },
      [](const OperatorHandle&) { throw ValueError("listener says no"); });
  auto after = listen([&](const OperatorHandle&) { log += "!"; }, [&](const OperatorHandle&) { log += "!"; });
  Library m = fragment();
  CHECK_ERROR(m.def("foo(Tensor x) -> ()", std::vector<std::string>{"core"}), ValueError, "listener says no");
  CHECK(log == "+-+-");  // the macro tries twice
  CHECK_FALSE(Registry::get().find_op("_test::foo"));
  OperatorHandle of_nothing = refused;
  refuses = false;
  m.def("foo(Tensor x, int y) -> ()", &count_two);
  CHECK_THROWS_AS(boxed(of_nothing, cpu(), 1), NotImplementedError);
  CHECK_FALSE(entry("_test::foo").has_tag("core"));
  // What fails while something ends is only told.
  Warnings warnings;
  m.reset();
  CHECK(warnings.texts ==
        std::vector<std::string>{"A listener failed when operator _test::foo went: listener says no"});
}

TEST_CASE("a refused definition leaves handles of the last one as they were", "[library]") {
  std::optional<Library> m(fragment());
  m->def("foo(Tensor x) -> int", [](const Tensor&) { return std::int64_t{1}; });
  auto handle = op("_test::foo");
  m.reset();
  {
    auto refusing = listen([](const OperatorHandle&) { throw ValueError("no"); }, {});
    Library other = fragment();
    CHECK_THROWS_AS(other.def("foo(Tensor x, Tensor y) -> int"), ValueError);
  }
  m.emplace(fragment());
  m->def("foo(Tensor x) -> int", [](const Tensor&) { return std::int64_t{2}; });
  CHECK(boxed(handle, cpu())[0].to_int() == 2);
}

TEST_CASE("what a static block throws is kept, whatever it is", "[library]") {
  {
    detail::StaticLibrary block(
        Library::Kind::Fragment, "_thrown", std::nullopt, +[](Library&) { throw 42; }, "odd.cpp", 7);
    CHECK_ERROR_CONTAINS(check_registrations(), RegistrationError,
                         "the block threw what is no std::exception [odd.cpp:7]");
  }
  CHECK(Registry::get().errors().take().size() == 1);
}

TEST_CASE("a fallback takes a stack", "[library]") {
  Library k(Library::Kind::Impl, "_", DispatchKey::VE);
  CHECK_ERROR_CONTAINS(
      k.fallback([](const Tensor& t) { return t; }), RegistrationError,
      "fallback(...): a fallback serves operators of every type, so its kernel must take a stack: void(const OperatorHandle&, [KeySet,] Stack&); got a kernel of type ");
  CHECK_ERROR_CONTAINS(Registry::get().override_fallback(DispatchKey::VE, Kernel([](const Tensor& t) { return t; }),
                                                         Place("here.cpp", 7)),
                       RegistrationError, "got a kernel of type ");
  CHECK(!Registry::get().tables().fallback_at(DispatchKey::VE));
}

TEST_CASE("a tag is one of those that there are", "[library]") {
  Library m = fragment();
  CHECK_ERROR_CONTAINS(m.def("foo(Tensor x) -> ()", {"core", "pointwize"}), RegistrationError,
                       "def(\"_test::foo\"): there is no tag 'pointwize'; the tags are core, cudagraph_unsafe, ");
  CHECK_FALSE(Registry::get().find_schema("_test::foo"));
}

TEST_CASE("a mixed list brings the keys of all its tensors", "[library]") {
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("any(Any[] x) -> ()").impl("any", DispatchKey::CPU, &count_boxed);
  CHECK(called([] { boxed(op("_test::any"), Value::list({Value(1), Value(cpu())})); }) == 10000);
  CHECK(called([] { boxed(op("_test::any"), Value::list({Value(cpu()), Value(1)})); }) == 10000);
}

TEST_CASE("arguments matched by name repeat the one element of a list of fixed length", "[library]") {
  Library m = fragment();
  m.def("pair(int[2] k, int[3]? m=None) -> int");
  m.impl("pair", DispatchKey::CompositeExplicitAutograd,
         [](IntArrayRef k, std::optional<IntArrayRef> m) -> std::int64_t {
           CHECK(k.size() == 2);
           if (m) CHECK(m->size() == 3);
           return 10 * k[1] + (m ? (*m)[2] : 0);
         });
  auto call = [](std::vector<Value> given, std::vector<NamedValue> named, Conversions how = Conversions::None) {
    Stack stack = match_arguments(op("_test::pair").schema(), std::move(given), std::move(named), how);
    op("_test::pair").call_boxed(stack);
    return stack[0].to_int();
  };
  CHECK(call({Value::list({Value(4)})}, {}) == 40);
  CHECK(call({}, {{"m", Value::list({Value(5)})}, {"k", Value::list({Value(3), Value(4)})}}) == 45);
  CHECK(call({Value(4)}, {{"m", Value(7)}}, Conversions::Implicit) == 47);
  CHECK_THROWS_AS(call({Value::list({Value(1), Value(2), Value(3)})}, {}), TypeError);
}
