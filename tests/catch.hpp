// Catch2 2 and 3 behind one door: the macros, matchers and generators that both have, and `Approx` by its short name.
#pragma once
#include <stdexcept>
#include <string>

#include <tenon/base/error.hpp>

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>
inline auto ContainsSubstring(const std::string& text) { return Catch::Matchers::Contains(text); }
#endif

// Tests of operators name them without their namespace.
namespace tenon {
namespace ops {}
using namespace ops;
}  // namespace tenon

/// Runs a function; of an error that it throws the lines that name the call are left out.
template <class F>
void without_context(F f) {
  try {
    f();
  } catch (const tenon::Error& e) { throw std::runtime_error(std::string(e.summary())); }
}

/// The expression throws, and the message without the lines that name the call is `TEXT` or matches it.
#define CHECK_THROWS_TEXT(EXPRESSION, TEXT) \
  CHECK_THROWS_WITH(without_context([&] { static_cast<void>(EXPRESSION); }), TEXT)
#define REQUIRE_THROWS_TEXT(EXPRESSION, TEXT) \
  REQUIRE_THROWS_WITH(without_context([&] { static_cast<void>(EXPRESSION); }), TEXT)

/// The expression throws `ERROR` and its message, without the lines that name the call, is exactly `TEXT`.
#define CHECK_ERROR(EXPRESSION, ERROR, TEXT)                                          \
  do {                                                                                \
    CHECK_THROWS_AS(EXPRESSION, ERROR);                                               \
    CHECK_THROWS_WITH(without_context([&] { static_cast<void>(EXPRESSION); }), TEXT); \
  } while (false)
/// The expression throws `ERROR` and its message contains `TEXT`.
#define CHECK_ERROR_CONTAINS(EXPRESSION, ERROR, TEXT)       \
  do {                                                      \
    CHECK_THROWS_AS(EXPRESSION, ERROR);                     \
    CHECK_THROWS_WITH(EXPRESSION, ContainsSubstring(TEXT)); \
  } while (false)
