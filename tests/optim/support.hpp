// Steps of optimisers beside what PyTorch 2.15 (torch.optim, foreach=False, float64) gave for the same gradients.
#pragma once
#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/tenon.hpp>

#include "catch.hpp"

namespace test {

using namespace tenon;

constexpr std::int64_t kElements = 5;
constexpr double kStart[kElements] = {1.0, -2.0, 0.5, 3.0, -0.25};

inline std::vector<double> values(const Tensor& t) {
  NoGradGuard no_grad;
  Tensor flat = t.to(kDouble).contiguous();
  const double* p = flat.data_ptr<double>();
  return {p, p + flat.numel()};
}

/// A parameter of five elements of which each stands `step` elements after the one before.
inline Tensor parameter(ScalarType dtype, std::int64_t step = 1) {
  Tensor memory = ops::zeros({kElements * step}, "dtype"_a = dtype);
  Tensor t = memory.as_strided({kElements}, {step}).detach();
  for (std::int64_t i = 0; i < kElements; ++i) t.select(0, i).fill_(kStart[i]);
  t.set_requires_grad(true);
  return t;
}

/// Gives the parameter the gradient of a step.
inline void set_gradient(const Tensor& p, int step) {
  Tensor g = ops::zeros({kElements}, "dtype"_a = p.dtype());
  for (std::int64_t i = 0; i < kElements; ++i)
    g.select(0, i).fill_(static_cast<double>((i * 7 + step * 3) % 11 - 5) / 8);
  p.grad() = g;
}

template <class Optimizer>
std::vector<double> after_steps(const typename Optimizer::options_type& options, const Tensor& p, int steps = 4) {
  Optimizer optimizer({p}, options);
  for (int k = 0; k < steps; ++k) {
    set_gradient(p, k);
    optimizer.step();
  }
  return values(p);
}

inline void check_near(const std::vector<double>& got, const std::vector<double>& expected, double tolerance) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    CHECK(got[i] == Approx(expected[i]).epsilon(tolerance).margin(tolerance));
}

/// Four steps on each kind of memory and dtype. Tolerances are a few roundings of the dtype per step.
template <class Optimizer>
void check(const typename Optimizer::options_type& options, const std::vector<double>& expected) {
  check_near(after_steps<Optimizer>(options, parameter(kDouble)), expected, 1e-14);
  check_near(after_steps<Optimizer>(options, parameter(kDouble, 3)), expected, 1e-14);
  check_near(after_steps<Optimizer>(options, parameter(kFloat)), expected, 2e-6);
  check_near(after_steps<Optimizer>(options, parameter(kBFloat16)), expected, 5e-2);
  check_near(after_steps<Optimizer>(options, parameter(kHalf)), expected, 1e-2);
}

/// Twelve steps in float32, to the bit: PyTorch fuses products and sums, and so do machines with AVX2.
template <class Optimizer>
void check_exact(const typename Optimizer::options_type& options, const std::vector<float>& expected) {
  if (cpu::chosen_capability() < cpu::Capability::avx2) return;
  CHECK(after_steps<Optimizer>(options, parameter(kFloat), 12) ==
        std::vector<double>(expected.begin(), expected.end()));
}

}  // namespace test
