// Which tensors are close, and what is said of those that are not; the words were recorded from torch 2.15.
#include <tenon/testing/assert_close.hpp>

#include <catch.hpp>
#include <limits>

#include <tenon/ops/view.hpp>

using namespace tenon;
using namespace tenon::testing;

namespace {
constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
Tensor floats(std::vector<float> values) {
  Tensor t = make_tensor({static_cast<std::int64_t>(values.size())}, {}, kFloat);
  std::copy(values.begin(), values.end(), t.data_ptr<float>());
  return t;
}
template <class T>
Tensor filled(IntArrayRef sizes, std::initializer_list<T> values) {
  Tensor t = make_tensor(sizes, {}, scalar_type_v<T>);
  std::copy(values.begin(), values.end(), t.data_ptr<T>());
  return t;
}
}  // namespace

TEST_CASE("tensors within the tolerances of their dtype are close", "[testing][close]") {
  CHECK(close_problem(floats({1, 2}), floats({1, 2})).empty());
  CHECK(close_problem(floats({1.000001f}), floats({1})).empty());
  CHECK_FALSE(close_problem(floats({1.0001f}), floats({1})).empty());
  CHECK(close_problem(filled<Half>({1}, {Half(1.0f)}), filled<Half>({1}, {Half(1.0009f)})).empty());
  CHECK_FALSE(close_problem(filled<double>({1}, {1.000001}), filled<double>({1}, {1})).empty());
  CHECK(close_problem(floats({float(kInf), -float(kInf)}), floats({float(kInf), -float(kInf)})).empty());
  CHECK_FALSE(close_problem(floats({float(kInf)}), floats({-float(kInf)}), {.rtol = 1, .atol = 1}).empty());
  CHECK(close_problem(floats({float(kNan)}), floats({float(kNan)}), {.equal_nan = true}).empty());
  CHECK(close_problem(make_tensor({0, 3}, {}, kFloat), make_tensor({0, 3}, {}, kFloat)).empty());
  CHECK(close_problem(floats({1, 2}), floats({1, 2.4f}), {.rtol = 0.1, .atol = 0.2}).empty());
  CHECK(close_problem(make_tensor({2}, {}, kFloat, kMeta), make_tensor({2}, {}, kFloat, kMeta)).empty());
  CHECK(close_problem(Tensor(), Tensor()).empty());
  CHECK(close_problem(Tensor(), floats({1})) == "Expected a tensor but got none.");
}

