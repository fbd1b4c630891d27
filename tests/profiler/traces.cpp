// The texts, pictures and bytes that a profile of known times becomes.
#include <catch.hpp>

#include <tenon/profiler/chrome_trace.hpp>
#include <tenon/profiler/flame_graph.hpp>
#include <tenon/profiler/memory.hpp>
#include <tenon/profiler/perfetto_trace.hpp>
#include <tenon/profiler/table.hpp>

using namespace tenon::profiler;
using tenon::concat;

namespace {
/// A step of 4 us on one thread: `a` calls itself and `b`; on another thread a `b` of 1 us.
Profile sample() {
  Profile p{{"step \"1\"", "a", "b<c>"}, {"", "[2, 3]"}, {}, 5000};
  p.tracks.push_back({"main",
                      {{.begin = 0, .end = 4000, .name = 0, .range = true},
                       {.begin = 500, .end = 3500, .bytes = 2048, .name = 1, .shapes = 1, .depth = 1},
                       {.begin = 1000, .end = 2000, .name = 1, .depth = 2},
                       {.begin = 2500, .end = 3000, .name = 2, .depth = 2}}});
  p.tracks.push_back({"worker", {{.begin = 1500, .end = 2500, .name = 2}}});
  return p;
}

/// A call that recorded node 7, the call of its backward pass, and a block that is given back between them.
Profile with_backward() {
  Profile p{{"mm", "t"}, {""}, {}, 4000};
  p.tracks.push_back({"main",
                      {{.begin = 0, .end = 1000, .flops = 120, .recorded = 7, .name = 0},
                       {.begin = 2000, .end = 3000, .differentiates = 7, .name = 1},
                       {.begin = 2500, .end = 2600, .differentiates = 7, .name = 1, .depth = 1}}});
  p.blocks = {{.taken = 100, .released = 1500, .bytes = 64, .event = 0}, {.taken = 200, .bytes = 32}};
  return p;
}

/// A message's fields, in order: numbers, and bytes of what is longer.
struct Field {
  std::uint64_t number, value = 0;
  std::string bytes;
};
std::vector<Field> fields(const std::string& bytes) {
  std::vector<Field> out;
  std::size_t at = 0;
  auto varint = [&] {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      auto c = static_cast<unsigned char>(bytes.at(at++));
      value |= std::uint64_t{c & 0x7fu} << shift;
      if (c < 0x80) return value;
    }
  };
  while (at < bytes.size()) {
    std::uint64_t head = varint();
    Field f{head >> 3, 0, {}};
    if ((head & 7) == 1) {
      for (int i = 0; i < 8; ++i) f.value |= std::uint64_t{static_cast<unsigned char>(bytes.at(at++))} << (8 * i);
      out.push_back(f);
      continue;
    }
    f.value = varint();
    if ((head & 7) == 2) {
      f.bytes = bytes.substr(at, f.value);
      REQUIRE(f.bytes.size() == f.value);
      at += f.value;
    } else {
      REQUIRE((head & 7) == 0);
    }
    out.push_back(f);
  }
  return out;
}
const Field* find(const std::vector<Field>& list, std::uint64_t number) {
  for (const Field& f : list)
    if (f.number == number) return &f;
  return nullptr;
}
}  // namespace

TEST_CASE("the table has self and total times, and counts a call inside its own kind once", "[profiler][table]") {
  CHECK(table(sample()) ==
        "Name      Self %      Self     Total  Calls      Mean  Self memory\n"
        "a         50.00%  2.500 us  3.000 us      2  1.500 us     2.00 KiB\n"
        "b<c>      30.00%  1.500 us  1.500 us      2  0.750 us          0 B\n"
        "step \"1\"  20.00%  1.000 us  4.000 us      1  4.000 us          0 B\n"
        "Self time: 5.000 us of 5.000 us\n");
  std::string some = table(sample(), true, 1);
  CHECK(some ==
        "Name  Self %      Self     Total  Calls      Mean  Self memory  Shapes\n"
        "a     30.00%  1.500 us  3.000 us      1  3.000 us     2.00 KiB  [2, 3]\n"
        "Self time: 5.000 us of 5.000 us\n");
  CHECK(table(Profile{}) == "Name  Self %  Self  Total  Calls  Mean\nSelf time: 0.000 us of 0.000 us\n");
}

