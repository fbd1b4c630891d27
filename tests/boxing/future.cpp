// Futures and awaits: completing, waiting, continuing, from one thread and from many.
#include <tenon/boxing/future.hpp>

#include <atomic>
#include <stdexcept>
#include <thread>

#include <tenon/base/linalg_error.hpp>
#include <tenon/boxing/await.hpp>
#include <tenon/boxing/value_text.hpp>

#include "catch.hpp"

using namespace tenon;

namespace {
std::exception_ptr error(const char* text) { return std::make_exception_ptr(std::runtime_error(text)); }
}  // namespace

TEST_CASE("a future is pending, then has a value or an error", "[boxing][future]") {
  Future<std::int64_t> f;
  CHECK(f.element_type() == "int");
  CHECK((!f.completed() && !f.has_value() && !f.has_error() && !f.error()));
  CHECK_ERROR(f.value(), ValueError,
              "Future(int)::value(): expected a completed future, got a pending one; call wait() first");
  f.mark_completed(3);
  CHECK((f.completed() && f.has_value() && !f.has_error()));
  f.wait();
  CHECK(f.value() == 3);
  CHECK(f.get() == 3);
  Future<> g;
  g.set_error(error("no"));
  CHECK((g.completed() && !g.has_value() && g.has_error()));
  g.wait();
  CHECK_THROWS_WITH(g.value(), "no");
  CHECK_THROWS_AS(g.get(), std::runtime_error);
}

TEST_CASE("a future is completed once", "[boxing][future]") {
  Future<> f;
  f.mark_completed(1);
  CHECK_ERROR(f.mark_completed(2), ValueError,
              "Future(Any)::mark_completed(): expected a pending future, got one that has a value; a future is "
              "completed once");
  CHECK_ERROR_CONTAINS(f.set_error(error("late")), ValueError, "Future(Any)::set_error(): expected a pending future");
  CHECK(f.value() == Value(1));
  CHECK_ERROR_CONTAINS(Future<>().set_error(nullptr), ValueError, "expected an exception, got null");
}

TEST_CASE("a future that states its type in words takes values of that type alone", "[boxing][future]") {
  Future<> f("int?[]");
  CHECK_ERROR(f.mark_completed("text"), TypeError,
              "Future(int?[])::mark_completed(): expected a value of type 'int?[]', got type 'str': \"text\"");
  CHECK_FALSE(f.completed());
  f.mark_completed(Value::list({Value(1), Value()}));
  CHECK(f.completed());
  CHECK_THROWS_AS(Future<>("nonsense"), SchemaError);
  Value typed = Future<std::int64_t>();
  CHECK_THROWS_AS(typed.to_future().mark_completed("text"), TypeError);
}

TEST_CASE("callbacks run once, in order, also when the future is completed already", "[boxing][future]") {
  Future<std::int64_t> f;
  std::vector<std::int64_t> seen;
  f.add_callback([&](const Future<std::int64_t>& self) { seen.push_back(self.value()); });
  f.add_callback([&](const auto& self) { seen.push_back(10 * self.value()); });
  CHECK(seen.empty());
  f.mark_completed(4);
  CHECK(seen == std::vector<std::int64_t>{4, 40});
  f.add_callback([&](const auto&) { seen.push_back(0); });
  CHECK(seen.size() == 3);
}

TEST_CASE("an exception of a callback reaches who completes the future, after all have run", "[boxing][future]") {
  Future<> f;
  int runs = 0;
  f.add_callback([&](const auto&) { ++runs, throw std::runtime_error("first"); });
  f.add_callback([&](const auto&) { ++runs, throw std::runtime_error("second"); });
  CHECK_THROWS_WITH(f.mark_completed({}), "first");
  CHECK(runs == 2);
  CHECK(f.has_value());
}

TEST_CASE("then gives a future of the callback's result", "[boxing][future]") {
  Future<std::int64_t> f;
  auto half = f.then([](const auto& self) { return static_cast<double>(self.value()) / 2; });
  STATIC_REQUIRE(std::is_same_v<decltype(half), Future<double>>);
  STATIC_REQUIRE(std::is_same_v<decltype(f.then([](const auto&) { return 1; })), Future<std::int64_t>>);
  STATIC_REQUIRE(std::is_same_v<decltype(f.then([](const auto&) { return 1.5f; })), Future<double>>);
  auto text = half.then([](const auto& self) { return concat(Value(self.value())); });
  auto nothing = text.then([](const auto& self) { (void)self.value(); });
  CHECK_FALSE(text.completed());
  f.mark_completed(3);
  CHECK(half.value() == 1.5);
  CHECK(text.element_type() == "str");
  CHECK(text.value() == "1.5");
  CHECK(nothing.value().is_none());
}

TEST_CASE("errors pass through continuations until one reads them", "[boxing][future]") {
  Future<std::int64_t> f;
  auto next = f.then([](const auto& self) { return self.value() + 1; });
  auto saved = next.then([](const auto& self) { return self.has_error() ? std::int64_t{-1} : self.value(); });
  f.set_error(error("broken"));
  CHECK_THROWS_WITH(next.value(), "broken");
  CHECK(saved.value() == -1);
}

