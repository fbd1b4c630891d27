// Invertible maps, by which distributions become others.
#pragma once
#include <array>
#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/base/dim_vector.hpp>
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// A map `y = t(x)` with an `x` for each `y`. `domain_dim` and `codomain_dim` say how many of the last dimensions are
/// one element; they are members, static ones too.
template <class T>
concept mapping = requires(const T& t, const Tensor& x) {
  { t.domain_dim } -> std::convertible_to<std::int64_t>;
  { t.codomain_dim } -> std::convertible_to<std::int64_t>;
  { t(x) } -> std::same_as<Tensor>;
  { t.inverse(x) } -> std::same_as<Tensor>;
};
/// One with an inverse, which has the logarithm of the size of its derivative; a type of one's own needs only these.
template <class T>
concept transform = mapping<T> && requires(const T& t, const Tensor& x) {
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
  bool operator==(const AffineTransform& other) const;
  /// The shape of what comes of a tensor of some shape, and of what gives it.
  DimVector forward_shape(IntArrayRef shape) const;
  DimVector inverse_shape(IntArrayRef shape) const { return forward_shape(shape); }
};
/// x^exponent of positive numbers.
struct PowerTransform {
  Parameter exponent = 1.0;
  TENON_INTERNAL_ELEMENTWISE
  bool operator==(const PowerTransform& other) const;
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
/// x itself.
struct IdentityTransform {
  TENON_INTERNAL_ELEMENTWISE
};
inline constexpr IdentityTransform identity_transform{};
#undef TENON_INTERNAL_MAP
#undef TENON_INTERNAL_ELEMENTWISE

/// |x|, of which `inverse` gives the one that is not negative. Without a derivative: two numbers have one value.
struct AbsTransform {
  static constexpr std::int64_t domain_dim = 0, codomain_dim = 0;
  Tensor operator()(const Tensor& x) const;
  Tensor inverse(const Tensor& y) const;
  Constraint codomain() const;
};
/// exp(x) over the sum of a vector, of which `inverse` is the logarithm. Without a derivative: a number that is added
/// to all does nothing. For optimizers, where StickBreakingTransform is for sampling.
struct SoftmaxTransform {
  static constexpr std::int64_t domain_dim = 1, codomain_dim = 1;
  Tensor operator()(const Tensor& x) const;
  Tensor inverse(const Tensor& y) const;
  Constraint codomain() const;
};

namespace detail {

/// Whether two parameters are the same numbers.
bool same(const Parameter& a, const Parameter& b);
template <class T>
bool same_map(const T& a, const T& b) {
  if constexpr (std::is_empty_v<T>)
    return true;
  else
    return a == b;
}
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
template <mapping T>
struct InverseTransform {
  T inv;
  std::int64_t domain_dim = inv.codomain_dim, codomain_dim = inv.domain_dim;
  Tensor operator()(const Tensor& x) const { return inv.inverse(x); }
  Tensor inverse(const Tensor& y) const { return inv(y); }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const requires transform<T> {
    return detail::negative(inv.log_abs_det_jacobian(y, x));
  }
  Constraint codomain() const { return constraints::independent(constraints::real(), codomain_dim); }
  Tensor falling(const Tensor& probability) const { return inv.falling(probability); }
  DimVector forward_shape(IntArrayRef shape) const { return detail::inverse_shape(inv, shape); }
  DimVector inverse_shape(IntArrayRef shape) const { return detail::forward_shape(inv, shape); }
  bool operator==(const InverseTransform& other) const { return detail::same_map(inv, other.inv); }
};
template <class T>
InverseTransform(T) -> InverseTransform<T>;

/// Maps one after the other, the first first: `ComposeTransform{ExpTransform{}, AffineTransform{0, 2}}`.
template <mapping... T>
  requires(sizeof...(T) > 0)
class ComposeTransform {
 public:
  explicit ComposeTransform(T... parts)
      : domain_dim(dims_before({parts.domain_dim...}, {parts.codomain_dim...})),
        codomain_dim(dims_after({parts.domain_dim...}, {parts.codomain_dim...})),
        parts_(std::move(parts)...) {}

  Tensor operator()(const Tensor& x) const {
    return std::apply([&](const T&... part) { return forward(x, part...); }, parts_);
  }
  Tensor inverse(const Tensor& y) const { return backward<kLast>(y); }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const requires(transform<T>&&...) {
    return jacobian<0>(x, y, domain_dim);
  }
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
  bool operator==(const ComposeTransform& other) const { return equals(other, std::index_sequence_for<T...>()); }

 private:
  static constexpr std::size_t kLast = sizeof...(T) - 1;
  using Dims = std::array<std::int64_t, sizeof...(T)>;
  /// Every part sees as many dimensions of an event as any part needs.
  static std::int64_t dims_before(const Dims& in, const Dims& out) {
    std::int64_t dims = out[kLast];
    for (std::size_t i = kLast + 1; i-- > 0;) {
      dims += in[i] - out[i];
      if (dims < in[i]) dims = in[i];
    }
    return dims;
  }
  static std::int64_t dims_after(const Dims& in, const Dims& out) {
    std::int64_t dims = in[0];
    for (std::size_t i = 0; i <= kLast; ++i) {
      dims += out[i] - in[i];
      if (dims < out[i]) dims = out[i];
    }
    return dims;
  }
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
  template <std::size_t I>
  Tensor jacobian(const Tensor& x, const Tensor& y, std::int64_t dims) const {
    const auto& part = std::get<I>(parts_);
    std::int64_t summed = dims - part.domain_dim;
    if constexpr (I == kLast) {
      return detail::sum_rightmost(part.log_abs_det_jacobian(x, y), summed);
    } else {
      Tensor between = part(x);
      return detail::sum_of(detail::sum_rightmost(part.log_abs_det_jacobian(x, between), summed),
                            jacobian<I + 1>(between, y, dims + part.codomain_dim - part.domain_dim));
    }
  }
  template <std::size_t... I>
  bool equals(const ComposeTransform& other, std::index_sequence<I...>) const {
    return (detail::same_map(std::get<I>(parts_), std::get<I>(other.parts_)) && ...);
  }

 public:
  std::int64_t domain_dim, codomain_dim;

 private:
  std::tuple<T...> parts_;
};

}  // namespace tenon::distributions
