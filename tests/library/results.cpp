// Results with names: a tuple to everybody, with a member for each name of the schema.
#include <tenon/library/results.hpp>

#include <tenon/boxing/convert.hpp>
#include <tenon/library/function.hpp>
#include <tenon/library/operators.hpp>

#include "registry_support.hpp"

using namespace support;

TENON_RESULT_NAME(lowest)

namespace {

TENON_OPERATOR(halves, "_results::halves(int a) -> (int values, int indices)");
TENON_OPERATOR(some, "_results::some(int a) -> (int lowest, int, int nobody_spelled)");
TENON_OPERATOR(pair, "_results::pair(int a) -> (int, int)");
TENON_OPERATOR(single, "_results::single(int a) -> (int values)");
TENON_OPERATOR(twice, "_results::twice(int a) -> (int values, int indices)");

template <class T>
concept has_values = requires(T t) {
  t.values;
};
template <class T>
concept has_nobody_spelled = requires(T t) {
  t.nobody_spelled;
};

struct Registered {
  Library m{Library::Kind::Def, "_results"};
  Registered() {
    m.def<halves>(), m.def<some>(), m.def<pair>(), m.def<single>(), m.def<twice>();
    m.impl<halves>([](std::int64_t a) { return std::tuple<std::int64_t, std::int64_t>(a / 2, a - a / 2); });
    m.impl<some>([](std::int64_t a) { return std::tuple<std::int64_t, std::int64_t, std::int64_t>(a, a + 1, a + 2); });
    m.impl<pair>([](std::int64_t a) { return std::tuple<std::int64_t, std::int64_t>(a, a); });
    m.impl<single>([](std::int64_t a) { return a; });
    // A kernel may return what a call gave it.
    m.impl<twice>([](std::int64_t a) { return halves(2 * a); });
  }
};

}  // namespace

TEST_CASE("a result has a member for each name of its schema", "[library][results]") {
  Registered registered;
  auto r = halves(7);
  CHECK(r.values == 3);
  CHECK(r.indices == 4);
  r.values = 10;
  CHECK(std::get<0>(r) == 10);
  CHECK(some(1).lowest == 1);
  CHECK(std::get<2>(some(1)) == 3);
  STATIC_REQUIRE(!has_nobody_spelled<decltype(some(1))>);
  STATIC_REQUIRE(std::is_same_v<decltype(pair(1)), std::tuple<std::int64_t, std::int64_t>>);
  STATIC_REQUIRE(std::is_same_v<decltype(single(1)), std::int64_t>);
}

TEST_CASE("a result with names is a tuple still", "[library][results]") {
  Registered registered;
  auto [values, indices] = halves(9);
  CHECK((values == 4 && indices == 5));
  std::int64_t a = 0, b = 0;
  std::tie(a, b) = halves(11);
  CHECK((a == 5 && b == 6));
  std::tuple<std::int64_t, std::int64_t> plain = halves(3);
  plain = halves(5);
  CHECK(plain == std::tuple<std::int64_t, std::int64_t>(2, 3));
  CHECK(std::apply([](auto x, auto y) { return x * y; }, halves(5)) == 6);
  CHECK(to_value(halves(5)).to_tuple()[1].to_int() == 3);
}

TEST_CASE("members of copies refer to the copies", "[library][results]") {
  Registered registered;
  auto r = halves(7);
  auto copy = r;
  copy.values = 100;
  CHECK(r.values == 3);
  r = halves(9);
  CHECK((r.values == 4 && std::get<0>(r) == 4));
  auto moved = std::move(copy);
  CHECK((moved.values == 100 && &moved.values == &std::get<0>(moved)));
  r = std::move(moved);
  CHECK(&r.values == &std::get<0>(r));
  std::vector<decltype(halves(1))> list;
  for (int i = 0; i < 20; ++i) list.push_back(halves(i));
  CHECK((list[13].values == 6 && list[13].indices == 7));
}

TEST_CASE("a kernel may return the result of a call", "[library][results]") {
  Registered registered;
  CHECK(twice(4).values == 4);
  Stack stack{Value(std::int64_t{5})};
  twice.handle().call_boxed(stack);
  CHECK(stack[1].to_int() == 5);
}
