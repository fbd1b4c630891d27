// The text of one element: the width and notation that all elements of a tensor share.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <tenon/io/print_options.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::detail {

/// How the elements of one tensor, or their real or imaginary parts, are written. Fed with all elements that will be
/// shown, then asked for each. The rules are those of PyTorch's torch/_tensor_str.py.
class ElementFormat {
 public:
  enum class Part : std::uint8_t { Real, Imaginary };
  ElementFormat(const Tensor& t, Part part, const PrintOptions& options)
      : dtype_(t.dtype()),
        part_(part),
        floating_(is_differentiable_type(t.dtype())),
        negate_(part == Part::Real ? t.is_neg() : t.is_neg() != t.is_conj()),
        precision_(options.precision),
        fixed_sci_(options.sci_mode) {}

  void feed(const char* element) {
    if (!floating_) {
      width_ = std::max(width_, integer(element).size());
      return;
    }
    double value = real(element);
    if (value != 0 && std::isfinite(value)) values_.push_back(value);
  }
  void decide() {
    if (values_.empty()) return;
    double least = std::abs(values_[0]), most = least;
    for (double v : values_) {
      least = std::min(least, std::abs(v));
      most = std::max(most, std::abs(v));
      whole_ = whole_ && v == std::ceil(v);
    }
    sci_ = fixed_sci_.value_or(most / least > 1000. || most > 1e8 || least < 1e-4);
    for (double v : values_)
      width_ = std::max(width_, sci_     ? number("%.*e", precision_, v).size()
                                : whole_ ? number("%.*f", 0, v).size() + 1
                                         : number("%.*f", precision_, v).size());
    values_ = {};
  }
  std::size_t width() const { return width_; }
  std::string text(const char* element) const {
    std::string out;
    if (!floating_) {
      out = integer(element);
    } else {
      double value = real(element);
      out = number(sci_ ? "%.*e" : "%.*f", whole_ && !sci_ ? 0 : precision_, value);
      if (whole_ && !sci_ && std::isfinite(value)) out += '.';
    }
    return out.size() < width_ ? std::string(width_ - out.size(), ' ') + out : out;
  }

 private:
  static std::string number(const char* format, int precision, double value) {
    // C may write the sign of a NaN.
    if (std::isnan(value)) return "nan";
    char text[400];  // the largest double has 309 digits before the point
    int n = std::snprintf(text, sizeof text, format, precision, value);
    return {text, std::min(static_cast<std::size_t>(n), sizeof text - 1)};
  }
  double real(const char* element) const {
    double value = visit_element_type(dtype_, [&]<class T>(type_tag<T>) -> double {
      T x;
      std::memcpy(&x, element, sizeof x);
      if constexpr (is_complex_v<T>)
        return static_cast<double>(part_ == Part::Real ? x.re : x.im);
      else
        return static_cast<double>(x);
    });
    return negate_ ? -value : value;
  }
  std::string integer(const char* element) const {
    return visit_element_type(dtype_, [&]<class T>(type_tag<T>) -> std::string {
      T x;
      std::memcpy(&x, element, sizeof x);
      if constexpr (std::is_same_v<T, bool>)
        return x ? "True" : "False";
      else if constexpr (std::is_integral_v<T>)
        return std::to_string(negate_ ? static_cast<T>(-x) : x);
      else
        return {};
    });
  }

  ScalarType dtype_;
  Part part_;
  bool floating_, negate_;
  int precision_;
  std::optional<bool> fixed_sci_;
  bool whole_ = true, sci_ = false;
  std::size_t width_ = 1;
  std::vector<double> values_;
};

}  // namespace tenon::detail
