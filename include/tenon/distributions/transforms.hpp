// Invertible maps, by which distributions become others.
#pragma once
#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/base/dim_vector.hpp>
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// A map `y = t(x)` with its inverse and the logarithm of the size of its derivative. `domain_dim` and `codomain_dim`
/// say how many of the last dimensions are one element; a type of one's own needs only these.
template <class T>
concept transform = requires(const T& t, const Tensor& x) {
  { T::domain_dim } -> std::convertible_to<std::int64_t>;
  { T::codomain_dim } -> std::convertible_to<std::int64_t>;
  { t(x) } -> std::same_as<Tensor>;
  { t.inverse(x) } -> std::same_as<Tensor>;
  { t.log_abs_det_jacobian(x, x) } -> std::same_as<Tensor>;
};

/// `log_abs_det_jacobian(x, y)` is by whichever of x and `y = t(x)` serves best.
#define TENON_INTERNAL_MAP                                             \
  Tensor operator()(const Tensor& x) const;                            \
  Tensor inverse(const Tensor& y) const;                               \
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const; \
  /* The set of its values. */                                         \
  Constraint codomain() const;
/// Of each number by itself. `falling(p)` is p where the map rises and 1 - p where it falls: what becomes of a
/// distribution function.
#define TENON_INTERNAL_ELEMENTWISE                                \
  static constexpr std::int64_t domain_dim = 0, codomain_dim = 0; \
  TENON_INTERNAL_MAP                                              \
  Tensor falling(const Tensor& probability) const;

/// exp(x).
struct ExpTransform {
  TENON_INTERNAL_ELEMENTWISE
};
/// 1 / (1 + exp(-x)), kept off 0 and 1.
struct SigmoidTransform {
  TENON_INTERNAL_ELEMENTWISE
};
/// log(1 + exp(x)).
struct SoftplusTransform {
  TENON_INTERNAL_ELEMENTWISE
};
/// tanh(x).
struct TanhTransform {
  TENON_INTERNAL_ELEMENTWISE
};
/// loc + scale * x, with a scale other than 0: `AffineTransform{.loc = 1, .scale = -2}`.
struct AffineTransform {
  Parameter loc = 0.0, scale = 1.0;
  TENON_INTERNAL_ELEMENTWISE
  /// The shape of what comes of a tensor of some shape, and of what gives it.
  DimVector forward_shape(IntArrayRef shape) const;
  DimVector inverse_shape(IntArrayRef shape) const { return forward_shape(shape); }
};
/// x^exponent of positive numbers.
struct PowerTransform {
  Parameter exponent = 1.0;
  TENON_INTERNAL_ELEMENTWISE
  DimVector forward_shape(IntArrayRef shape) const;
  DimVector inverse_shape(IntArrayRef shape) const { return forward_shape(shape); }
};
/// Vectors of n numbers to n + 1 nonnegative ones of sum 1, by breaking a stick n times.
struct StickBreakingTransform {
  static constexpr std::int64_t domain_dim = 1, codomain_dim = 1;
  TENON_INTERNAL_MAP
  DimVector forward_shape(IntArrayRef shape) const;
  DimVector inverse_shape(IntArrayRef shape) const;
};
#undef TENON_INTERNAL_MAP
#undef TENON_INTERNAL_ELEMENTWISE

namespace detail {

template <class T>
DimVector forward_shape(const T& t, IntArrayRef shape) {
  if constexpr (requires { t.forward_shape(shape); })
    return t.forward_shape(shape);
  else
    return shape;
}
template <class T>
DimVector inverse_shape(const T& t, IntArrayRef shape) {
  if constexpr (requires { t.inverse_shape(shape); })
    return t.inverse_shape(shape);
  else
    return shape;
}
/// A parameter for an operator with `x`, of whose dtype a number is.
Tensor beside(const Parameter& parameter, const Tensor& x);
Tensor sum_of(const Tensor& a, const Tensor& b);
Tensor negative(const Tensor& t);

}  // namespace detail

