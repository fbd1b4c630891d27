// Catch2 2 and 3 behind one door: the macros, matchers and generators that both have, and `Approx` by its short name.
#pragma once

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

/// The expression throws `ERROR` and its message is exactly `TEXT`.
#define CHECK_ERROR(EXPRESSION, ERROR, TEXT) \
  do {                                       \
    CHECK_THROWS_AS(EXPRESSION, ERROR);      \
    CHECK_THROWS_WITH(EXPRESSION, TEXT);     \
  } while (false)
/// The expression throws `ERROR` and its message contains `TEXT`.
#define CHECK_ERROR_CONTAINS(EXPRESSION, ERROR, TEXT)       \
  do {                                                      \
    CHECK_THROWS_AS(EXPRESSION, ERROR);                     \
    CHECK_THROWS_WITH(EXPRESSION, ContainsSubstring(TEXT)); \
  } while (false)
