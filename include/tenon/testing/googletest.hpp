// opcheck and comparisons of tensors for tests in GoogleTest; for programs that name it, where GoogleTest is.
#pragma once
#include <string_view>

#include <tenon/testing/opcheck_samples.hpp>

#if __has_include(<gtest/gtest.h>)
#include <gtest/gtest.h>

namespace tenon::testing {

/// For `EXPECT_TRUE(is_close(actual, expected))`; the message is that of assert_close().
inline ::testing::AssertionResult is_close(const Tensor& actual, const Tensor& expected,
                                           const CloseOptions& options = {}) {
  std::string problem = close_problem(actual, expected, options);
  return problem.empty() ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << problem;
}

/// Every check of opcheck by an operator's schema, as one result each: `TENON_EXPECT_OPCHECK("my::softclip")`.
inline ::testing::AssertionResult passes(const CheckResult& result) {
  return result.problem.empty() ? ::testing::AssertionSuccess()
                                : ::testing::AssertionFailure() << result.check << ": " << result.problem;
}

}  // namespace tenon::testing

/// One assertion for each check of opcheck, in a test, with the arguments of opcheck_samples_results().
#define TENON_EXPECT_OPCHECK(...)                                                                             \
  for (const ::tenon::testing::CheckResult& checked : ::tenon::testing::opcheck_samples_results(__VA_ARGS__)) \
  EXPECT_TRUE(::tenon::testing::passes(checked))

#endif
