// Anomaly mode, and what errors of the backward pass say.
#include <tenon/autograd/graph/anomaly.hpp>

#include "../support.hpp"

using namespace tenon;
using test::leaf;
using test::values;

namespace {
std::string text_of_backward(const Tensor& t) {
  try {
    t.backward();
  } catch (const Error& e) { return e.what(); }
  return {};
}
}  // namespace

TEST_CASE("the first gradient that is no number names the operator and its shapes", "[autograd][graph][anomaly]") {
  Tensor x = leaf({0, 1});
  {
    autograd::DetectAnomaly anomaly;
    Tensor y = sum(mul(tenon::sqrt(x), 0));
    CHECK_THAT(
        text_of_backward(y),
        ContainsSubstring("Function 'SqrtBackward0' returned nan values in its 0th output.; in the backward pass "
                          "of SqrtBackward0, arguments [2], results [2]"));
    autograd::DetectAnomaly without_search(true, false);
    CHECK(text_of_backward(sum(mul(tenon::sqrt(x), 0))).empty());
    autograd::DetectAnomaly off(false);
    CHECK(text_of_backward(sum(mul(tenon::sqrt(x), 0))).empty());
  }
  CHECK(text_of_backward(sum(mul(tenon::sqrt(x), 0))).empty());
}

TEST_CASE("a node made in a backward pass names the node that made it", "[autograd][graph][anomaly]") {
  Tensor x = leaf({0, 1});
  autograd::DetectAnomaly anomaly;
  Tensor first = autograd::grad({sum(mul(x, mul(x, tenon::sqrt(add(x, 1)))))}, {x}, {}, std::nullopt, true)[0];
  Tensor bad = sum(mul(tenon::sqrt(mul(first, 0)), 0));
  CHECK_THAT(text_of_backward(bad), ContainsSubstring("Function 'SqrtBackward0' returned nan values"));
  Tensor deep = first.grad_fn() ? sum(first) : first;
  CHECK(text_of_backward(deep).empty());
}

TEST_CASE("a write to what was saved names the argument, who saved it and who wrote", "[autograd][graph][anomaly]") {
  Tensor x = leaf({1, 2}), h = mul(x, 2), y = mul(h, h);
  h.add_(1);
  std::string text = text_of_backward(sum(y));
  CHECK_THAT(text, ContainsSubstring("has been modified by an inplace operation"));
  CHECK_THAT(text, ContainsSubstring("saved as argument '"));
  CHECK_THAT(text, ContainsSubstring("' of aten::mul.Tensor; last written by aten::add_."));
  CHECK_THAT(text, ContainsSubstring("; in the backward pass of MulBackward0, arguments [2], [2], results [2]"));
  Tensor e = tenon::exp(x);
  e.mul_(2);
  CHECK_THAT(text_of_backward(sum(e)),
             ContainsSubstring("saved as result 0 of aten::exp; last written by aten::mul_."));
}

TEST_CASE("a refused write names the operator and its argument", "[autograd][graph][anomaly]") {
  Tensor x = leaf({1, 2});
  CHECK_ERROR_CONTAINS(x.add_(1), AutogradError,
                       "a leaf Variable that requires grad is being used in an in-place operation. It is argument "
                       "'self' of aten::add_.");
}
