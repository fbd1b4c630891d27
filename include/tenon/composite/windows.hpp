// The windows that cut a signal into pieces.
#pragma once
#include <numbers>

#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/bessel.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/signal.hpp>
#include <tenon/ops/special.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

/// A window of `length` points: `shape(places, points)` of 0, 1, .. in place; a periodic one is the symmetric one of
/// one point more without its last.
template <class Shape>
Tensor window_of(const char* name, std::int64_t length, bool periodic, const TensorOptions& o, Shape shape) {
  ScalarType dtype = o.dtype.value_or(get_default_dtype());
  TENON_CHECK(o.layout.value_or(kStrided) == kStrided, NotImplementedError, name,
              " is not implemented for sparse types, got: ", *o.layout);
  TENON_CHECK(is_floating_type(dtype) || is_complex_type(dtype), TypeError, name,
              " expects floating point dtypes, got: ", dtype);
  TENON_CHECK(length >= 0, ValueError, name, " requires non-negative window_length, got window_length=", length);
  if (length == 0) return composite::empty(SymDimVector{SymInt(0)}, o);
  AutoDispatchBelowADInplaceOrView guard;
  std::int64_t points = length > 1 && periodic ? length + 1 : length;
  Tensor window = composite::empty(SymDimVector{SymInt(points)}, o.with(dtype));
  if (length == 1) return ops::fill_(window, 1);
  window = ops::arange(points, "out"_a = window);
  window = shape(window, points);
  return periodic ? Tensor(ops::narrow(window, 0, 0, length)) : window;
}
inline double turn_of(std::int64_t points) { return 2 * std::numbers::pi / static_cast<double>(points - 1); }

inline Tensor raised_cosine(const char* name, std::int64_t length, bool periodic, double alpha, double beta,
                            const TensorOptions& o) {
  return window_of(name, length, periodic, o, [&](Tensor places, std::int64_t points) {
    return ops::add_(ops::mul_(ops::cos_(ops::mul_(places, turn_of(points))), -beta), alpha);
  });
}
inline Tensor triangle_window(std::int64_t length, bool periodic, const TensorOptions& o) {
  return window_of("bartlett_window", length, periodic, o, [](Tensor places, std::int64_t points) {
    ops::mul_(places, 2.0 / static_cast<double>(points - 1));
    std::int64_t rising = (points - 1) / 2 + 1;
    Tensor falling = ops::narrow(places, 0, rising, points - rising);
    ops::add_(ops::mul_(falling, -1), 2);
    return places;
  });
}
inline Tensor blackman_shape(std::int64_t length, bool periodic, const TensorOptions& o) {
  return window_of("blackman_window", length, periodic, o, [](Tensor places, std::int64_t points) {
    ops::mul_(places, turn_of(points) / 2);
    return Tensor(ops::cos(places * 4) * 0.08 - ops::cos(places * 2) * 0.5 + 0.42);
  });
}
/// I0(beta sqrt(1 - x^2)) / I0(beta) for x from -1 to 1.
inline Tensor kaiser_shape(std::int64_t length, bool periodic, double beta, const TensorOptions& o) {
  // 16-bit floats round the result alone.
  if (o.dtype && is_reduced_floating_type(*o.dtype)) {
    TensorOptions wide = o;
    wide.dtype = kFloat;
    return ops::to(kaiser_shape(length, periodic, beta, wide), *o.dtype);
  }
  return window_of("kaiser_window", length, periodic, o, [beta](Tensor places, std::int64_t points) {
    Tensor x = places * (2.0 / static_cast<double>(points - 1)) - 1;
    Tensor bend = ops::sqrt(ops::clamp_min(1 - x * x, 0)) * beta;
    return Tensor(ops::i0(bend) / ops::i0(ops::full_like(ops::narrow(x, 0, 0, 1), beta)));
  });
}

