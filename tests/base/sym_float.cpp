// Doubles that may be symbolic.
#include <tenon/base/sym_float.hpp>

#include <tenon/base/sym_expr.hpp>

#include "catch.hpp"

using namespace tenon;

TEST_CASE("plain doubles are computed at once", "[base][sym_float]") {
  SymFloat a = 1.5, b = SymFloat(SymInt(4));
  CHECK_FALSE(b.is_symbolic());
  CHECK((a * b + 1.0).expect_double() == 7.0);
  CHECK((b - a).expect_double() == 2.5);
  CHECK((a / b).expect_double() == 0.375);
  CHECK((a < b && b > a && a <= b && b >= a && a == a));
  CHECK(to_string(a) == "1.5");
}

TEST_CASE("a symbolic double records what its value rests on when it is asked for, not before", "[base][sym_float]") {
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(8);
  SymFloat mean = SymFloat(1.0) / SymFloat(n * 2 + 1), scaled = mean * 3.0;
  CHECK(scaled.is_symbolic());
  CHECK(to_string(scaled) == "((1.0 / (2*s0 + 1)) * 3.0)");
  CHECK(env->guards().empty());
  CHECK(scaled.guard_float("file", 7) == 1.0 / 17 * 3);
  REQUIRE(env->guards().size() == 1);
  CHECK(env->guards()[0].text == "2*s0 + 1 == 17");
  CHECK(env->guards()[0].place == "file:7");
  CHECK(env->holds_for({8}));
  CHECK_FALSE(env->holds_for({9}));
  CHECK_ERROR(scaled.expect_double("f"), TypeError,
              "f: expected a plain float, got the symbolic value ((1.0 / (2*s0 + 1)) * 3.0); guard it with "
              "guard_float()");
}

TEST_CASE("a symbolic float begins as zero", "[base][sym_float]") {
  CHECK(SymFloat().guard_float() == 0);
  CHECK(SymFloat() == SymFloat(0.0));
}
