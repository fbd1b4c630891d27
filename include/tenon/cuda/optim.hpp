// The optimisers' rules as kernels: a lane for each element.
#pragma once
#include <cmath>
#include <cstdint>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

/// A number where a rule takes a vector.
template <class T>
struct OneNumber {
  T x;
  OneNumber() = default;
  TENON_HOST_DEVICE explicit OneNumber(double v) : x(static_cast<T>(v)) {}
  TENON_HOST_DEVICE static OneNumber of(T v) {
    OneNumber n;
    n.x = v;
    return n;
  }
  TENON_HOST_DEVICE friend OneNumber operator-(OneNumber a) { return of(-a.x); }
  TENON_HOST_DEVICE friend OneNumber operator+(OneNumber a, OneNumber b) { return of(a.x + b.x); }
  TENON_HOST_DEVICE friend OneNumber operator-(OneNumber a, OneNumber b) { return of(a.x - b.x); }
  TENON_HOST_DEVICE friend OneNumber operator*(OneNumber a, OneNumber b) { return of(a.x * b.x); }
  TENON_HOST_DEVICE friend OneNumber operator/(OneNumber a, OneNumber b) { return of(a.x / b.x); }
  TENON_HOST_DEVICE friend bool operator<(OneNumber a, OneNumber b) { return a.x < b.x; }
  TENON_HOST_DEVICE friend bool operator>(OneNumber a, OneNumber b) { return a.x > b.x; }
  TENON_HOST_DEVICE friend bool operator==(OneNumber a, OneNumber b) { return a.x == b.x; }
  TENON_HOST_DEVICE friend OneNumber fma(OneNumber a, OneNumber b, OneNumber c) { return of(std::fma(a.x, b.x, c.x)); }
  TENON_HOST_DEVICE friend OneNumber sqrt(OneNumber a) { return of(std::sqrt(a.x)); }
  TENON_HOST_DEVICE friend OneNumber abs(OneNumber a) { return of(std::fabs(a.x)); }
  // What is no number stays.
  TENON_HOST_DEVICE friend OneNumber maximum(OneNumber a, OneNumber b) { return a.x != a.x || a.x > b.x ? a : b; }
  TENON_HOST_DEVICE friend OneNumber minimum(OneNumber a, OneNumber b) { return a.x != a.x || a.x < b.x ? a : b; }
  TENON_HOST_DEVICE friend OneNumber select(bool which, OneNumber a, OneNumber b) { return which ? a : b; }
};

template <template <class> class Rule, int States, class T>
struct optim_elements {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const OptimCall& c, const Rule<OneNumber<T>>& rule) const {
    using V = OneNumber<T>;
    each_of_grid(lane, c.n, [&](std::int64_t i) {
      T& p = static_cast<T*>(c.param)[i];
      V param = V::of(p), grad = V::of(static_cast<const T*>(c.grad)[i]), state[3];
      for (int k = 0; k < States; ++k) state[k] = V::of(c.state[k] ? static_cast<T*>(c.state[k])[i] : T(0));
      if constexpr (States == 1)
        rule(param, grad, state[0]);
      else if constexpr (States == 2)
        rule(param, grad, state[0], state[1]);
      else
        rule(param, grad, state[0], state[1], state[2]);
      p = param.x;
      for (int k = 0; k < States; ++k)
        if (c.state[k]) static_cast<T*>(c.state[k])[i] = state[k].x;
    });
  }
};

}  // namespace tenon::cuda