struct hann {
  Tensor operator()(const TensorOptions& o, std::int64_t n, bool periodic = true) const {
    return raised_cosine("hann_window", n, periodic, 0.5, 0.5, o);
  }
};
struct hamming {
  Tensor operator()(const TensorOptions& o, std::int64_t n, bool periodic = true, double alpha = 0.54,
                    double beta = 0.46) const {
    return raised_cosine("hamming_window", n, periodic, alpha, beta, o);
  }
};
struct bartlett {
  Tensor operator()(const TensorOptions& o, std::int64_t n, bool periodic = true) const {
    return triangle_window(n, periodic, o);
  }
};
struct blackman {
  Tensor operator()(const TensorOptions& o, std::int64_t n, bool periodic = true) const {
    return blackman_shape(n, periodic, o);
  }
};
struct kaiser {
  Tensor operator()(const TensorOptions& o, std::int64_t n, bool periodic = true, double beta = 12) const {
    return kaiser_shape(n, periodic, beta, o);
  }
};

/// A window as an operator: its own arguments, then the four options of a factory.
template <class Window, class Sig>
struct window_kernel;
template <class Window, class... A>
struct window_kernel<Window, Tensor(A...)> {
  static Tensor call(A... a) {
    constexpr std::size_t own = sizeof...(A) - 4;
    auto all = std::forward_as_tuple(a...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return Window{}({std::get<own>(all), std::get<own + 1>(all), std::get<own + 2>(all), std::get<own + 3>(all)},
                      std::get<I>(all)...);
    }
    (std::make_index_sequence<own>{});
  }
};
/// Its out form, which takes dtype and device of what it writes.
template <class Window, class... A>
struct window_kernel<Window, Tensor&(A...)> {
  static Tensor& call(A... a) {
    constexpr std::size_t own = sizeof...(A) - 1;
    auto all = std::forward_as_tuple(a...);
    Tensor& out = std::get<own>(all);
    return [&]<std::size_t... I>(std::index_sequence<I...>)->Tensor& {
      return copy_to_out(Window{}({out.dtype(), std::nullopt, out.device(), std::nullopt}, std::get<I>(all)...), out);
    }
    (std::make_index_sequence<own>{});
  }
};
template <class Window, class... Op>
TENON_COLD void define_windows(Library& m, Op...) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  auto one = [&]<class O>(std::type_identity<O>) {
    m.def<O{}>().template def<typename O::out{}>();
    m.impl<O{}, &window_kernel<Window, signature_of_t<O>>::call>(all);
    m.impl<typename O::out{}, &window_kernel<Window, signature_of_t<typename O::out>>::call>(all);
  };
  (one(std::type_identity<Op>{}), ...);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_windows<hann>(m, ops::hann_window_base, ops::hann_window_periodic);
  define_windows<hamming>(m, ops::hamming_window_base, ops::hamming_window_periodic, ops::hamming_window_periodic_alpha,
                          ops::hamming_window_periodic_alpha_beta);
  define_windows<bartlett>(m, ops::bartlett_window_base, ops::bartlett_window_periodic);
  define_windows<blackman>(m, ops::blackman_window_base, ops::blackman_window_periodic);
  define_windows<kaiser>(m, ops::kaiser_window_base, ops::kaiser_window_periodic, ops::kaiser_window_beta);
}
TENON_LIBRARY_IMPL(aten, BackendSelect, m) {
  select_back_end<ops::hann_window_base, ops::hann_window_periodic, ops::hamming_window_base,
                  ops::hamming_window_periodic, ops::hamming_window_periodic_alpha,
                  ops::hamming_window_periodic_alpha_beta, ops::bartlett_window_base, ops::bartlett_window_periodic,
                  ops::blackman_window_base, ops::blackman_window_periodic, ops::kaiser_window_base,
                  ops::kaiser_window_periodic, ops::kaiser_window_beta>(m);
}

}  // namespace tenon::composite