TEST_CASE("each who waits for a future that failed gets an error of its own", "[boxing][future][threads]") {
  struct OwnError : ValueError {
    using ValueError::ValueError;
  };
  auto words = [](const auto& future, const std::string& context) {
    try {
      (void)future.get();
    } catch (Error& e) {
      e.add_context(context);
      return std::string(e.what());
    }
    return std::string();
  };
  Future<std::int64_t> f;
  auto next = f.then([](const auto& self) { return self.value(); });
  f.set_error(std::make_exception_ptr(LinAlgError("singular")));
  std::vector<std::string> seen(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < seen.size(); ++i)
    threads.emplace_back([&, i] { seen[i] = words(i % 2 ? f : next, "call " + std::to_string(i)); });
  for (std::thread& t : threads) t.join();
  for (std::size_t i = 0; i < seen.size(); ++i) CHECK(seen[i] == "singular\n  in call " + std::to_string(i));
  CHECK_ERROR(f.value(), LinAlgError, "singular");

  Await<std::int64_t> again([]() -> std::int64_t { fail<TypeError>("no number"); });
  for (int i = 0; i < 2; ++i) try {
      (void)again.wait();
    } catch (TypeError& e) {
      CHECK(std::string(e.what()) == "no number");
      e.add_context("a call");
    }
  Future<> own;
  own.set_error(std::make_exception_ptr(OwnError("mine")));
  CHECK_THROWS_AS(own.get(), OwnError);
}

TEST_CASE("a continuation that returns a future is waited for", "[boxing][future]") {
  Future<std::int64_t> first, second, third;
  auto sum = first.then([&](const auto&) { return second; });
  STATIC_REQUIRE(std::is_same_v<decltype(sum), Future<std::int64_t>>);
  auto failed = first.then([&](const auto&) { return third; });
  first.mark_completed(1);
  CHECK_FALSE(sum.completed());
  second.mark_completed(2);
  CHECK(sum.value() == 2);
  third.set_error(error("inner"));
  CHECK_THROWS_WITH(failed.value(), "inner");
}

TEST_CASE("a future as a value is the same future", "[boxing][future]") {
  Future<std::int64_t> f;
  Value v = f;
  CHECK(v.kind() == ValueKind::Future);
  CHECK(type_words(v) == "Future(int)");
  CHECK(v.to_future() == f);
  CHECK(Future<std::int64_t>::from_value(v) == f);
  CHECK(v == Value(f));
  CHECK_FALSE(v == Value(Future<std::int64_t>()));
  CHECK(to_string(v) == "<Future(int): pending>");
  v.to_future().mark_completed(3);
  CHECK(f.value() == 3);
  CHECK(to_string(v) == "<Future(int): 3>");
  Future<> g;
  g.set_error(error("no"));
  CHECK(to_string(Value(g)) == "<Future(Any): error: no>");
  CHECK_ERROR(Future<Tensor>::from_value(v), TypeError, "Expected Future(Tensor) but got Future(int)");
  CHECK(Future<std::optional<std::int64_t>>::from_value(v).value() == 3);
  CHECK_ERROR(Value(1).to_future(), TypeError, "Expected Future but got Int");
}

TEST_CASE("many threads wait for and continue one future", "[boxing][future][threads]") {
  for (int round = 0; round < 20; ++round) {
    Future<std::int64_t> f;
    std::atomic<std::int64_t> sum{0}, continued{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&, mine = f] {
        auto next = mine.then([&](const auto& self) { return ++continued, self.value() + 1; });
        sum += mine.get() + next.get();
      });
    threads.emplace_back([mine = f] { mine.mark_completed(5); });
    for (auto& t : threads) t.join();
    CHECK(sum == 4 * 11);
    CHECK(continued == 4);
  }
}

TEST_CASE("of many threads that complete a future one succeeds", "[boxing][future][threads]") {
  for (int round = 0; round < 20; ++round) {
    Future<> f;
    std::atomic<int> refused{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&, i] {
        try {
          f.mark_completed(Value::list({Value(i)}));
        } catch (const ValueError&) { ++refused; }
      });
    f.wait();
    CHECK(f.value().to_list().size() == 1);
    for (auto& t : threads) t.join();
    CHECK(refused == 3);
  }
}

TEST_CASE("an await runs its function when it is first waited for", "[boxing][await]") {
  int runs = 0;
  Await<std::int64_t> a([&] { return ++runs; });
  CHECK(a.element_type() == "int");
  Value v = a;
  CHECK((v.kind() == ValueKind::Await && type_words(v) == "Await(int)"));
  CHECK(to_string(v) == "<Await(int): not yet run>");
  CHECK((!a.completed() && runs == 0));
  CHECK(v.to_await().wait() == Value(1));
  CHECK((a.completed() && a.wait() == 1 && runs == 1));
  CHECK(to_string(v) == "<Await(int): completed>");
  CHECK_ERROR(Await<Tensor>::from_value(v), TypeError, "Expected Await(Tensor) but got Await(int)");
}

TEST_CASE("an await keeps its error and refuses to wait for itself", "[boxing][await]") {
  int runs = 0;
  Await<> failing([&]() -> Value { throw std::runtime_error(std::to_string(++runs)); });
  CHECK_THROWS_WITH(failing.wait(), "1");
  CHECK_THROWS_WITH(failing.wait(), "1");
  std::optional<Await<std::int64_t>> self;
  self.emplace([&] { return self->wait(); });
  CHECK_ERROR(self->wait(), ValueError, "Await(int)::wait(): the function waits for its own result");
  Await<> other([] { return Value("text"); }, "int");
  CHECK_ERROR_CONTAINS(other.wait(), TypeError, "expected a value of type 'int', got type 'str'");
  CHECK_THROWS_AS(Await<>([] { return Value(); }, "nonsense"), SchemaError);
}

TEST_CASE("of many threads that wait for an await one runs the function", "[boxing][await][threads]") {
  for (int round = 0; round < 20; ++round) {
    int runs = 0;
    Await<std::int64_t> a([&] { return ++runs; });
    std::atomic<std::int64_t> sum{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&, mine = a] { sum += mine.wait(); });
    for (auto& t : threads) t.join();
    CHECK((sum == 4 && runs == 1));
  }
}
