// Symbolic integers as expressions.
#include <tenon/base/sym_expr.hpp>

#include <catch.hpp>

using namespace tenon;

TEST_CASE("sums and products have one form", "[base][sym_expr]") {
  auto env = make_intrusive<SymEnv>();
  SymInt a = env->symbol(4), b = env->symbol(6);
  CHECK(to_string(a) == "s0");
  CHECK(to_string(a + b - a) == "s1");
  CHECK(to_string(b * a + a * b) == "2*s0*s1");
  CHECK(to_string((a + 1) * (a - 1)) == "s0*s0 - 1");
  CHECK(to_string(3 - a) == "-s0 + 3");
  CHECK_FALSE((a - a).is_symbolic());
  CHECK((a * 0 + 5).as_int_unchecked() == 5);
  CHECK(env->guards().empty());
}

TEST_CASE("division, remainder and extremes are simplified where that holds for all values", "[base][sym_expr]") {
  auto env = make_intrusive<SymEnv>();
  SymInt a = env->symbol(5);
  CHECK(to_string((a * 6 + 3) / 3) == "2*s0 + 1");
  CHECK((a * 6) % 3 == 0);
  CHECK(to_string(a / 2) == "(s0//2)");
  CHECK(to_string((a + 1) % 2 + 1) == "((s0 + 1)%2) + 1");
  CHECK(to_string(max(a, a + 2)) == "s0 + 2");
  CHECK(to_string(min(a + 2, a)) == "s0");
  CHECK(to_string(max(a, SymInt(1))) == "max(s0, 1)");
  CHECK((a / 2).guard_int() == 2);
  CHECK_ERROR_CONTAINS(a / 0, ValueError, "by zero");
}

TEST_CASE("a decision by value is a guard, one that always holds is none", "[base][sym_expr]") {
  auto env = make_intrusive<SymEnv>();
  SymInt a = env->symbol(4), b = env->symbol(6);
  CHECK(a + 1 > a);
  CHECK(a == a);
  CHECK(env->guards().empty());
  CHECK(a < b);
  CHECK(a < b);
  CHECK_FALSE(a + 2 != b);
  CHECK(b.guard_int("shape.cpp", 7) == 6);
  REQUIRE(env->guards().size() == 3);
  CHECK(env->guards()[0].text == "s0 < s1");
  CHECK(env->guards()[1].text == "s0 + 2 == s1");
  CHECK(env->guards()[2].text == "s1 == 6");
  CHECK(env->guards()[2].place == "shape.cpp:7");
  CHECK(env->holds_for({4, 6}));
  CHECK_FALSE(env->holds_for({5, 6}));
  CHECK_THROWS_AS(env->holds_for({4}), ValueError);
}

TEST_CASE("symbols of two traces do not mix", "[base][sym_expr]") {
  auto one = make_intrusive<SymEnv>(), two = make_intrusive<SymEnv>();
  CHECK_THROWS_AS(one->symbol(1) + two->symbol(1), ValueError);
}

TEST_CASE("what follows from a guard is no guard of its own", "[base][sym_expr]") {
  auto env = make_intrusive<SymEnv>();
  SymInt a = env->symbol(4), b = env->symbol(6);
  CHECK(a > 0);
  CHECK(2 * a + 1 > 0);
  CHECK(a >= 1);
  CHECK(a != 0);
  CHECK_FALSE(-1 * a > 0);
  CHECK_FALSE(3 * a <= 2);
  CHECK(to_string(max(a, SymInt(1))) == "s0");
  CHECK(to_string(min(SymInt(0), a)) == "0");
  CHECK(env->guards().size() == 1);
  CHECK(a * b > 0);
  CHECK(env->guards().back().text == "s0*s1 > 0");
  CHECK(0 < b);
  CHECK(a * b + a > 1);
  CHECK(env->guards().back().text == "0 < s1");
  CHECK(a + b > 3);
  CHECK(env->guards().back().text == "s0 + s1 > 3");
}

