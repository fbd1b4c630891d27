// The generator of the CPU as a source of single random numbers: PyTorch's for the same seed.
#pragma once
#include <cmath>

#include <tenon/base/error.hpp>
#include <tenon/math/samplers.hpp>
#include <tenon/tensor/generator.hpp>

namespace tenon::cpu::detail {

/// One number of a pair; the generator keeps the other.
inline double normal_draw(GeneratorImpl& g) {
  double value;
  if (g.take_cached_normal(value)) return value;
  double u1 = g.uniform_double(), u2 = g.uniform_double();
  double radius = std::sqrt(-2.0 * std::log1p(-u2)), theta = 2.0 * 3.14159265358979323846 * u1;
  g.cache_normal(radius * std::sin(theta));
  return radius * std::cos(theta);
}

/// The generator as the shared samplers take it.
struct GeneratorNumbers {
  GeneratorImpl& generator;
  double uniform() { return generator.uniform_double(); }
  double normal() { return normal_draw(generator); }
};

/// Rates below ten by products.
inline double poisson_draw(double rate, GeneratorImpl& g) {
  TENON_CHECK(rate >= 0, ValueError, "invalid Poisson rate, expected rate to be non-negative");
  if (rate == 0) return 0;
  GeneratorNumbers numbers{g};
  if (rate >= 10) return math::poisson_draw(rate, numbers);
  const double limit = std::exp(-rate);
  double product = g.uniform_double(), count = 0;
  for (; product > limit; product *= g.uniform_double()) ++count;
  return count;
}

}  // namespace tenon::cpu::detail