/// The inverse of a map, as a map: `InverseTransform{ExpTransform{}}` is the logarithm.
template <transform T>
struct InverseTransform {
  T inv;
  static constexpr std::int64_t domain_dim = T::codomain_dim, codomain_dim = T::domain_dim;
  Tensor operator()(const Tensor& x) const { return inv.inverse(x); }
  Tensor inverse(const Tensor& y) const { return inv(y); }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const {
    return detail::negative(inv.log_abs_det_jacobian(y, x));
  }
  Constraint codomain() const { return constraints::independent(constraints::real(), codomain_dim); }
  Tensor falling(const Tensor& probability) const { return inv.falling(probability); }
  DimVector forward_shape(IntArrayRef shape) const { return detail::inverse_shape(inv, shape); }
  DimVector inverse_shape(IntArrayRef shape) const { return detail::forward_shape(inv, shape); }
};
template <class T>
InverseTransform(T) -> InverseTransform<T>;

/// Maps one after the other, the first first: `ComposeTransform{ExpTransform{}, AffineTransform{0, 2}}`.
template <transform... T>
  requires(sizeof...(T) > 0)
class ComposeTransform {
 public:
  explicit ComposeTransform(T... parts) : parts_(std::move(parts)...) {}

  Tensor operator()(const Tensor& x) const {
    return std::apply([&](const T&... part) { return forward(x, part...); }, parts_);
  }
  Tensor inverse(const Tensor& y) const { return backward<kLast>(y); }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const { return jacobian<0, domain_dim>(x, y); }
  Constraint codomain() const {
    const auto& last = std::get<kLast>(parts_);
    return constraints::independent(last.codomain(), codomain_dim - last.codomain_dim);
  }
  Tensor falling(const Tensor& probability) const {
    Tensor p = probability;
    std::apply([&](const T&... part) { ((p = part.falling(p)), ...); }, parts_);
    return p;
  }
  DimVector forward_shape(IntArrayRef shape) const {
    DimVector s = shape;
    std::apply([&](const T&... part) { ((s = detail::forward_shape(part, s)), ...); }, parts_);
    return s;
  }
  DimVector inverse_shape(IntArrayRef shape) const { return shape_before<kLast>(shape); }

 private:
  static constexpr std::size_t kLast = sizeof...(T) - 1;
  /// Every part sees as many dimensions of an event as any part needs.
  static constexpr std::int64_t dims_before() {
    constexpr std::int64_t in[] = {T::domain_dim...}, out[] = {T::codomain_dim...};
    std::int64_t dims = out[kLast];
    for (std::size_t i = kLast + 1; i-- > 0;) {
      dims += in[i] - out[i];
      if (dims < in[i]) dims = in[i];
    }
    return dims;
  }
  static constexpr std::int64_t dims_after() {
    constexpr std::int64_t in[] = {T::domain_dim...}, out[] = {T::codomain_dim...};
    std::int64_t dims = in[0];
    for (std::size_t i = 0; i <= kLast; ++i) {
      dims += out[i] - in[i];
      if (dims < out[i]) dims = out[i];
    }
    return dims;
  }

 public:
  static constexpr std::int64_t domain_dim = dims_before(), codomain_dim = dims_after();

 private:
  static Tensor forward(const Tensor& x) { return x; }
  template <class First, class... Rest>
  static Tensor forward(const Tensor& x, const First& first, const Rest&... rest) {
    return forward(first(x), rest...);
  }
  template <std::size_t I>
  Tensor backward(const Tensor& y) const {
    if constexpr (I == 0)
      return std::get<0>(parts_).inverse(y);
    else
      return backward<I - 1>(std::get<I>(parts_).inverse(y));
  }
  template <std::size_t I>
  DimVector shape_before(IntArrayRef shape) const {
    DimVector before = detail::inverse_shape(std::get<I>(parts_), shape);
    if constexpr (I == 0)
      return before;
    else
      return shape_before<I - 1>(before);
  }
  template <std::size_t I, std::int64_t Dims>
  Tensor jacobian(const Tensor& x, const Tensor& y) const {
    const auto& part = std::get<I>(parts_);
    using Part = std::remove_cvref_t<decltype(part)>;
    constexpr std::int64_t summed = Dims - Part::domain_dim;
    if constexpr (I == kLast) {
      return detail::sum_rightmost(part.log_abs_det_jacobian(x, y), summed);
    } else {
      Tensor between = part(x);
      return detail::sum_of(detail::sum_rightmost(part.log_abs_det_jacobian(x, between), summed),
                            jacobian<I + 1, Dims + Part::codomain_dim - Part::domain_dim>(between, y));
    }
  }
  std::tuple<T...> parts_;
};

}  // namespace tenon::distributions
