// Whether vmap over a function of tensors gives what a loop over the examples gives.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include <tenon/func/vmap.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/testing/assert_close.hpp>

namespace tenon::testing::detail {

/// Other numbers of the same kind: of floats smaller ones, of integers, which may be places, the same in other order.
inline Tensor example(const Tensor& t, std::int64_t number) {
  if (number == 0) return t;
  if (is_differentiable_type(t.dtype())) return ops::mul(t, Scalar(1 - 0.125 * static_cast<double>(number)));
  DimVector all;
  for (std::int64_t d = 0; d < t.dim(); ++d) all.push_back(d);
  return number % 2 ? ops::flip(t, all) : t;
}

/// For a scope loops over examples give no warning.
class QuietLoops {
 public:
  QuietLoops() { func::warn_of_loops(false); }
  QuietLoops(const QuietLoops&) = delete;
  QuietLoops& operator=(const QuietLoops&) = delete;
  ~QuietLoops() { func::warn_of_loops(before_); }

 private:
  bool before_ = func::detail::warns_of_loops;
};

/// Compares vmap of `of` over examples that differ with calls for each: examples of all tensors, or of number `only`.
/// False where there is nothing to compare: the function refuses the examples, gives results that cannot be stacked or
/// is not for batches. Throws AssertionError where vmap gives something else.
template <class F>
bool agrees_with_loop(F of, std::vector<Tensor> given, std::optional<std::size_t> only, const std::string& with,
                      const CloseOptions& close) {
  constexpr std::int64_t count = 5;  // no size of a sample, so that the two are not taken for each other
  std::vector<Tensor> expected;
  std::vector<std::optional<std::int64_t>> in_dims(given.size(), 0);
  try {
    std::vector<std::vector<Tensor>> examples(given.size()), results;
    for (std::int64_t k = 0; k < count; ++k) {
      std::vector<Tensor> in = given;
      for (std::size_t i = 0; i < given.size(); ++i)
        if (only.value_or(i) == i) examples[i].push_back(in[i] = example(given[i], k));
      std::vector<Tensor> now = of(in);
      results.resize(now.size());
      for (std::size_t r = 0; r < now.size(); ++r) results[r].push_back(now[r]);
    }
    if (results.empty()) return false;
    for (const std::vector<Tensor>& each : results) expected.push_back(ops::stack(each));
    for (std::size_t i = 0; i < given.size(); ++i)
      if (only.value_or(i) == i)
        given[i] = ops::stack(examples[i]);
      else
        in_dims[i] = std::nullopt;
  } catch (const Error&) { return false; }
  QuietLoops quiet;
  try {
    assert_close(func::vmap(of, {.in_dims = in_dims})(given), expected, close);
  } catch (const func::BatchError&) {  // what it does cannot be done for a batch
    return false;
  } catch (const std::exception& e) {
    fail<AssertionError>("over examples ", with, " it gives something else than a loop: ", e.what());
  }
  return true;
}

}  // namespace tenon::testing::detail
