#include <cstdint>
#include <string>
#include <vector>

#include <tenon/base/sym_int.hpp>

#include <catch.hpp>

using namespace tenon;

namespace {
int alive = 0;

/// An expression with a known value that prints what it was made of.
struct Example : SymNode {
  Example(std::int64_t value, std::string text, std::vector<std::string>* guards)
      : value(value), text(std::move(text)), guards(guards) {
    ++alive;
  }
  ~Example() override { --alive; }
  intrusive_ptr<SymNode> wrap(std::int64_t v) const override {
    return make_intrusive<Example>(v, std::to_string(v), guards);
  }
  intrusive_ptr<SymNode> apply(Op op, const SymNode& right) const override {
    static constexpr const char* names[] = {"+", "-", "*", "//", "%", "min", "max"};
    auto& r = static_cast<const Example&>(right);
    return make_intrusive<Example>(SymInt::plain(value, r.value, op),
                                   concat("(", text, names[static_cast<int>(op)], r.text, ")"), guards);
  }
  bool guard(Compare compare, const SymNode& right) const override {
    auto& r = static_cast<const Example&>(right);
    bool result = SymInt::compare_plain(value, r.value, compare);
    guards->push_back(concat(text, "?", r.text, "=", result));
    return result;
  }
  std::int64_t guard_int(const char*, int) const override {
    guards->push_back(concat(text, "==", value));
    return value;
  }
  std::string str() const override { return text; }
  std::int64_t value;
  std::string text;
  std::vector<std::string>* guards;
};

SymInt symbol(std::int64_t value, const char* name, std::vector<std::string>& guards) {
  return SymInt(make_intrusive<Example>(value, name, &guards));
}
}  // namespace

TEST_CASE("a plain symbolic integer behaves as its value", "[base][sym_int]") {
  SymInt a = 7, b = -2;
  CHECK_FALSE(a.is_symbolic());
  CHECK(a.maybe_as_int() == 7);
  CHECK(a.expect_int() == 7);
  CHECK(a.guard_int() == 7);
  CHECK(a + b == 5);
  CHECK(a - b == 9);
  CHECK(a * b == -14);
  CHECK(a / b == -4);
  CHECK(a % b == -1);
  CHECK(min(a, b) == -2);
  CHECK(max(a, b) == 7);
  CHECK(b < a);
  CHECK(a >= 7);
  CHECK(a != b);
  CHECK(to_string(b) == "-2");
  CHECK(SymInt() == 0);
}

TEST_CASE("division and remainder round towards minus infinity in every quadrant", "[base][sym_int]") {
  for (std::int64_t a : {-7, -6, 0, 6, 7})
    for (std::int64_t b : {-3, 3}) {
      auto q = (SymInt(a) / SymInt(b)).expect_int(), r = (SymInt(a) % SymInt(b)).expect_int();
      CHECK(q * b + r == a);
      CHECK((b > 0 ? 0 <= r && r < b : b < r && r <= 0));
    }
  CHECK_ERROR(SymInt(1) / SymInt(0), ValueError, "SymInt: division of 1 by zero");
}

TEST_CASE("the whole range of plain values is held, and below it is refused", "[base][sym_int]") {
  std::int64_t least = -(std::int64_t{1} << 62);
  CHECK(SymInt(least).expect_int() == least);
  CHECK(SymInt(INT64_MAX).expect_int() == INT64_MAX);
  CHECK_ERROR(SymInt(least - 1), ValueError, "SymInt: -4611686018427387905 is below -2^62 and cannot be held");
  CHECK_THROWS_AS(SymInt(least) - SymInt(1), ValueError);
}

TEST_CASE("expressions are counted, computed and printed", "[base][sym_int]") {
  std::vector<std::string> guards;
  {
    SymInt s = symbol(4, "s0", guards);
    CHECK(s.is_symbolic());
    CHECK_FALSE(s.maybe_as_int());
    SymInt copy = s, moved = std::move(copy), sum = moved + 1, product = 2 * s;
    CHECK(to_string(sum) == "(s0+1)");
    CHECK(to_string(product) == "(2*s0)");
    CHECK(to_string(max(s, sum)) == "(s0max(s0+1))");
    CHECK(guards.empty());
    copy = sum;
    const SymInt& same = copy;
    copy = same;
    CHECK(to_string(copy) == "(s0+1)");
  }
  CHECK(alive == 0);
}

TEST_CASE("comparing an expression records a guard", "[base][sym_int]") {
  std::vector<std::string> guards;
  SymInt s = symbol(4, "s0", guards);
  CHECK(s == 4);
  CHECK(SymInt(5) > s);
  CHECK(s.guard_int(__FILE__, __LINE__) == 4);
  CHECK(guards == std::vector<std::string>{"s0?4=True", "5?s0=True", "s0==4"});
}

TEST_CASE("asking an expression for a plain value is refused with its text", "[base][sym_int]") {
  std::vector<std::string> guards;
  SymInt s = symbol(4, "s0", guards);
  CHECK_ERROR_CONTAINS(s.expect_int("view(): argument 'size'"), TypeError,
                       "view(): argument 'size': expected a plain int, got the symbolic value s0");
}

TEST_CASE("lists of plain integers pass as symbolic ones and back without a copy", "[base][sym_int]") {
  std::vector<std::int64_t> sizes{2, 3};
  auto symbolic = as_sym_ints(sizes);
  CHECK(symbolic[1] == 3);
  CHECK(static_cast<const void*>(symbolic.data()) == sizes.data());
  CHECK(maybe_as_ints(symbolic)->data() == sizes.data());
  CHECK(expect_ints(symbolic) == IntArrayRef(sizes));
  std::vector<std::string> guards;
  std::vector<SymInt> mixed{2, symbol(4, "s0", guards)};
  CHECK_FALSE(maybe_as_ints(mixed));
  CHECK_THROWS_AS(expect_ints(mixed), TypeError);
}
