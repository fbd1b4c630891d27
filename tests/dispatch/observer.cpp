// W22: observers hear of calls, with operator, keys and inputs, and cost nothing where nobody listens.
#include <functional>
#include <thread>

#include <tenon/dispatch/call.hpp>
#include <tenon/dispatch/observer.hpp>

#include "registry_support.hpp"

using namespace support;
using K = DispatchKey;

namespace {
struct Notes final : CallObserver {
  std::vector<std::string> lines;
  std::string not_observed;
  std::function<void()> on_begin = [] {};
  bool observes(const OperatorHandle& op) const override { return op.name() != not_observed; }
  void begin(const ObservedCall& call) override {
    std::string line = concat("begin ", call.op.name(), " ", call.keys.highest_priority(), " ", call.depth);
    if (call.inputs)
      for (const Value& v : *call.inputs) line += v.is_tensor() ? " tensor" : " " + to_string(v);
    lines.push_back(line);
    on_begin();
  }
  void end(const ObservedCall& call) noexcept override { lines.push_back(concat("end ", call.op.name())); }
};
using Lines = std::vector<std::string>;

Tensor same(const Tensor& x, std::int64_t) { return x; }
Tensor calls_inner(const Tensor& x, std::int64_t n) {
  return op("_test::inner").typed<Tensor(const Tensor&, std::int64_t)>().call(x, n + 1);
}
struct Operators {
  PlainFallbacks fallbacks;
  Library m = fragment();
  Tensor x = tensor_of(K::CPU);
  Operators() {
    m.def("inner(Tensor x, int n) -> Tensor").impl("inner", K::CPU, TENON_FN(&same));
    m.def("outer(Tensor x, int n) -> Tensor").impl("outer", K::CPU, TENON_FN(&calls_inner));
  }
  Tensor call(const char* name) { return op(name).typed<Tensor(const Tensor&, std::int64_t)>().call(x, 3); }
};
}  // namespace

TEST_CASE("W22: begin and end of calls, with inputs, unboxed and boxed", "[dispatch][observer]") {
  Operators f;
  Notes notes;
  {
    CallObserverGuard guard(notes, true);
    f.call("_test::outer");
    boxed(op("_test::inner"), f.x, std::int64_t{7});
  }
  f.call("_test::outer");
  CHECK(notes.lines == Lines{"begin _test::outer CPU 1 tensor 3", "begin _test::inner CPU 2 tensor 4",
                             "end _test::inner", "end _test::outer", "begin _test::inner CPU 1 tensor 7",
                             "end _test::inner"});
}

TEST_CASE("W22: a call through several kernels is one call", "[dispatch][observer]") {
  Operators f;
  f.m.impl("inner", K::BackendSelect, [](KeySet keys, const Tensor& x, std::int64_t n) {
    return op("_test::inner")
        .typed<Tensor(const Tensor&, std::int64_t)>()
        .redispatch(keys & KeySet::full_after(K::BackendSelect), x, n);
  });
  Notes notes;
  CallObserverGuard guard(notes);
  f.call("_test::inner");
  CHECK(notes.lines == Lines{"begin _test::inner BackendSelect 1", "end _test::inner"});
}

TEST_CASE("W22: what is not observed is not reported, nor what observers call", "[dispatch][observer]") {
  Operators f;
  Notes notes;
  notes.not_observed = "_test::outer";
  notes.on_begin = [&] { f.call("_test::inner"); };
  CallObserverGuard guard(notes);
  f.call("_test::outer");
  CHECK(notes.lines == Lines{"begin _test::inner CPU 2", "end _test::inner"});
}

TEST_CASE("W22: guards nest, and each gets what it asked for", "[dispatch][observer]") {
  Operators f;
  Notes outer, inner;
  std::vector<std::string> order;
  outer.on_begin = [&] { order.push_back("outer"); };
  inner.on_begin = [&] { order.push_back("inner"); };
  CallObserverGuard first(outer);
  {
    CallObserverGuard second(inner, true);
    f.call("_test::inner");
  }
  f.call("_test::inner");
  CHECK(order == Lines{"outer", "inner", "outer"});
  CHECK(outer.lines.front() == "begin _test::inner CPU 1");
  CHECK(inner.lines == Lines{"begin _test::inner CPU 1 tensor 3", "end _test::inner"});
}

TEST_CASE("W22: a call that throws has an end, and one that an observer refuses does not run", "[dispatch][observer]") {
  Operators f;
  f.m.impl("inner", K::CUDA, [](const Tensor&, std::int64_t) -> Tensor { fail<ValueError>("no"); });
  Notes notes, strict;
  CallObserverGuard guard(notes);
  f.x = tensor_of(K::CUDA);
  CHECK_THROWS_AS(f.call("_test::inner"), ValueError);
  CHECK(notes.lines == Lines{"begin _test::inner CUDA 1", "end _test::inner"});
  notes.lines.clear();
  strict.on_begin = [] { fail<TypeError>("refused"); };
  CallObserverGuard second(strict);
  CHECK_THROWS_AS(f.call("_test::inner"), TypeError);
  CHECK(notes.lines == Lines{"begin _test::inner CUDA 1", "end _test::inner"});
}

TEST_CASE("W22: other threads are not observed, and without guards calls take the usual way", "[dispatch][observer]") {
  Operators f;
  Notes notes;
  auto is_usual = [] { return !op("_test::inner").entry().table().special; };
  boxed(op("_test::inner"), f.x, std::int64_t{7});
  CHECK(is_usual());
  {
    CallObserverGuard guard(notes);
    std::thread([&] { f.call("_test::inner"); }).join();
    CHECK_FALSE(is_usual());
  }
  boxed(op("_test::inner"), f.x, std::int64_t{7});
  CHECK(is_usual());
  CHECK(notes.lines.empty());
}
