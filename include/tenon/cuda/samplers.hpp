// Distributions whose numbers take as many random words as they need, and leaky_relu by random slopes, as kernels.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include <tenon/cuda/random.hpp>
#include <tenon/math/samplers.hpp>

namespace tenon::cuda {

enum class Sampler : std::uint8_t { Poisson, Binomial, Gamma };
/// A number for every parameter of row-major tensors of one dtype; `b` are the probabilities of binomials.
struct SamplerCall {
  Sampler what;
  ScalarType dtype;
  std::int64_t n;
  void* out;
  const void *a, *b;
  double least;         ///< of gammas
  std::int64_t* fault;  ///< told of a negative rate
  RandomState state;
};
void draw_samples(const SamplerCall& call, void* stream);
/// How the numbers `b` move with the parameters `a`.
void gamma_slopes(const SamplerCall& call, void* stream);

/// Elements at most zero times a random slope, which `noise` keeps; row-major.
struct SlopesCall {
  ScalarType dtype;
  std::int64_t n;
  const void* in;
  void *out, *noise;
  double lower, upper;
  RandomState state;
};
void random_slopes(const SlopesCall& call, std::int64_t blocks, void* stream);

/// The words of a sequence one after the other, and the numbers that cuRAND makes of them when asked for one.
template <class S, class L>
class LaneNumbers {
 public:
  TENON_HOST_DEVICE LaneNumbers(L& lane, const RandomState& state, std::int64_t sequence)
      : lane_(lane), state_(state), sequence_(sequence) {}
  TENON_HOST_DEVICE S uniform() { return static_cast<S>(unit_float(word())); }
  /// The sine of an angle, then its cosine.
  TENON_HOST_DEVICE S normal() {
    if (has_other_) {
      has_other_ = false;
      return static_cast<S>(other_);
    }
    math::PhiloxWords pair{};
    pair.at[0] = word(), pair.at[1] = word();
    float numbers[4];
    normal_numbers(lane_, pair, numbers);
    other_ = numbers[1], has_other_ = true;
    return static_cast<S>(numbers[0]);
  }
  /// A number of double, of four words.
  TENON_HOST_DEVICE double wide_normal() {
    math::PhiloxWords four{};
    for (unsigned& w : four.at) w = word();
    double numbers[2];
    normal_numbers(lane_, four, numbers);
    return numbers[0];
  }

 private:
  TENON_HOST_DEVICE std::uint32_t word() {
    if (used_ == 4) words_ = words_of(state_, sequence_, step_++), used_ = 0;
    return words_.at[used_++];
  }
  L& lane_;
  const RandomState& state_;
  std::int64_t sequence_;
  std::uint64_t step_ = 0;
  math::PhiloxWords words_{};
  int used_ = 4;
  float other_ = 0;
  bool has_other_ = false;
};

/// Rates as cuRAND distinguishes them: by products of uniform numbers (Knuth, The Art of Computer Programming
/// 2, 3.4.1), and where they are large by a rounded normal number; between them numbers are not cuRAND's.
template <class N>
TENON_HOST_DEVICE double poisson_number(double rate, N& numbers) {
  if (rate > 4000) return std::floor(std::sqrt(rate) * numbers.wide_normal() + rate + 0.5);
  if (rate >= 64) return math::poisson_draw(rate, numbers);
  float product = std::exp(static_cast<float>(rate));
  double count = -1;
  do {
    ++count;
    product *= static_cast<float>(numbers.uniform());
  } while (product > 1.0f);
  return count;
}
/// Element i of row-major memory of a dtype.
template <class S>
TENON_HOST_DEVICE S element_at(const void* data, ScalarType dtype, std::int64_t i) {
  return load_as<S>(static_cast<const char*>(data) + i * static_cast<std::int64_t>(item_size(dtype)), dtype);
}
template <class S>
TENON_HOST_DEVICE void put_element(void* data, ScalarType dtype, std::int64_t i, S value) {
  store_as(static_cast<char*>(data) + i * static_cast<std::int64_t>(item_size(dtype)), dtype, value);
}

// Elements are read and written as those of the dtype, computed in S.

/// A sequence for each element.
template <class S>
struct draw_poisson {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SamplerCall& c) const {
    each_of_grid(lane, c.n, [&](std::int64_t i) {
      auto rate = static_cast<double>(element_at<S>(c.a, c.dtype, i));
      if (!(rate >= 0)) {
        *c.fault = 1;  // any of them will do
        return;
      }
      LaneNumbers<double, L> numbers(lane, c.state, i);
      put_element(c.out, c.dtype, i, static_cast<S>(poisson_number(rate, numbers)));
    });
  }
};
template <class S>
struct draw_gamma {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SamplerCall& c) const {
    const S least = static_cast<S>(c.least);
    each_of_grid(lane, c.n, [&](std::int64_t i) {
      LaneNumbers<S, L> numbers(lane, c.state, i);
      S x = math::gamma_draw(element_at<S>(c.a, c.dtype, i), numbers);
      put_element(c.out, c.dtype, i, least > x ? least : x);
    });
  }
};
/// Blocks of 512 elements, of which lane l of 128 has l, l + 128, .. and draws them from one sequence.
template <class S>
struct draw_binomial {
  static constexpr unsigned kLanes = 128;
  static constexpr int kEach = 4;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SamplerCall& c) const {
    for (std::int64_t block = lane.block(); block * kLanes * kEach < c.n; block += lane.blocks()) {
      LaneNumbers<S, L> numbers(lane, c.state, block * kLanes + lane.thread());
      for (int k = 0; k < kEach; ++k) {
        std::int64_t i = (block * kEach + k) * kLanes + lane.thread();
        if (i >= c.n) break;
        S count = element_at<S>(c.a, c.dtype, i), p = element_at<S>(c.b, c.dtype, i);
        put_element(c.out, c.dtype, i, math::binomial_draw(count, p, numbers));
      }
    }
  }
};
struct find_gamma_slopes {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SamplerCall& c) const {
    each_of_grid(lane, c.n, [&](std::int64_t i) {
      auto alpha = element_at<double>(c.a, c.dtype, i), x = element_at<double>(c.b, c.dtype, i);
      put_element(c.out, c.dtype, i, math::gamma_slope(alpha, x));
    });
  }
};

template <class S>
struct slope_elements {
  static constexpr int kParts = std::is_same_v<S, double> ? 2 : 4;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SlopesCall& c) const {
    S numbers[kParts];
    each_drawn(lane, c.state, c.n, kParts, [&](std::int64_t i, int k, const math::PhiloxWords& words) {
      if (k == 0) uniform_numbers(words, numbers);
      S x = element_at<S>(c.in, c.dtype, i);
      bool sloped = x <= S(0);
      double slope = 1;
      if (sloped) {
        // The number is rounded to the dtype before, and the slope after.
        put_element(c.noise, c.dtype, i, numbers[k]);
        slope = static_cast<double>(element_at<S>(c.noise, c.dtype, i)) * (c.upper - c.lower) + c.lower;
      }
      put_element(c.noise, c.dtype, i, static_cast<S>(slope));
      put_element(c.out, c.dtype, i, sloped ? x * element_at<S>(c.noise, c.dtype, i) : x);
    });
  }
};

}  // namespace tenon::cuda
