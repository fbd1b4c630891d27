// Windows by operators, in PyTorch's order of rounding.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include <tenon/base/body.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bessel.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/signal_windows.hpp>
#include <tenon/ops/special.hpp>
#include <tenon/ops/tensor_of.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::ops::signal::windows {

namespace detail {

/// What a window of so many points is made with.
class Points {
 public:
  template <class Options>
  Points(const char* name, std::int64_t points, const Options& o)
      : count_(points),
        intervals_(static_cast<double>(o.sym || points <= 1 ? points - 1 : points)),
        dtype_(o.dtype.value_or(get_default_dtype())),
        device_(o.device),
        requires_grad_(o.requires_grad) {
    TENON_CHECK(points >= 0, ValueError, name, " requires non-negative window length, got M=", points);
    TENON_CHECK(dtype_ == kFloat || dtype_ == kDouble, ValueError, name,
                " expects float32 or float64 dtypes, got: ", dtype_);
  }
  /// Between the ends of the symmetric window whose first points these are.
  double intervals() const { return intervals_; }
  double last() const { return static_cast<double>(count_ - 1); }
  Tensor from_to(double start, double end) const {
    return ops::linspace(start, end, count_, "dtype"_a = dtype_, "device"_a = device_);
  }
  Tensor numbers(ArrayRef<double> all) const {
    Tensor made = tensor(all, "dtype"_a = dtype_);
    return device_ ? Tensor(ops::to(made, "device"_a = *device_)) : made;
  }
  /// The window that `shape` makes; none of no points, and 1 where `one` asks for it.
  template <class Shape>
  Tensor window(bool one, Shape shape) const {
    Tensor made = count_ == 0          ? Tensor(ops::empty({0}, "dtype"_a = dtype_, "device"_a = device_))
                  : count_ == 1 && one ? Tensor(ops::ones({1}, "dtype"_a = dtype_, "device"_a = device_))
                                       : Tensor(shape());
    return requires_grad_ ? made.requires_grad_() : made;
  }

 private:
  std::int64_t count_;
  double intervals_;
  ScalarType dtype_;
  std::optional<Device> device_;
  bool requires_grad_;
};

inline Tensor cosines(const Points& p, ArrayRef<double> weights) {
  TENON_CHECK(!weights.empty(), ValueError, "Coefficients cannot be empty");
  return p.window(true, [&] {
    std::vector<double> signed_weights(weights.begin(), weights.end()), turns(weights.size());
    for (std::size_t i = 0; i < turns.size(); ++i) {
      turns[i] = static_cast<double>(i);
      if (i % 2) signed_weights[i] = -signed_weights[i];
    }
    Tensor places = p.from_to(0, p.last() * (2 * std::numbers::pi / p.intervals()));
    return ops::sum(p.numbers(signed_weights).unsqueeze(-1) * ops::cos(p.numbers(turns).unsqueeze(-1) * places), {0});
  });
}

}  // namespace detail

TENON_BODY Tensor gaussian(std::int64_t points, const GaussianOptions& o) {
  detail::Points p("gaussian", points, o);
  TENON_CHECK(o.std > 0, ValueError, "Standard deviation must be positive, got: ", o.std, " instead.");
  return p.window(false, [&] {
    double start = -p.intervals() / 2, per_point = 1 / (o.std * std::numbers::sqrt2);
    Tensor k = p.from_to(start * per_point, (start + p.last()) * per_point);
    return ops::exp(-(k * k));
  });
}
TENON_BODY Tensor exponential(std::int64_t points, const ExponentialOptions& o) {
  detail::Points p("exponential", points, o);
  TENON_CHECK(o.tau > 0, ValueError, "Tau must be positive, got: ", o.tau, " instead.");
  TENON_CHECK(!o.sym || !o.center, ValueError, "Center must be None for symmetric windows");
  return p.window(false, [&] {
    double center = o.center.value_or(p.intervals() / 2), per_point = 1 / o.tau;
    return ops::exp(-ops::abs(p.from_to(-center * per_point, (p.last() - center) * per_point)));
  });
}
TENON_BODY Tensor cosine(std::int64_t points, const WindowOptions& o) {
  detail::Points p("cosine", points, o);
  return p.window(false, [&] {
    double per_point = std::numbers::pi / (p.intervals() + 1);
    return ops::sin(p.from_to(0.5 * per_point, (0.5 + p.last()) * per_point));
  });
}
TENON_BODY Tensor kaiser(std::int64_t points, const KaiserOptions& o) {
  detail::Points p("kaiser", points, o);
  TENON_CHECK(o.beta >= 0, ValueError, "beta must be non-negative, got: ", o.beta, " instead.");
  return p.window(true, [&] {
    // In the window's dtype, so that no root is of a number below 0.
    Tensor beta = p.numbers(ArrayRef<double>(o.beta));
    double ends = beta.item<double>(), per_point = 2 * ends / p.intervals();
    Tensor k = p.from_to(-ends, std::min(ends, -ends + p.last() * per_point));
    return ops::i0(ops::sqrt(beta * beta - k * k)) / ops::i0(beta);
  });
}
TENON_BODY Tensor general_cosine(std::int64_t points, const GeneralCosineOptions& o) {
  return detail::cosines(detail::Points("general_cosine", points, o), o.a);
}
TENON_BODY Tensor general_hamming(std::int64_t points, const GeneralHammingOptions& o) {
  return detail::cosines(detail::Points("general_hamming", points, o), {o.alpha, 1 - o.alpha});
}
TENON_BODY Tensor hamming(std::int64_t points, const WindowOptions& o) {
  return detail::cosines(detail::Points("hamming", points, o), {0.54, 1 - 0.54});
}
TENON_BODY Tensor hann(std::int64_t points, const WindowOptions& o) {
  return detail::cosines(detail::Points("hann", points, o), {0.5, 0.5});
}
TENON_BODY Tensor blackman(std::int64_t points, const WindowOptions& o) {
  return detail::cosines(detail::Points("blackman", points, o), {0.42, 0.5, 0.08});
}
TENON_BODY Tensor nuttall(std::int64_t points, const WindowOptions& o) {
  return detail::cosines(detail::Points("nuttall", points, o), {0.3635819, 0.4891775, 0.1365995, 0.0106411});
}
TENON_BODY Tensor bartlett(std::int64_t points, const WindowOptions& o) {
  detail::Points p("bartlett", points, o);
  return p.window(true, [&] { return ops::add(-ops::abs(p.from_to(-1, -1 + p.last() * (2 / p.intervals()))), 1); });
}

}  // namespace tenon::ops::signal::windows
