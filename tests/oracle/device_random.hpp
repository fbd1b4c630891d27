// What is true of random numbers of a device, which by design are others than the recorded ones of the CPU: bounds, and
// for the plain distributions the very words of Philox that PyTorch's CUDA kernels take.
#pragma once
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <tenon/cuda/rng_state.hpp>
#include <tenon/math/philox.hpp>

#include "replay.hpp"

namespace oracle {

/// Elements of a real tensor of any device in row-major order.
inline std::vector<double> numbers_of(const Tensor& t) {
  Tensor there = ops::contiguous(ops::to(t, kCPU, kDouble));
  const double* p = there.data_ptr<double>();
  return {p, p + there.numel()};
}

class DeviceNumbers {
 public:
  /// `state` is where the device stood before the call.
  DeviceNumbers(std::string what, const json& call, const Tensor& got, const Tensor& state)
      : what_(std::move(what)), call_(call), got_(got), name_(call.at("call").get<std::string>()) {
    std::memcpy(&state_, state.data_ptr(), sizeof state_);
  }
  void check(const TensorSource& tensors, const std::vector<double>& given) {
    const json& out = call_.at("out");
    if (got_.dtype() != dtype_of(out)) mismatch(what_, ": expected dtype ", dtype_of(out), ", got ", got_.dtype());
    if (auto sizes = ints(out.at("size")); got_.sizes() != IntArrayRef(sizes))
      mismatch(what_, ": expected size ", sizes, ", got ", got_.sizes());
    if (got_.device() != judged_device) mismatch(what_, ": the result is on ", got_.device());
    if (got_.is_complex()) return;
    x_ = numbers_of(got_);
    check_bounds(tensors, given);
    check_words(tensors);
  }

 private:
  // The arguments that are numbers, by place or by name.
  double at(std::size_t place, const char* name, double other) const {
    const json& v = value(place, name);
    return v.is_number() || v.is_string() ? number(v) : other;
  }
  const json& value(std::size_t place, const char* name) const {
    static const json none;
    if (call_.contains("kwargs") && call_.at("kwargs").contains(name)) return call_.at("kwargs").at(name);
    return call_.contains("args") && place < call_.at("args").size() ? call_.at("args").at(place) : none;
  }
  bool is(std::initializer_list<const char*> names) const {
    return std::any_of(names.begin(), names.end(), [&](const char* n) { return name_ == n; });
  }
  /// As an element of the result.
  double rounded(double x) const {
    return visit_scalar_type(got_.dtype(), [&]<class T>(type_tag<T>) -> double {
      if constexpr (std::is_same_v<T, float> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
        return static_cast<double>(static_cast<T>(static_cast<float>(x)));
      else
        return x;
    });
  }
  template <class F>
  void each(const char* want, F f) const {
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (!f(x_[i])) mismatch(what_, ": element ", i, ": expected ", want, ", got ", to_text(x_[i]));
  }
  void within(double low, double high) const {
    each("a number within the bounds", [=](double x) { return x >= low && x <= high; });
  }
  void whole(double low, double end) const {
    each("a whole number within the bounds", [=](double x) { return x == std::floor(x) && x >= low && x < end; });
  }
  /// The bounds of whole numbers; the end is left out.
  std::pair<double, double> whole_bounds() const {
    if (name_ == "randint") return {at(0, "low", 0), at(1, "high", 0)};
    const std::size_t first = name_ == "randint_like" ? 1 : 0;
    const json &a = value(first, "low"), &b = value(first + 1, "high");
    if (b.is_number()) return {number(a), number(b)};
    const bool two = call_.contains("args") && call_.at("args").size() > first + 1;  // an end that is null is none
    if (a.is_number()) return two ? std::pair(number(a), HUGE_VAL) : std::pair(0.0, number(a));
    return {0, HUGE_VAL};
  }
  void check_bounds(const TensorSource& tensors, const std::vector<double>& given) const {
    if (is({"rand", "rand_like", "uniform_"})) {
      const double low = name_ == "uniform_" ? at(0, "from", 0) : 0, high = name_ == "uniform_" ? at(1, "to", 1) : 1;
      within(rounded(low), rounded(high));
    } else if (is({"bernoulli", "bernoulli_"})) {
      whole(0, 2);
    } else if (is({"randint", "randint_like", "random_"})) {
      auto [low, end] = whole_bounds();
      if (got_.dtype() == kBool) end = 2;
      whole(low, rounded(end - 1) + 1);
    } else if (name_ == "randperm") {
      std::vector<double> sorted = x_;
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t i = 0; i < sorted.size(); ++i)
        if (sorted[i] != static_cast<double>(i)) mismatch(what_, ": the result is no permutation");
    } else if (name_ == "exponential_" || name_ == "log_normal_") {
      within(0, HUGE_VAL);
    } else if (name_ == "geometric_") {
      whole(1, HUGE_VAL);
    } else if (name_ == "multinomial") {
      check_chosen(given);
    } else if (name_ == "dropout") {
      const double p = at(1, "p", 0.5);
      for (std::size_t i = 0; i < x_.size(); ++i)
        if (x_[i] != 0 && !close(x_[i], given.at(i) / (1 - p), tolerance_of(got_.dtype())))
          mismatch(what_, ": element ", i, ": expected 0 or ", to_text(given[i] / (1 - p)), ", got ", to_text(x_[i]));
    } else if (name_ == "init.trunc_normal_") {
      within(rounded(at(9, "a", -2)), rounded(at(9, "b", 2)));
    } else if (name_ == "init.uniform_") {
      within(rounded(at(9, "a", 0)), rounded(at(9, "b", 1)));
    } else {
      each("a number", [](double x) { return !std::isnan(x); });
    }
    (void)tensors;
  }
  /// Classes of their rows that can be drawn, each once unless they may repeat.
  void check_chosen(const std::vector<double>& weights) const {
    const auto drawn = static_cast<std::size_t>(got_.sizes().back());
    const std::size_t rows = drawn ? x_.size() / drawn : 0, classes = rows ? weights.size() / rows : 0;
    const json& again = value(2, "replacement");
    whole(0, static_cast<double>(classes));
    for (std::size_t r = 0; r < rows; ++r) {
      std::set<double> seen;
      for (std::size_t i = 0; i < drawn; ++i) {
        const double c = x_[r * drawn + i];
        if (!seen.insert(c).second && !(again.is_boolean() && again.get<bool>()))
          mismatch(what_, ": class ", c, " is drawn twice");
        if (weights.at(r * classes + static_cast<std::size_t>(c)) == 0)
          mismatch(what_, ": class ", c, " has no probability");
      }
    }
  }

