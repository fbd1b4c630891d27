// Numbers of 16 bits whose every operation rounds.
#pragma once
#include <cmath>
#include <cstdint>

namespace tenon::math {

/// A number of the 16-bit type H, computed with as PyTorch's vectors of it do: in float, rounded after every operation.
template <class H>
class Stepwise {
 public:
  Stepwise() = default;
  Stepwise(float x) : value_(static_cast<float>(H(x))) {}  // not explicit: numbers mix with these in formulas
  explicit operator float() const { return value_; }
  /// Of a number that H holds.
  static Stepwise exact(float x) {
    Stepwise s;
    s.value_ = x;
    return s;
  }

  friend Stepwise operator+(Stepwise a, Stepwise b) { return {a.value_ + b.value_}; }
  friend Stepwise operator-(Stepwise a, Stepwise b) { return {a.value_ - b.value_}; }
  friend Stepwise operator*(Stepwise a, Stepwise b) { return {a.value_ * b.value_}; }
  friend Stepwise operator/(Stepwise a, Stepwise b) { return {a.value_ / b.value_}; }
  friend Stepwise operator-(Stepwise a) { return {-a.value_}; }
  friend bool operator<(Stepwise a, Stepwise b) { return a.value_ < b.value_; }
  friend bool operator<=(Stepwise a, Stepwise b) { return a.value_ <= b.value_; }
  friend bool operator==(Stepwise a, Stepwise b) { return a.value_ == b.value_; }

  friend Stepwise floor(Stepwise a) { return {std::floor(a.value_)}; }
  friend Stepwise abs(Stepwise a) { return {std::fabs(a.value_)}; }
  friend Stepwise trunc(Stepwise a) { return {std::trunc(a.value_)}; }

 private:
  float value_ = 0;
};

}  // namespace tenon::math
