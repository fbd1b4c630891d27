// Whether tensors are equal up to rounding, by PyTorch's rules, and where they are not.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <tenon/base/promote_types.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/in_memory.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::testing {

/// What was expected does not hold; the message says what, and where.
class AssertionError final : public Error {
 public:
  using Error::Error;
};

/// What must agree, and how nearly. Names and defaults are those of torch.testing.assert_close, but for `shown`.
struct CloseOptions {
  std::optional<double> rtol{}, atol{};  ///< both or none; without them what the dtypes allow
  bool equal_nan = false;
  bool check_device = true, check_dtype = true, check_layout = true, check_stride = false;
  std::size_t shown = 5;  ///< differences that the message lists
};

/// Differences that are allowed: `atol + rtol * |expected|`.
struct Tolerances {
  double rtol = 0, atol = 0;
};
/// What PyTorch's torch.testing allows for results of a dtype; nothing for integers and bools.
constexpr Tolerances default_tolerances(ScalarType dtype) {
  switch (dtype) {
    case kHalf:
    case kComplexHalf: return {1e-3, 1e-5};
    case kBFloat16: return {1.6e-2, 1e-5};
    case kFloat:
    case kComplexFloat: return {1.3e-6, 1e-5};
    case kDouble:
    case kComplexDouble: return {1e-7, 1e-7};
    default: return {};
  }
}

namespace detail {

inline std::string number_text(long double value, bool whole) {
  if (whole && std::isfinite(value)) return std::to_string(static_cast<unsigned long long>(value));
  std::string text;
  ::tenon::detail::append(text, static_cast<double>(value));
  if (text.find_first_not_of("0123456789-") == std::string::npos) text += ".0";
  return text;
}
/// The elements of one type, and how far two are apart in its arithmetic.
template <class T>
struct Elements {
  static constexpr bool whole = std::is_integral_v<T>;
  static long double distance(const T& a, const T& b) {
    if constexpr (whole) {
      long double d = static_cast<long double>(a) - static_cast<long double>(b);
      return d < 0 ? -d : d;
    } else if constexpr (requires { a.re; }) {
      using R = decltype(a.re);
      return static_cast<long double>(R(std::hypot(static_cast<double>(a.re) - static_cast<double>(b.re),
                                                   static_cast<double>(a.im) - static_cast<double>(b.im))));
    } else if constexpr (sizeof(T) == 1) {  // stored only: compared as float32
      return std::abs(float(a) - float(b));
    } else {
      return static_cast<long double>(T(std::abs(double(a) - double(b))));
    }
  }
  /// As a quotient of this type's arithmetic.
  static long double rounded(long double x) {
    if constexpr (whole || sizeof(T) == 1)
      return static_cast<float>(x);
    else if constexpr (requires { T{}.re; })
      return static_cast<double>(decltype(T{}.re)(static_cast<double>(x)));
    else
      return static_cast<double>(T(static_cast<double>(x)));
  }
  static long double size_of(const T& b) { return distance(b, T{}); }
  static bool equal(const T& a, const T& b) { return a == b; }
  static bool is_nan(const T& a) {
    if constexpr (whole)
      return false;
    else
      return !(a == a);
  }
  static std::string text(const T& a) {
    if constexpr (requires { a.re; })
      return concat("(", double(a.re), double(a.im) < 0 ? "" : "+", double(a.im), "j)");
    else if constexpr (whole)
      return std::to_string(a);
    else
      return number_text(static_cast<long double>(double(a)), false);
  }
};

inline std::string index_text(std::size_t at, IntArrayRef sizes) {
  std::string text;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    auto size = static_cast<std::size_t>(sizes[d]);
    text = std::to_string(at % size) + (text.empty() ? "" : ", ") + text;
    at /= size;
  }
  return "(" + text + (sizes.size() == 1 ? ",)" : ")");
}

