// Truths that may be symbolic.
#include <tenon/base/sym_bool.hpp>

#include <tenon/base/sym_expr.hpp>

#include "catch.hpp"

using namespace tenon;

TEST_CASE("comparisons of plain integers are plain", "[base][sym_bool]") {
  CHECK(sym_eq(2, 2).expect_bool());
  CHECK(sym_ne(2, 3).expect_bool());
  CHECK(sym_lt(2, 3).expect_bool());
  CHECK(sym_le(3, 3).expect_bool());
  CHECK(sym_gt(4, 3).expect_bool());
  CHECK_FALSE(sym_ge(2, 3).expect_bool());
  CHECK_FALSE(sym_not(true).expect_bool());
  CHECK(to_string(SymBool(true)) == "True");
}

TEST_CASE("a symbolic condition records a guard when it is decided, not before", "[base][sym_bool]") {
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(8), m = env->symbol(3);
  SymBool large = sym_gt(n, m), odd = sym_eq(n % 2, 1);
  CHECK(to_string(sym_or(odd, sym_not(large))) == "(((s0%2) == 1) or (not (s0 > s1)))");
  CHECK(env->guards().empty());
  CHECK_ERROR(large.expect_bool("f"), TypeError,
              "f: expected a plain bool, got the symbolic value (s0 > s1); guard it with guard_bool()");
  CHECK(large.guard_bool());
  REQUIRE(env->guards().size() == 1);
  CHECK(env->guards()[0].text == "s0 > s1");
  CHECK_FALSE(env->holds_for({2, 3}));
}

TEST_CASE("what the first condition decides leaves the second open", "[base][sym_bool]") {
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(8), m = env->symbol(3);
  CHECK_FALSE(sym_and(sym_lt(n, 4), sym_lt(m, 9)).guard_bool());
  CHECK(env->guards().size() == 1);
  CHECK(sym_or(sym_lt(m, 9), sym_lt(n, 2)).guard_bool());
  CHECK(env->guards().size() == 2);
  CHECK_FALSE(sym_and(sym_lt(n, 4), false).is_symbolic());
  CHECK(sym_or(false, sym_lt(n, 4)).is_symbolic());
}
