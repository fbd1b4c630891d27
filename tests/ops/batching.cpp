// W15: a batching fallback, as a user writes it.
#include "../../examples/batching.hpp"

#include "../registry_support.hpp"
#include "support.hpp"

using namespace test;
using batching::batch;
using batching::unbatch;

namespace {

int calls = 0;
Tensor counted_add(const Tensor& a, const Tensor& b) {
  ++calls;
  return a + b;
}
std::tuple<Tensor, Tensor> both(const Tensor& a, const Scalar& by) { return {a + by, a * by}; }

TENON_LIBRARY(_batching, m) {
  m.def("add(Tensor a, Tensor b) -> Tensor", &counted_add);
  m.def("both(Tensor a, Scalar by) -> (Tensor, Tensor)", &both);
  m.def("size(Tensor a) -> int", [](const Tensor& a) { return a.size(0); });
}

// Two functions of one name, as the operator has two overloads. What it is made of meets the batch in its turn.
int narrow_calls = 0;
Tensor batched_narrow(const Tensor& self, std::int64_t dim, const SymInt& start, const SymInt& length) {
  ++narrow_calls;
  return ops::slice(self, dim, start, start + length);
}
Tensor batched_narrow(const Tensor& self, std::int64_t dim, const Tensor& start, const SymInt& length) {
  return batched_narrow(self, dim, SymInt(start.item<std::int64_t>()), length);
}

}  // namespace

TEST_CASE("W15: an operator without a rule runs once for each example", "[ops][walkthrough]") {
  Tensor x = counted({4, 3}), y = counted({4, 3}) + 10;
  auto add = support::op("_batching::add").typed<Tensor(const Tensor&, const Tensor&)>();
  calls = 0;
  CHECK(values(unbatch(add.call(batch(x), batch(y)))) == values(x + y));
  CHECK(calls == 4);
  // One batched and one plain argument, from either side.
  calls = 0;
  CHECK(values(unbatch(add.call(batch(x), tensor({1, 2, 3})))) == values(x + tensor({1, 2, 3})));
  CHECK(values(unbatch(add.call(tensor({1, 2, 3}), batch(x)))) == values(x + tensor({1, 2, 3})));
  CHECK(calls == 8);
  // What is no tensor reaches every call.
  CHECK(values(unbatch(ops::add(batch(x), batch(y), "alpha"_a = 3))) == values(ops::add(x, y, "alpha"_a = 3)));
  auto [sums, products] = support::op("_batching::both")
                              .typed<std::tuple<Tensor, Tensor>(const Tensor&, const Scalar&)>()
                              .call(batch(x), 2);
  CHECK(values(unbatch(sums)) == values(x + 2));
  CHECK(values(unbatch(products)) == values(x * 2));
}

TEST_CASE("W15: a batched tensor looks like one example", "[ops][walkthrough]") {
  Tensor x = counted({4, 3, 2}), one = batch(x);
  CHECK(list(one.sizes()) == Ints{3, 2});
  CHECK(list(unbatch(ops::t(one)).sizes()) == Ints{4, 2, 3});
  CHECK(values(unbatch(one.sum())) == values(x.sum({1, 2})));
}

TEST_CASE("W15: the steps of sin over a batch", "[ops][walkthrough]") {
  Tensor x = counted({2, 3}), one = batch(x), y;
  {
    support::Trace trace;
    y = ops::sin(one);
    std::vector<std::string> sines;
    for (const auto& line : trace.lines)
      if (line.find("aten::sin ") != line.npos) sines.push_back(line);
    // The unboxed call meets a boxed kernel; below it each example goes its usual way to an unboxed one.
    REQUIRE(sines.size() >= 4);
    CHECK(sines[0] == "[call] aten::sin Batched");
    CHECK(sines[1] == "[kernel] aten::sin Batched boxed");
    CHECK(std::count(sines.begin(), sines.end(), "[redispatch] aten::sin CPU") == 2);
  }
  CHECK(values(unbatch(y)) == values(ops::sin(x)));
}

TEST_CASE("W15: what cannot be batched is refused", "[ops][walkthrough]") {
  CHECK_THROWS_TEXT(batch(tensor(1.0)),
                    "batch(): expected a plain tensor of at least one dimension, got one of sizes []");
  CHECK_THROWS_AS(batch(batch(counted({2, 2}))), ValueError);
  CHECK_THROWS_TEXT(batch(counted({2, 3})) + batch(counted({4, 3})),
                    "aten::add.Tensor: expected batches of one size, got 2 and 4");
  CHECK_THROWS_TEXT(ops::neg(batch(ops::empty({0, 3}))),
                    "aten::neg: expected a batched tensor with at least one example among the arguments");
  auto size = support::op("_batching::size").typed<std::int64_t(const Tensor&)>();
  CHECK_THROWS_TEXT(size.call(batch(counted({2, 3}))),
                    "_batching::size: result 0 is no tensor, and only tensors can be batched");
}

TEST_CASE("W13: a composite is registered for batches, one overload by a cast, the other one not",
          "[ops][walkthrough]") {
  Library m(Library::Kind::Impl, "aten", DispatchKey::Batched);
  m.impl("narrow", static_cast<Tensor (*)(const Tensor&, std::int64_t, const SymInt&, const SymInt&)>(&batched_narrow));
  auto names = Registry::get().registrations_for(DispatchKey::Batched);
  CHECK(std::count(names.begin(), names.end(), "aten::narrow") == 1);
  CHECK(std::count(names.begin(), names.end(), "aten::narrow.Tensor") == 0);

  Tensor x = counted({2, 5}), y;
  Numbers expected = values(x.narrow(1, 1, 3));
  narrow_calls = 0;
  support::Trace trace;
  y = ops::narrow(batch(x), 0, 1, 3);
  CHECK(narrow_calls == 1);
  CHECK(trace.lines[0] == "[call] aten::narrow Batched");
  CHECK(trace.lines[1] != "[kernel] aten::narrow Batched boxed");
  CHECK(values(unbatch(y)) == expected);
  // The overload without a kernel there goes through the loop.
  CHECK(values(unbatch(ops::narrow(batch(x), 0, tensor(1), 3))) == expected);
  CHECK(narrow_calls == 1);
  CHECK(values(batched_narrow(x, 1, tensor(1), 3)) == expected);
}
