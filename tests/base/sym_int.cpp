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

namespace {
// The words that stand for expressions.
constexpr auto first_word = static_cast<std::int64_t>(0x9a5d000000000000u),
               last_word = static_cast<std::int64_t>(0x9a5dffffffffffffu);
}  // namespace

TEST_CASE("every plain value is held but the words of expressions", "[base][sym_int]") {
  constexpr std::int64_t below_2_62 = -(std::int64_t{1} << 62) - 1;
  for (std::int64_t v : {INT64_MIN, INT64_MIN + 1, below_2_62, INT64_MAX, first_word - 1, last_word + 1}) {
    CHECK_FALSE(SymInt(v).is_symbolic());
    CHECK(SymInt(v).expect_int() == v);
  }
  CHECK_ERROR(SymInt(first_word), ValueError,
              "SymInt: -7323697419034558464 cannot be held: its word stands for expressions");
  CHECK_THROWS_AS(SymInt(last_word), ValueError);
  CHECK_THROWS_AS(SymInt(last_word + 1) - SymInt(1), ValueError);
  CHECK(SymInt(std::uint64_t{7}) == 7);
  CHECK_ERROR(SymInt(std::uint64_t{1} << 63), ValueError,
              "SymInt: 9223372036854775808 is above 2^63 - 1 and cannot be held");
}

TEST_CASE("arithmetic of plain values that leaves int64_t is refused", "[base][sym_int]") {
  SymInt least = INT64_MIN, most = INT64_MAX;
  CHECK_ERROR(most + 1, ValueError, "SymInt: 9223372036854775807 + 1 is outside the range of int64_t");
  CHECK_THROWS_AS(least - 1, ValueError);
  CHECK_THROWS_AS(most * 2, ValueError);
  CHECK_ERROR(least / -1, ValueError, "SymInt: -9223372036854775808 // -1 is outside the range of int64_t");
  CHECK(least % -1 == 0);
  CHECK(most / -1 == -INT64_MAX);
  CHECK_ERROR(least % 0, ValueError, "SymInt: division of -9223372036854775808 by zero");
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
  CHECK(maybe_as_ints(as_sym_ints(IntArrayRef{INT64_MIN, 1})));
  std::vector<std::string> guards;
  std::vector<SymInt> mixed{2, symbol(4, "s0", guards)};
  CHECK_FALSE(maybe_as_ints(mixed));
  CHECK_THROWS_AS(expect_ints(mixed), TypeError);
}

TEST_CASE("no list of integers makes an expression", "[base][sym_int]") {
  std::vector<std::int64_t> list{2, last_word};
  const char* text =
      "IntArrayRef contains an int that cannot be represented as a SymInt: -7323415944057847809 at index 1";
  CHECK_ERROR(as_sym_ints(list), ValueError, text);
  CHECK_ERROR(SymIntArrayRef(list), ValueError, text);
  CHECK_ERROR((SymIntArrayRef{std::int64_t{2}, last_word}), ValueError, text);
  CHECK_THROWS_AS(SymIntArrayRef(first_word), ValueError);
}