TEST_CASE("what differs is said in PyTorch's words, with the elements", "[testing][close]") {
  CHECK(close_problem(floats({1, 2, 3}), floats({1, 2, 4})) ==
        "Tensor-likes are not close!\n\nMismatched elements: 1 / 3 (33.3%)\n"
        "Greatest absolute difference: 1.0 at index (2,) (up to 1e-05 allowed)\n"
        "Greatest relative difference: 0.25 at index (2,) (up to 1.3e-06 allowed)\n"
        "  at (2,): got 3.0, expected 4.0");
  CHECK(close_problem(filled<std::int64_t>({2, 2}, {1, 2, 3, 4}), filled<std::int64_t>({2, 2}, {1, 2, 4, 4})) ==
        "Tensor-likes are not equal!\n\nMismatched elements: 1 / 4 (25.0%)\n"
        "Greatest absolute difference: 1 at index (1, 0)\n"
        "Greatest relative difference: 0.25 at index (1, 0)\n"
        "  at (1, 0): got 3, expected 4");
  CHECK(close_problem(filled<float>({}, {1}), filled<float>({}, {2})) ==
        "Scalars are not close!\n\nExpected 2.0 but got 1.0.\nAbsolute difference: 1.0 (up to 1e-05 allowed)\n"
        "Relative difference: 0.5 (up to 1.3e-06 allowed)");
  std::string nan = close_problem(floats({float(kNan)}), floats({float(kNan)}));
  CHECK(nan.find("Greatest absolute difference: nan at index (0,) (up to 1e-05 allowed)") != std::string::npos);
  std::string infinite = close_problem(floats({float(kInf), 1}), floats({float(kInf), 1.001f}));
  CHECK(infinite.find("difference: 0.001000046730041504 at index (1,) (up to 1e-05") != std::string::npos);
  CHECK(infinite.find("difference: 0.0009990476537495852 at index (1,) (up to 1.3e-06") != std::string::npos);
  std::string exact = close_problem(floats({1}), floats({1.5f}), {.rtol = 0, .atol = 0});
  CHECK(exact.find("Tensor-likes are not equal!") == 0);
  CHECK(exact.find("Greatest relative difference: 0.3333333432674408 at index (0,)\n") != std::string::npos);
  CHECK(close_problem(filled<bool>({2}, {true, false}), filled<bool>({2}, {true, true}))
            .find("Greatest absolute difference: 1 at index (1,)\nGreatest relative difference: 1.0 at index (1,)") !=
        std::string::npos);
  using Z = Complex<float>;
  CHECK(close_problem(filled<Z>({1}, {Z(1, 2)}), filled<Z>({1}, {Z(1, 2.5f)}))
            .find("difference: 0.5 at index (0,) (up to 1e-05 allowed)\nGreatest relative difference: "
                  "0.1856953352689743 at") != std::string::npos);
  CHECK(close_problem(filled<Half>({1}, {Half(1.0f)}), filled<Half>({1}, {Half(1.1f)}))
            .find("difference: 0.099609375 at index (0,) (up to 1e-05 allowed)\nGreatest relative difference: "
                  "0.090576171875 at") != std::string::npos);
  std::int64_t large = std::int64_t{1} << 62;
  CHECK(close_problem(filled<std::int64_t>({1}, {large}), filled<std::int64_t>({1}, {large + 1}))
            .find("difference: 1 at index (0,)\nGreatest relative difference: 2.168404344971009e-19") !=
        std::string::npos);
}

TEST_CASE("attributes are compared first, as far as they are asked for", "[testing][close]") {
  CHECK(close_problem(floats({1}), floats({1, 2})) == "The values for attribute 'shape' do not match: [1] != [2].");
  CHECK(close_problem(floats({1}), filled<double>({1}, {1})) ==
        "The values for attribute 'dtype' do not match: float32 != float64.");
  CHECK(close_problem(floats({1}), filled<double>({1}, {1}), {.check_dtype = false}).empty());
  CHECK(close_problem(floats({1}), make_tensor({1}, {}, kFloat, kMeta)) ==
        "The values for attribute 'device' do not match: cpu != meta.");
  Tensor square = filled<float>({2, 2}, {1, 2, 2, 4}), turned = make_alias(square, {2, 2}, {1, 2}, 0);
  CHECK(close_problem(square, turned).empty());
  CHECK(close_problem(square, turned, {.check_stride = true}) ==
        "The values for attribute 'stride()' do not match: [2, 1] != [1, 2].");
  CHECK_ERROR(close_problem(floats({1}), floats({1}), {.rtol = 0.1}), ValueError,
              "Both 'rtol' and 'atol' must be either specified or omitted, but got no atol.");
}

TEST_CASE("long lists of differences are cut, and lists of tensors name the item", "[testing][close]") {
  std::string text = close_problem(floats({1, 1, 1}), floats({2, 2, 2}), {.shown = 1});
  CHECK(text.find("\n  at (0,): got 1.0, expected 2.0\n  and 2 more") != std::string::npos);
  CHECK_ERROR_CONTAINS(assert_close({floats({1}), floats({1})}, {floats({1}), floats({2})}), AssertionError,
                       "The failure occurred for item [1]");
  CHECK_ERROR(assert_close(std::vector<Tensor>{floats({1})}, {}), AssertionError,
              "The length of the sequences mismatch: 1 != 0");
  assert_close(floats({1}), floats({1}));
}
