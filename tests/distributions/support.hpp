// What the tests of distributions share: comparing with numbers that PyTorch 2.15 gives for the same.
#pragma once
#include <vector>

#include <tenon/distributions.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"

namespace test {

using namespace tenon;
using namespace tenon::distributions;

inline Tensor f64(std::initializer_list<double> values) {
  return from_blob(const_cast<double*>(values.begin()), {static_cast<std::int64_t>(values.size())}, kDouble).clone();
}
/// The same, with derivatives wanted.
inline Tensor leaf(std::initializer_list<double> values) { return f64(values).requires_grad_(); }

/// Each number within `error` of the expected, by the larger of 1 and its size.
inline void close(const Tensor& got, const std::vector<double>& expected, double error = 1e-9) {
  Tensor flat = got.detach().to(kDouble).contiguous();
  REQUIRE(flat.numel() == static_cast<std::int64_t>(expected.size()));
  const double* x = flat.data_ptr<double>();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] != expected[i])
      CHECK(x[i] != x[i]);
    else
      CHECK(x[i] == Approx(expected[i]).epsilon(error).margin(error));
  }
}
/// The derivatives of a sum by a leaf.
inline void slope(const Tensor& y, const Tensor& x, const std::vector<double>& expected, double error = 1e-9) {
  close(autograd::grad({y.sum()}, {x}, {}, true)[0], expected, error);
}
/// A positive definite matrix three ways: its Cholesky factor, itself and its inverse.
struct Matrices {
  Tensor triangle = f64({1.2, 0, 0, 0.5, 0.8, 0, -0.3, 0.2, 1.5}).view({3, 3});
  Tensor covariance =
      f64({1.44, 0.6, -0.36, 0.6, 0.8900000000000001, 0.010000000000000037, -0.36, 0.010000000000000037, 2.38})
          .view({3, 3});
  Tensor precision =
      f64({1.021460262345679, -0.6903935185185184, 0.15740740740740738, -0.6903935185185184, 1.5902777777777775,
           -0.11111111111111112, 0.15740740740740738, -0.11111111111111108, 0.4444444444444444})
          .view({3, 3});
};
constexpr double kInf = __builtin_inf(), kNaN = __builtin_nan("");

}  // namespace test