  /// Word `part` of lane i, which has number i where there are no more numbers than lanes.
  math::PhiloxWords words(std::size_t i) const {
    const std::uint64_t step = state_.offset / 4;
    return math::philox(
        {{static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(step >> 32), static_cast<std::uint32_t>(i), 0}},
        state_.seed);
  }
  void check_words(const TensorSource& tensors) const {
    const bool wide = got_.dtype() == kDouble;
    // With strides the lanes follow the order of memory.
    if (!got_.is_contiguous() || (call_.contains("target") && call_.at("target").contains("stride")) ||
        (got_.dtype() != kFloat && !wide))
      return;
    const bool uniform = is({"rand", "rand_like", "uniform_"}),
               normal = is({"randn", "randn_like", "normal_"}) && !tensors.is(value(0, ""));
    if (!uniform && !normal) return;
    const bool plain = name_.starts_with("rand");
    const double a = plain ? 0 : at(0, uniform ? "from" : "mean", 0), b = plain ? 1 : at(1, uniform ? "to" : "std", 1);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const math::PhiloxWords w = words(i);
      auto unit = [&](int k) {  // in (0, 1]
        if (!wide) return static_cast<double>(static_cast<float>(w.at[k]) * 0x1p-32f + 0x1p-33f);
        const std::uint64_t bits = w.at[2 * k] ^ std::uint64_t{w.at[2 * k + 1]} << 21;
        return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
      };
      double expected;
      if (uniform) {
        expected = unit(0) * (b - a) + a;
        if (rounded(expected) == rounded(b)) expected = a;
      } else {
        const double angle = 2 * 3.14159265358979323846 * unit(1), radius = std::sqrt(-2 * std::log(unit(0)));
        expected = radius * std::sin(angle) * b + a;
      }
      const Tolerance t = wide ? Tolerance{1e-9, 1e-9} : Tolerance{2e-6, 2e-6 * (1 + std::abs(a) + std::abs(b))};
      if (!close(x_[i], expected, t))
        mismatch(what_, ": element ", i, ": expected ", to_text(expected), " by Philox, got ", to_text(x_[i]));
    }
  }

  std::string what_;
  const json& call_;
  Tensor got_;
  std::string name_;
  cuda::RngState state_;
  std::vector<double> x_;
};

}  // namespace oracle