TEST_CASE("Chrome's trace is JSON with a complete event for each call", "[profiler][chrome]") {
  CHECK(chrome_trace(sample()) == R"({"displayTimeUnit":"ns","traceEvents":[
{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"main"}},
{"name":"step \"1\"","cat":"range","ph":"X","pid":1,"tid":1,"ts":0.000,"dur":4.000},
{"name":"a","cat":"operator","ph":"X","pid":1,"tid":1,"ts":0.500,"dur":3.000,"args":{"shapes":"[2, 3]","bytes":2048}},
{"name":"a","cat":"operator","ph":"X","pid":1,"tid":1,"ts":1.000,"dur":1.000},
{"name":"b<c>","cat":"operator","ph":"X","pid":1,"tid":1,"ts":2.500,"dur":0.500},
{"name":"thread_name","ph":"M","pid":1,"tid":2,"args":{"name":"worker"}},
{"name":"b<c>","cat":"operator","ph":"X","pid":1,"tid":2,"ts":1.500,"dur":1.000}
]}
)");
  CHECK(chrome_trace(Profile{}) == "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]}\n");
  Profile odd{{"tab\t\x01"}, {""}, {{"", {{.begin = 1, .end = 2}}}}, 2};
  CHECK(chrome_trace(odd).find("\"tab\\u0009\\u0001\"") != std::string::npos);
}

TEST_CASE("Chrome's trace has arrows to backward passes, operations, and memory", "[profiler][chrome]") {
  CHECK(chrome_trace(with_backward()) == R"({"displayTimeUnit":"ns","traceEvents":[
{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"main"}},
{"name":"mm","cat":"operator","ph":"X","pid":1,"tid":1,"ts":0.000,"dur":1.000,"args":{"flops":120}},
{"name":"t","cat":"operator","ph":"X","pid":1,"tid":1,"ts":2.000,"dur":1.000},
{"name":"t","cat":"operator","ph":"X","pid":1,"tid":1,"ts":2.500,"dur":0.100},
{"name":"backward","cat":"backward","ph":"s","id":1,"pid":1,"tid":1,"ts":0.000},
{"name":"backward","cat":"backward","ph":"f","bp":"e","id":1,"pid":1,"tid":1,"ts":2.000},
{"name":"memory","ph":"C","pid":1,"ts":0.100,"args":{"bytes":64}},
{"name":"memory","ph":"C","pid":1,"ts":0.200,"args":{"bytes":96}},
{"name":"memory","ph":"C","pid":1,"ts":1.500,"args":{"bytes":32}}
]}
)");
}

TEST_CASE("the table has operations and their rate, memory who held the most", "[profiler][table]") {
  CHECK(table(with_backward()) ==
        "Name  Self %      Self     Total  Calls      Mean  Flops   Flops/s\n"
        "mm    50.00%  1.000 us  1.000 us      1  1.000 us    120  120.00 M\n"
        "t     50.00%  1.000 us  1.000 us      2  0.500 us\n"
        "Self time: 2.000 us of 4.000 us\n");
  CHECK(memory_table(with_backward()) ==
        "Most memory: 96 B at 0.200 us of 4.000 us\n"
        "        64 B in 1 block: mm\n"
        "        32 B in 1 block: no call\n");
  CHECK(memory_table(Profile{}) == "Most memory: 0 B at 0.000 us of 0.000 us\n");
}