TEST_CASE("a product is divided by its factors", "[base][sym_expr]") {
  auto env = make_intrusive<SymEnv>();
  SymInt a = env->symbol(5), b = env->symbol(3);
  CHECK(to_string((a * b * 6 + a * 4) / (a * 2)) == "3*s1 + 2");
  CHECK((a * b) % a == 0);
  CHECK(to_string((a * b + 1) / a) == "((s0*s1 + 1)//s0)");
  CHECK(env->guards().empty());
}

TEST_CASE("an operand of a division that is no single factor stands in parentheses", "[base][sym_expr]") {
  auto env = make_intrusive<SymEnv>();
  SymInt a = env->symbol(12), b = env->symbol(2);
  CHECK(to_string(a / (b * 2)) == "(s0//(2*s1))");
  CHECK(to_string(a / 2 * b) == "(s0//2)*s1");
  CHECK(to_string(a / (b * b)) == "(s0//(s1*s1))");
  CHECK(to_string((3 * a) % b) == "((3*s0)%s1)");
  CHECK(to_string(-1 * a / b) == "((-s0)//s1)");
  CHECK(to_string(a / b % -4) == "((s0//s1)%-4)");
  CHECK(a / (b * 2) == 3);
  CHECK(env->guards()[0].text == "(s0//(2*s1)) == 3");
}

TEST_CASE("values for which a guard has no result do not fulfil it", "[base][sym_expr]") {
  auto env = make_intrusive<SymEnv>();
  SymInt a = env->symbol(6), b = env->symbol(2);
  CHECK(a / b == 3);
  CHECK(a % b == 0);
  CHECK(a * b != 0);
  CHECK(env->holds_for({9, 3}));
  CHECK_FALSE(env->holds_for({INT64_MIN, -1}));
  CHECK_FALSE(env->holds_for({6, 0}));
  CHECK_FALSE(env->holds_for({INT64_MAX, INT64_MAX}));
  CHECK_THROWS_AS(env->holds_for({6}), ValueError);
}

TEST_CASE("hints at the ends of the range neither trap nor wrap", "[base][sym_expr]") {
  auto env = make_intrusive<SymEnv>();
  SymInt a = env->symbol(INT64_MIN), b = env->symbol(-1);
  CHECK_ERROR(
      a / b == 3, ValueError,
      "SymInt: (s0//s1) has no value in int64_t where the symbols are [-9223372036854775808, -1]: a division by zero or an overflow");
  CHECK((a % b).guard_int() == 0);
  CHECK(a == INT64_MIN);
  CHECK(a < INT64_MAX);
  CHECK(to_string(b + INT64_MIN) == "s1 - 9223372036854775808");
  CHECK((b + 1) * INT64_MIN % -1 == 0);
  CHECK_THROWS_AS(b * INT64_MIN / -1, ValueError);
}

TEST_CASE("each comparison is recorded as it came out, and holds where it comes out so", "[base][sym_expr]") {
  struct Case {
    bool (*compare)(const SymInt&, const SymInt&);
    const char* text;
    bool less, equal, greater;  // whether the guard holds where the first is so
  };
  const Case cases[] = {
      {[](const SymInt& a, const SymInt& b) { return a < b; }, "s0 < s1", true, false, false},
      {[](const SymInt& a, const SymInt& b) { return a <= b; }, "s0 <= s1", true, true, false},
      {[](const SymInt& a, const SymInt& b) { return a > b; }, "s0 <= s1", true, true, false},
      {[](const SymInt& a, const SymInt& b) { return a >= b; }, "s0 < s1", true, false, false},
      {[](const SymInt& a, const SymInt& b) { return a == b; }, "s0 != s1", true, false, true},
      {[](const SymInt& a, const SymInt& b) { return a != b; }, "s0 != s1", true, false, true},
  };
  for (const Case& c : cases) {
    auto env = make_intrusive<SymEnv>();
    SymInt a = env->symbol(4), b = env->symbol(6);
    c.compare(a, b);
    c.compare(a, b);
    CAPTURE(c.text);
    REQUIRE(env->guards().size() == 1);
    CHECK((env->guards()[0].text == c.text && env->guards()[0].place.empty()));
    CHECK(env->holds_for({4, 6}) == c.less);
    CHECK(env->holds_for({5, 5}) == c.equal);
    CHECK(env->holds_for({6, 4}) == c.greater);
  }
}

