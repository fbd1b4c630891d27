// opcheck and comparisons of tensors for tests in Catch2, version 2 or 3; for programs that name it, where Catch2 is.
#pragma once
#include <string>

#include <tenon/testing/opcheck_samples.hpp>

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_templated.hpp>
#define TENON_HAS_CATCH2 3
#elif __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#define TENON_HAS_CATCH2 2
#endif

#ifdef TENON_HAS_CATCH2

namespace tenon::testing {

/// A matcher: `CHECK_THAT(actual, is_close(expected))`. The message is that of assert_close().
#if TENON_HAS_CATCH2 == 3
class IsClose final : public Catch::Matchers::MatcherGenericBase {
#else
class IsClose final : public Catch::MatcherBase<Tensor> {
#endif
 public:
  explicit IsClose(Tensor expected, CloseOptions options = {})
      : expected_(std::move(expected)), options_(std::move(options)) {}
#if TENON_HAS_CATCH2 == 3
  bool match(const Tensor& actual) const {
#else
  bool match(const Tensor& actual) const override {
#endif
    problem_ = close_problem(actual, expected_, options_);
    return problem_.empty();
  }
  std::string describe() const override { return problem_.empty() ? "is close" : "is close: " + problem_; }

 private:
  Tensor expected_;
  CloseOptions options_;
  mutable std::string problem_;
};
/// The matcher for tensors close to `expected`, by the tolerances of assert_close().
inline IsClose is_close(const Tensor& expected, const CloseOptions& options = {}) { return IsClose(expected, options); }

}  // namespace tenon::testing

template <>
struct Catch::StringMaker<tenon::Tensor> {
  static std::string convert(const tenon::Tensor& t) {
    return t.defined() ? tenon::concat("a tensor, ", t.dtype(), t.sizes()) : "no tensor";
  }
};

/// One assertion for each check of opcheck, in a test case: `TENON_CATCH_OPCHECK("my::softclip")`, with the arguments
/// of opcheck_samples_results().
#define TENON_CATCH_OPCHECK(...)                                                                                \
  for (const ::tenon::testing::CheckResult& checked : ::tenon::testing::opcheck_samples_results(__VA_ARGS__)) { \
    INFO(checked.check);                                                                                        \
    CHECK(checked.problem == "");                                                                               \
  }                                                                                                             \
  static_assert(true, "")

#endif
