// What a profiler hears, on which thread, and what it makes of shapes, memory and ranges.
#include <tenon/profiler/profiler.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include <tenon/dispatch/call.hpp>
#include <tenon/profiler/memory.hpp>
#include <tenon/profiler/table.hpp>
#include <tenon/tenon.hpp>

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
  CHECK(e[1].end - e[1].begin >= 900'000);  // a millisecond by the clock, whose speed the profile measures
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

namespace {
/// The flops of each event that has some, by its name.
std::vector<std::pair<std::string, std::int64_t>> flops(std::function<void()> calls) {
  Profiler profiler({.flops = true});
  calls();
  Profile p = profiler.profile();
  std::vector<std::pair<std::string, std::int64_t>> out;
  for (const Event& e : p.tracks[0].events)
    if (e.flops && (out.empty() || e.depth == 0 || p.names[e.name] != out.back().first))
      out.emplace_back(p.names[e.name], e.flops);
  return out;
}
Tensor convolve(const Tensor& x, const Tensor& weight, DimVector padding, DimVector dilation, bool transposed,
                std::int64_t groups = 1) {
  DimVector two{2, 2}, none{0, 0};
  return ops::convolution(x, weight, std::nullopt, IntArrayRef(two), IntArrayRef(padding), IntArrayRef(dilation),
                          transposed, IntArrayRef(none), groups);
}
}  // namespace

// Numbers: torch.utils.flop_counter of PyTorch 2.15, which does not know products with vectors.
TEST_CASE("operations of products and convolutions are counted from their arguments", "[profiler][flops]") {
  auto is = [](std::function<void()> call, const char* name, std::int64_t count) {
    auto found = flops(call);
    REQUIRE_FALSE(found.empty());
    CHECK(found[0] == std::pair<std::string, std::int64_t>(name, count));
  };
  Tensor a = ops::ones({3, 4}), b = ops::ones({4, 5}), as = ops::ones({2, 3, 4}), bs = ops::ones({2, 4, 5});
  is([&] { ops::mm(a, b); }, "aten::mm", 120);
  is([&] { ops::addmm(ops::ones({5}), a, b); }, "aten::addmm", 120);
  is([&] { ops::bmm(as, bs); }, "aten::bmm", 240);
  is([&] { ops::baddbmm(ops::ones({2, 3, 5}), as, bs); }, "aten::baddbmm", 240);
  is([&] { ops::mv(a, ops::ones({4})); }, "aten::mv", 24);
  is([&] { ops::dot(ops::ones({4}), ops::ones({4})); }, "aten::dot", 8);
  CHECK(flops([&] { ops::add(a, a); }).empty());
  CHECK(flops([&] { ops::mm(a, ops::ones({4, 0})); }).empty());
  Tensor x = ops::ones({2, 3, 8, 9}, "requires_grad"_a = true), w = ops::ones({4, 3, 3, 2}, "requires_grad"_a = true),
         t = ops::ones({3, 4, 3, 2}, "requires_grad"_a = true);
  for (auto [transposed, forward] : {std::pair{false, 5760}, {true, 20736}}) {
    auto found = flops([&, transposed = transposed] {
      Tensor y = transposed ? convolve(x, t, {0, 0}, {1, 1}, true) : convolve(x, w, {1, 1}, {1, 2}, false);
      y.sum().backward();
    });
    std::int64_t backward = 0;
    for (const auto& [name, count] : found)
      if (name == "aten::convolution_backward") backward = count;
    REQUIRE_FALSE(found.empty());
    CHECK(found[0] == std::pair<std::string, std::int64_t>("aten::convolution", forward));
    CHECK(backward == 2 * forward);
  }
  // In two groups half of the weights meet each place.
  Tensor half = ops::ones({4, 2, 3, 2});
  is(
      [&] {
        convolve(ops::ones({2, 4, 8, 9}), half, {1, 1}, {1, 2}, false, 2);
      },
      "aten::convolution", 2 * 2 * (4 * 5) * (4 * 2 * 3 * 2));
}

TEST_CASE("arrows lead from a call to the first of its backward pass", "[profiler][arrows]") {
  Tensor x = ops::ones({3}, "requires_grad"_a = true), w = ops::ones({3});
  Profiler profiler;
  {
    Range range("forward");
    Tensor loss = ops::sum(ops::exp(ops::mul(x, w)));
    Range inner("backward");
    loss.backward();
  }
  ops::add(w, w);
  Profile p = profiler.profile();
  const Track& track = p.tracks[0];
  std::size_t backward = 0;
  while (p.names[track.events[backward].name] != "backward") ++backward;
  std::vector<std::string> from;
  std::vector<std::size_t> to;
  for (const Arrow& arrow : arrows_of(track)) {
    from.push_back(p.names[track.events[arrow.from].name]);
    to.push_back(arrow.to);
    CHECK(arrow.from < backward);
    CHECK(arrow.to > backward);
    CHECK(track.events[arrow.from].recorded == track.events[arrow.to].differentiates);
  }
  CHECK(from == Lines{"aten::sum", "aten::exp", "aten::mul.Tensor"});
  CHECK(std::is_sorted(to.begin(), to.end()));
  CHECK(track.events.back().differentiates == 0);
}

TEST_CASE("the memory of a profile by time and by who holds it", "[profiler][memory]") {
  Tensor kept;
  Profiler profiler({.memory = true});
  {
    Range range("step");
    kept = ops::ones({1000});
    Tensor gone = ops::ones({500});
    {
      Range range("inner");
      Tensor more = ops::exp(kept);
    }
    gone = Tensor();
  }
  Tensor late = make_tensor({100}, {}, kFloat);
  Profile p = profiler.profile();
  MemoryPoint peak = memory_peak(p);
  CHECK(peak.bytes == 10'000);
  CHECK(memory_timeline(p).back().bytes == 4'400);
  std::vector<MemorySite> sites = memory_sites(p, peak.when);
  REQUIRE(sites.size() == 2);
  CHECK(sites[0].path.rfind("step > aten::ones", 0) == 0);
  CHECK(sites[0].blocks == 2);
  CHECK(sites[0].bytes == 6'000);
  CHECK(sites[1].path.rfind("step > inner > aten::exp", 0) == 0);
  std::vector<MemorySite> end = memory_sites(p, p.duration);
  REQUIRE(end.size() == 2);
  CHECK(end[0].bytes == 4'000);
  CHECK(end[1].path.empty());
  CHECK(memory_table(p).find("    5.86 KiB in 2 blocks: step > aten::ones") != std::string::npos);
  // What outlives the profile is given back to nobody who listens.
  kept = Tensor();
  CHECK(memory_timeline(profiler.profile()).back().bytes == 4'400);
}

TEST_CASE("profiles of memory on several threads end in any order", "[profiler][threads]") {
  auto first = std::make_unique<Profiler>(Options{.memory = true});
  std::unique_ptr<Profiler> second;
  std::atomic<int> turn{0};
  Profile other;
  std::thread thread([&] {
    second = std::make_unique<Profiler>(Options{.memory = true});
    turn = 1;
    while (turn != 2) std::this_thread::yield();
    Tensor kept = ops::ones({100, 100});
    other = second->profile();
    second.reset();
  });
  while (turn != 1) std::this_thread::yield();
  Tensor own = ops::ones({10, 10});
  CHECK(first->profile().blocks.size() == 1);
  first.reset();
  turn = 2;
  thread.join();
  REQUIRE(other.blocks.size() == 1);
  CHECK(other.blocks[0].bytes == 40000);
  CHECK(ops::ones({10, 10}).sum().item<double>() == 100);
}

TEST_CASE("rows are ordered by what is asked for", "[profiler][table]") {
  // Times in nanoseconds: a runs twice for 40 each with a b of 30 inside the first, c once for 60.
  auto event = [](std::uint32_t name, std::int64_t begin, std::int64_t end, std::uint32_t depth, std::int64_t bytes,
                  std::int64_t flops) {
    Event e;
    e.name = name;
    e.begin = begin;
    e.end = end;
    e.depth = depth;
    e.bytes = bytes;
    e.flops = flops;
    return e;
  };
  Profile p{{"a", "b", "c"}, {""}, {{"main", {}}}, 200};
  p.tracks[0].events = {event(0, 0, 40, 0, 8, 0), event(1, 5, 35, 1, 16, 7), event(0, 50, 90, 0, 0, 5),
                        event(2, 100, 160, 0, 0, 6)};
  auto order = [&](SortBy by) {
    std::string names;
    for (const Row& row : rows_of(p, false, by)) names += row.name;
    return names;
  };
  CHECK(order(SortBy::Self) == "cab");   // 60, 50, 30
  CHECK(order(SortBy::Total) == "acb");  // 80, 60, 30
  CHECK(order(SortBy::Mean) == "cab");   // 60, 40, 30
  CHECK(order(SortBy::Calls) == "abc");
  CHECK(order(SortBy::Memory) == "bac");
  CHECK(order(SortBy::Flops) == "bca");
  CHECK(order(SortBy::Name) == "abc");
  // `a` is called on its own and inside of `b`: two rows of one operator.
  p.tracks[0].events.push_back(event(1, 170, 190, 0, 0, 0));
  p.tracks[0].events.push_back(event(0, 172, 180, 1, 0, 0));
  p.tracks[0].events.push_back(event(2, 174, 175, 2, 0, 0));
  std::vector<std::string> places;
  for (const Row& row : rows_of(p, {.sort_by = SortBy::Name, .by_sites = true}))
    places.push_back(row.name + " in " + row.site + ", " + std::to_string(row.self));
  CHECK(places ==
        std::vector<std::string>{"a in , 50", "a in b, 7", "b in , 12", "b in a, 30", "c in , 60", "c in b > a, 1"});
  CHECK(table(p, {.by_sites = true}).find("  b > a\n") != std::string::npos);
  CHECK(table(p, false).find("Inside") == std::string::npos);
  p.tracks[0].events.resize(4);
  std::string text = table(p, {.most = 2, .sort_by = SortBy::Total});
  CHECK(text.find("\na ") < text.find("\nc "));
  CHECK(text.find("\nb ") == std::string::npos);
}
