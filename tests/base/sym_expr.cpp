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