/// What the comparison of elements says; empty if all are close.
template <class T>
std::string differences(const T* actual, const T* expected, IntArrayRef sizes, std::size_t count, Tolerances allowed,
                        const CloseOptions& options) {
  using E = Elements<T>;
  struct Greatest {
    long double value = -1;
    std::size_t at = 0;
    void see(long double v, std::size_t i) {
      if (!std::isnan(value) && (std::isnan(v) || v > value)) value = v, at = i;
    }
  } absolute, relative;
  std::size_t wrong = 0;
  std::string list;
  for (std::size_t i = 0; i < count; ++i) {
    const T &a = actual[i], &e = expected[i];
    if (E::equal(a, e) || (options.equal_nan && E::is_nan(a) && E::is_nan(e))) continue;
    long double distance = E::distance(a, e), size = E::size_of(e);
    if (std::isfinite(distance) && distance <= allowed.atol + allowed.rtol * size) continue;
    absolute.see(distance, i);
    relative.see(E::rounded(distance / size), i);
    if (wrong++ < options.shown)
      list += "\n  at " + index_text(i, sizes) + ": got " + E::text(a) + ", expected " + E::text(e);
  }
  if (wrong == 0) return {};
  bool exact = allowed.rtol == 0 && allowed.atol == 0;
  auto up_to = [&](double tolerance) {
    return exact ? std::string() : " (up to " + number_text(tolerance, false) + " allowed)";
  };
  std::string verdict = exact ? "equal!" : "close!";
  if (sizes.empty())
    return "Scalars are not " + verdict + "\n\nExpected " + E::text(expected[0]) + " but got " + E::text(actual[0]) +
           ".\nAbsolute difference: " + number_text(absolute.value, E::whole) + up_to(allowed.atol) +
           "\nRelative difference: " + number_text(relative.value, false) + up_to(allowed.rtol);
  char share[16];
  std::snprintf(share, sizeof share, "%.1f%%", 100. * static_cast<double>(wrong) / static_cast<double>(count));
  std::string text = "Tensor-likes are not " + verdict + "\n\nMismatched elements: " + std::to_string(wrong) + " / " +
                     std::to_string(count) + " (" + share +
                     ")\nGreatest absolute difference: " + number_text(absolute.value, E::whole) + " at index " +
                     index_text(absolute.at, sizes) + up_to(allowed.atol) +
                     "\nGreatest relative difference: " + number_text(relative.value, false) + " at index " +
                     index_text(relative.at, sizes) + up_to(allowed.rtol) + list;
  if (wrong > options.shown) text += "\n  and " + std::to_string(wrong - options.shown) + " more";
  return text;
}

}  // namespace detail

/// What is wrong with `actual`; empty if it is close to `expected`.
inline std::string close_problem(const Tensor& actual, const Tensor& expected, const CloseOptions& options = {}) {
  TENON_CHECK(options.rtol.has_value() == options.atol.has_value(), ValueError,
              "Both 'rtol' and 'atol' must be either specified or omitted, but got no ", options.rtol ? "atol" : "rtol",
              ".");
  if (!actual.defined() || !expected.defined())
    return actual.defined() == expected.defined() ? std::string()
                                                  : concat("Expected ", expected.defined() ? "a tensor" : "none",
                                                           " but got ", actual.defined() ? "a tensor." : "none.");
  auto unequal = [](const char* what, const auto& a, const auto& b) {
    return concat("The values for attribute '", what, "' do not match: ", a, " != ", b, ".");
  };
  if (actual.sizes() != expected.sizes()) return unequal("shape", actual.sizes(), expected.sizes());
  if (options.check_device && actual.device() != expected.device())
    return unequal("device", actual.device(), expected.device());
  if (options.check_dtype && actual.dtype() != expected.dtype())
    return unequal("dtype", actual.dtype(), expected.dtype());
  if (options.check_layout && actual.layout() != expected.layout())
    return unequal("layout", actual.layout(), expected.layout());
  if (options.check_stride && actual.strides() != expected.strides())
    return unequal("stride()", actual.strides(), expected.strides());
  if (actual.is_meta() || expected.is_meta()) return {};  // there is no more to compare
  Tolerances of_a = default_tolerances(actual.dtype()), of_b = default_tolerances(expected.dtype());
  Tolerances allowed{options.rtol.value_or(std::max(of_a.rtol, of_b.rtol)),
                     options.atol.value_or(std::max(of_a.atol, of_b.atol))};
  ScalarType dtype =
      actual.dtype() == expected.dtype() ? actual.dtype() : promote_types(actual.dtype(), expected.dtype());
  auto plain = [&](const Tensor& t) {
    Tensor detached = t.detach();
    return ops::contiguous(::tenon::detail::in_memory(
        detached.device().is_cpu() && t.dtype() == dtype ? detached : ops::to(detached, kCPU, dtype)));
  };
  Tensor a = plain(actual), e = plain(expected);
  return visit_element_type(dtype, [&]<class T>(type_tag<T>) {
    return detail::differences(static_cast<const T*>(a.data_ptr()), static_cast<const T*>(e.data_ptr()), a.sizes(),
                               static_cast<std::size_t>(a.numel()), allowed, options);
  });
}

/// Throws AssertionError unless `actual` has shape, dtype, device and layout of `expected` and each of its elements
/// satisfies |actual - expected| <= atol + rtol * |expected|. Infinities are close to themselves alone.
/// The message has PyTorch's words and the first elements that differ. Source: torch.testing.assert_close.
inline void assert_close(const Tensor& actual, const Tensor& expected, const CloseOptions& options = {}) {
  if (std::string problem = close_problem(actual, expected, options); !problem.empty()) throw AssertionError(problem);
}
/// The same of each pair, in order; the message says which. Lists of two lengths are not close.
inline void assert_close(const std::vector<Tensor>& actual, const std::vector<Tensor>& expected,
                         const CloseOptions& options = {}) {
  if (actual.size() != expected.size())
    throw AssertionError(concat("The length of the sequences mismatch: ", actual.size(), " != ", expected.size()));
  for (std::size_t i = 0; i < actual.size(); ++i)
    if (std::string problem = close_problem(actual[i], expected[i], options); !problem.empty())
      throw AssertionError(concat(problem, "\n\nThe failure occurred for item [", i, "]"));
}

}  // namespace tenon::testing