TEST_CASE("a guard tells the sign of a symbol if it tells it", "[base][sym_expr]") {
  // The guard, which of two values of the symbol it is asked with, and whether `s0 > 0` then follows.
  struct Case {
    void (*guard)(const SymInt&);
    bool tells;
  };
  const Case cases[] = {
      {[](const SymInt& a) { (void)(a > 0); }, true},       {[](const SymInt& a) { (void)(a >= 1); }, true},
      {[](const SymInt& a) { (void)(a >= 0); }, false},     {[](const SymInt& a) { (void)(a > -1); }, false},
      {[](const SymInt& a) { (void)(a == 4); }, true},      {[](const SymInt& a) { (void)a.guard_int(); }, true},
      {[](const SymInt& a) { (void)(a != 0); }, false},     {[](const SymInt& a) { (void)(a <= 4); }, false},
      {[](const SymInt& a) { (void)(3 - a < 0); }, true},   {[](const SymInt& a) { (void)(1 - a <= 0); }, true},
      {[](const SymInt& a) { (void)(0 - a <= 0); }, false}, {[](const SymInt& a) { (void)(a < 1); }, true},
      {[](const SymInt& a) { (void)(2 * a > 0); }, false},  {[](const SymInt& a) { (void)(a * a > 0); }, false},
      {[](const SymInt& a) { (void)(a / 2 > 0); }, false},
  };
  for (const Case& c : cases) {
    auto env = make_intrusive<SymEnv>();
    SymInt a = env->symbol(4);
    c.guard(a);
    REQUIRE(env->guards().size() == 1);
    CAPTURE(env->guards()[0].text);
    CHECK(a > 0);
    CHECK((env->guards().size() == 1) == c.tells);
  }
}

TEST_CASE("positive symbols decide what is true of all of them and nothing else", "[base][sym_expr]") {
  auto env = make_intrusive<SymEnv>();
  SymInt a = env->symbol(1), b = env->symbol(2);
  CHECK((a > 0 && b > 0));
  CHECK(env->guards().size() == 2);
  CHECK((a >= 1 && !(a < 1) && 1 - a <= 0 && !(1 - a > 0)));
  CHECK((a + b >= 2 && a + 2 * b + 1 != 0 && !(0 - a - b == 0) && 0 - a < 0));
  CHECK((a * b >= 1 && 2 - a - b <= 0));
  CHECK(env->guards().size() == 2);
  CHECK((a <= 1 && !(a > 1)));
  CHECK(env->guards().size() == 3);
  CHECK(env->guards().back().text == "s0 <= 1");
  CHECK_FALSE(1 - a < 0);
  CHECK(env->guards().back().text == "-s0 + 1 >= 0");
  CHECK(a + b > 2);
  CHECK(env->guards().back().text == "s0 + s1 > 2");
  CHECK(b - a > 0);
  CHECK(env->guards().back().text == "-s0 + s1 > 0");
  CHECK(to_string(min(a, b)) == "min(s0, s1)");
  CHECK(to_string(max(b + 1, SymInt(2))) == "s1 + 1");
}

TEST_CASE("a guard of a trace asks for each of its symbols", "[base][sym_expr]") {
  auto env = make_intrusive<SymEnv>();
  SymInt a = env->symbol(4), b = env->symbol(6), c = env->symbol(8);
  CHECK(a + b < c + 3);
  CHECK_ERROR(env->holds_for({4, 6}), ValueError, "expected a value for each symbol, got 2 and no s2");
  CHECK(env->holds_for({4, 6, 8}));
  CHECK(env->holds_for({4, 6, 8, 10}));
  CHECK_FALSE(env->holds_for({4, 7, 8}));
}

TEST_CASE("an overflow names its operands as they were written", "[base][sym_expr]") {
  auto env = make_intrusive<SymEnv>();
  SymInt a = env->symbol(1);
  CHECK_ERROR((a * 2) * INT64_MAX, ValueError, "SymInt: 2 * 9223372036854775807 is outside the range of int64_t");
  CHECK_ERROR((a + INT64_MAX) + 5, ValueError, "SymInt: 9223372036854775807 + 5 is outside the range of int64_t");
}