TEST_CASE("Perfetto's trace has flows to backward passes, and a counter of memory", "[profiler][perfetto]") {
  std::vector<std::string> lines;
  std::uint64_t counter = 0;
  for (const Field& packet : fields(perfetto_trace(with_backward()))) {
    std::vector<Field> p = fields(packet.bytes);
    if (const Field* track = find(p, 60))
      if (std::vector<Field> t = fields(track->bytes); find(t, 8)) {
        counter = find(t, 1)->value;
        lines.push_back(find(t, 2)->bytes);
      }
    const Field* event = find(p, 11);
    if (!event) continue;
    std::vector<Field> e = fields(event->bytes);
    std::string line = concat(find(p, 8)->value, ":");
    for (auto [number, name] : {std::pair{47, " leaves "}, {48, " arrives "}, {30, " memory "}})
      if (const Field* f = find(e, static_cast<std::uint64_t>(number))) line += concat(name, f->value);
    if (find(e, 9)->value == 4) CHECK(find(e, 11)->value == counter);
    if (line.back() != ':') lines.push_back(line);
  }
  CHECK(lines == std::vector<std::string>{"0: leaves 1", "2000: arrives 1", "memory", "100: memory 64",
                                          "200: memory 96", "1500: memory 32"});
}

TEST_CASE("Perfetto's trace has names once, begins and ends in order, and few bytes", "[profiler][perfetto]") {
  std::string bytes = perfetto_trace(sample());
  std::vector<std::string> lines;
  for (const Field& packet : fields(bytes)) {
    REQUIRE(packet.number == 1);
    std::vector<Field> p = fields(packet.bytes);
    if (const Field* names = find(p, 12))
      for (const Field& name : fields(names->bytes))
        if (name.number == 2) {
          std::vector<Field> n = fields(name.bytes);
          lines.push_back(std::to_string(find(n, 1)->value) + " is " + find(n, 2)->bytes);
        }
    const Field* event = find(p, 11);
    if (!event) continue;
    std::vector<Field> e = fields(event->bytes);
    const Field* name = find(e, 10);
    lines.push_back(std::to_string(find(p, 10)->value) + ": " + (find(e, 9)->value == 1 ? "begin " : "end ") +
                    (name ? std::to_string(name->value) + " " : "") + "at " + std::to_string(find(p, 8)->value));
  }
  CHECK(lines == std::vector<std::string>{"1 is step \"1\"", "2 is a", "3 is b<c>", "1: begin 1 at 0",
                                          "1: begin 2 at 500", "1: begin 2 at 1000", "1: end at 2000",
                                          "1: begin 3 at 2500", "1: end at 3000", "1: end at 3500", "1: end at 4000",
                                          "3 is b<c>", "2: begin 3 at 1500", "2: end at 2500"});
  // An hour of calls in the second minute: the most bytes that times take.
  Profile many{{"op"}, {""}, {{"main", {}}}, 0};
  for (int i = 0; i < 1000; ++i) {
    std::int64_t begin = 3'600'000'000'000 + 10 * i;
    many.tracks[0].events.push_back({.begin = begin, .end = begin + 5});
  }
  CHECK(perfetto_trace(many).size() <= 40 * 1000 + 200);
}

TEST_CASE("a flame graph has a box for each way to an operator, as wide as its time", "[profiler][flame]") {
  std::string svg = flame_graph(sample());
  CHECK(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 72\"", 0) == 0);
  CHECK(svg.find("width=\"1200.00\" height=\"18\"") != std::string::npos);
  // 4 of 5 us of all threads.
  CHECK(svg.find("x=\"0.00\" y=\"36\" width=\"960.00\"") != std::string::npos);
  CHECK(svg.find("<title>step &quot;1&quot;: 1 calls, 4.000 us</title>") != std::string::npos);
  CHECK(svg.find("<title>b&lt;c&gt;: 1 calls, 0.500 us</title>") != std::string::npos);
  std::size_t boxes = 0;
  for (std::size_t at = 0; (at = svg.find("<rect", at)) != std::string::npos; ++at) ++boxes;
  CHECK(boxes == 6);
  CHECK(flame_graph(Profile{}).find("all threads") != std::string::npos);
}
