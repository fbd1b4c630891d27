// What a profiler hears, on which thread, and what it makes of shapes, memory and ranges.
#include <tenon/profiler/profiler.hpp>

#include <chrono>
#include <thread>

#include <tenon/dispatch/call.hpp>
#include <tenon/profiler/table.hpp>
#include <tenon/tensor/create.hpp>

#include "registry_support.hpp"

using namespace support;
using namespace tenon::profiler;
using K = DispatchKey;

namespace {
Tensor inner(const Tensor& x) {
  Tensor taken = make_tensor({256}, {}, kFloat);
  auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
  while (std::chrono::steady_clock::now() < until) continue;
  return x;
}
Tensor outer(const Tensor& x) { return op("_test::inner").typed<Tensor(const Tensor&)>().call(x); }
struct Operators {
  PlainFallbacks fallbacks;
  Library m = fragment();
  Tensor x = make_tensor({2, 3}, {}, kFloat);
  Operators() {
    m.def("inner(Tensor x) -> Tensor").impl("inner", K::CPU, TENON_FN(&inner));
    m.def("outer(Tensor x) -> Tensor").impl("outer", K::CPU, TENON_FN(&outer));
  }
  void call(const char* name) { op(name).typed<Tensor(const Tensor&)>().call(x); }
};
std::vector<std::string> lines(const Profile& p, std::size_t track = 0) {
  std::vector<std::string> out;
  for (const Event& e : p.tracks.at(track).events)
    out.push_back(std::string(2 * e.depth, ' ') + p.names[e.name] + (e.range ? " (range)" : ""));
  return out;
}
using Lines = std::vector<std::string>;
}  // namespace

TEST_CASE("a profile holds the calls of its scope, nested, with times that nest too", "[profiler]") {
  Operators f;
  Profiler profiler;
  f.call("_test::outer");
  f.call("_test::inner");
  Profile p = profiler.profile();
  f.call("_test::inner");
  CHECK(lines(p) == Lines{"_test::outer", "  _test::inner", "_test::inner"});
  CHECK(lines(profiler.profile()) == lines(p));
  const auto& e = p.tracks[0].events;
  CHECK(e[0].begin <= e[1].begin);
  CHECK(e[1].end <= e[0].end);
  CHECK(e[1].end - e[1].begin >= 1'000'000);
  CHECK(e[2].begin >= e[0].end);
  CHECK(e[2].end <= p.duration);
  std::vector<Row> rows = rows_of(p);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "_test::inner");
  CHECK(rows[0].calls == 2);
  CHECK(rows[0].self == rows[0].total);
  CHECK(rows[1].total == e[0].end - e[0].begin);
  CHECK(rows[1].self == rows[1].total - (e[1].end - e[1].begin));
}

TEST_CASE("ranges name what runs inside them, and are nothing without a profile", "[profiler]") {
  Operators f;
  Range outside("nobody hears");
  Profiler profiler;
  {
    Range step("step");
    f.call("_test::inner");
  }
  f.call("_test::inner");
  CHECK(lines(profiler.profile()) == Lines{"step (range)", "  _test::inner", "_test::inner"});
}

TEST_CASE("what has not ended when the profile stops ends then", "[profiler]") {
  Profiler profiler;
  Range open("open");
  Profile p = profiler.profile();
  CHECK(p.tracks[0].events[0].end >= p.tracks[0].events[0].begin);
  CHECK(p.tracks[0].events[0].end <= p.duration);
}

TEST_CASE("threads that join have tracks of their own; others are not heard", "[profiler][threads]") {
  Operators f;
  Profiler profiler;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      if (t == 2) return f.call("_test::inner");
      Profiler::Thread joined(profiler, "worker");
      for (int i = 0; i <= t; ++i) f.call("_test::outer");
    });
  for (std::thread& t : threads) t.join();
  Profile p = profiler.profile();
  REQUIRE(p.tracks.size() == 3);
  CHECK(p.tracks[0].name == "main");
  CHECK(p.tracks[0].events.empty());
  CHECK(p.tracks[1].name == "worker");
  CHECK(p.tracks[1].events.size() + p.tracks[2].events.size() == 6);
}

TEST_CASE("shapes and memory are kept where they are asked for", "[profiler]") {
  Operators f;
  Profiler profiler({.shapes = true, .memory = true});
  f.call("_test::outer");
  f.x = make_tensor({5}, {}, kFloat);
  f.call("_test::outer");
  Profile p = profiler.profile();
  const auto& e = p.tracks[0].events;
  CHECK(p.shapes[e[0].shapes] == "[2, 3]");
  CHECK(p.shapes[e[3].shapes] == "[5]");
  CHECK(e[0].bytes == 0);
  CHECK(e[1].bytes == 1024);
  CHECK_FALSE(has_custom_allocator(DeviceType::CPU));
  CHECK(rows_of(p).size() == 2);
  CHECK(rows_of(p, true).size() == 4);
  CHECK(table(p, true).find("1.00 KiB  [2, 3]") != std::string::npos);
}

TEST_CASE("a call that throws ends, and profilers nest", "[profiler]") {
  Operators f;
  f.m.impl("inner", K::CUDA, [](const Tensor&) -> Tensor { fail<ValueError>("no"); });
  f.x = tensor_of(K::CUDA);
  Profiler first;
  {
    Profiler second;
    CHECK_THROWS_AS(f.call("_test::inner"), ValueError);
    CHECK(lines(second.profile()) == Lines{"_test::inner"});
  }
  CHECK_THROWS_AS(f.call("_test::inner"), ValueError);
  Profile p = first.profile();
  CHECK(lines(p) == Lines{"_test::inner", "_test::inner"});
}

TEST_CASE("without a profiler calls take the usual way", "[profiler]") {
  Operators f;
  auto is_usual = [] { return !op("_test::inner").entry().table().special; };
  Stack stack{f.x};
  op("_test::inner").call_boxed(stack);
  CHECK(is_usual());
  {
    Profiler profiler;
    CHECK_FALSE(is_usual());
  }
  stack = {f.x};
  op("_test::inner").call_boxed(stack);
  CHECK(is_usual());
}
