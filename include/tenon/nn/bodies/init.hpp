// Filling parameters, by operators.
#pragma once
#include <algorithm>
#include <cmath>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/init.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::init {

TENON_BODY const Tensor& uniform_(const Tensor& t, double from, double to, const std::optional<Generator>& generator) {
  NoGradGuard no_grad;
  Tensor written = t;
  ops::uniform_(written, from, to, "generator"_a = generator);
  return t;
}
TENON_BODY const Tensor& normal_(const Tensor& t, double mean, double std, const std::optional<Generator>& generator) {
  NoGradGuard no_grad;
  Tensor written = t;
  ops::normal_(written, mean, std, "generator"_a = generator);
  return t;
}
TENON_BODY const Tensor& constant_(const Tensor& t, const Scalar& value) {
  NoGradGuard no_grad;
  Tensor written = t;
  ops::fill_(written, value);
  return t;
}

TENON_BODY const Tensor& eye_(const Tensor& t) {
  TENON_CHECK(t.dim() == 2, ValueError, "Only tensors with 2 dimensions are supported");
  NoGradGuard no_grad;
  constant_(t, 0);
  return constant_(ops::diagonal(t), 1), t;
}
TENON_BODY const Tensor& dirac_(const Tensor& weight, std::int64_t groups) {
  TENON_CHECK(weight.dim() >= 3 && weight.dim() <= 5, ValueError,
              "Only tensors with 3, 4, or 5 dimensions are supported");
  TENON_CHECK(groups > 0 && weight.size(0) % groups == 0, ValueError, "dim 0 must be divisible by groups");
  NoGradGuard no_grad;
  constant_(weight, 0);
  const std::int64_t outputs = weight.size(0) / groups, kept = std::min(outputs, weight.size(1));
  for (std::int64_t g = 0; g < groups; ++g)
    for (std::int64_t c = 0; c < kept; ++c) {
      Tensor middle = ops::select(ops::select(weight, 0, g * outputs + c), 0, c);
      while (middle.dim() > 0) middle = ops::select(middle, 0, middle.size(0) / 2);
      constant_(middle, 1);
    }
  return weight;
}

namespace detail {
inline std::int64_t receptive_field(const Tensor& weight, const char* name) {
  TENON_CHECK(weight.dim() >= 2, ValueError, name, "(): expected a tensor of at least 2 dimensions, got shape ",
              weight.sizes());
  std::int64_t field = 1;
  for (std::int64_t d = 2; d < weight.dim(); ++d) field *= weight.size(d);
  return field;
}
inline double xavier_deviation(const Tensor& weight, double gain) {
  return gain * std::sqrt(2.0 / static_cast<double>(fan_in(weight) + fan_out(weight)));
}
inline double kaiming_deviation(const Tensor& weight, double a, std::string_view mode, std::string_view nonlinearity) {
  TENON_CHECK(mode == "fan_in" || mode == "fan_out", ValueError, "Mode ", mode,
              " not supported, please use one of ['fan_in', 'fan_out']");
  const std::int64_t fan = mode == "fan_in" ? fan_in(weight) : fan_out(weight);
  return calculate_gain(nonlinearity, a) / std::sqrt(static_cast<double>(fan));
}
}  // namespace detail
TENON_BODY std::int64_t fan_in(const Tensor& weight) {
  return detail::receptive_field(weight, "fan_in") * weight.size(1);
}
TENON_BODY std::int64_t fan_out(const Tensor& weight) {
  return detail::receptive_field(weight, "fan_out") * weight.size(0);
}
TENON_BODY double calculate_gain(std::string_view nonlinearity, double param) {
  for (std::string_view linear :
       {"linear", "sigmoid", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"})
    if (nonlinearity == linear) return 1;
  if (nonlinearity == "tanh") return 5.0 / 3;
  if (nonlinearity == "relu") return std::sqrt(2.0);
  if (nonlinearity == "leaky_relu") return std::sqrt(2.0 / (1 + param * param));
  TENON_CHECK(nonlinearity == "selu", ValueError, "Unsupported nonlinearity ", nonlinearity);
  return 0.75;
}
TENON_BODY const Tensor& xavier_uniform_(const Tensor& weight, double gain, const std::optional<Generator>& generator) {
  const double bound = std::sqrt(3.0) * detail::xavier_deviation(weight, gain);
  return uniform_(weight, -bound, bound, generator);
}
TENON_BODY const Tensor& xavier_normal_(const Tensor& weight, double gain, const std::optional<Generator>& generator) {
  return normal_(weight, 0, detail::xavier_deviation(weight, gain), generator);
}
TENON_BODY const Tensor& kaiming_uniform_(const Tensor& weight, double a, std::string_view mode,
                                          std::string_view nonlinearity, const std::optional<Generator>& generator) {
  if (weight.numel() == 0) return weight;
  const double bound = std::sqrt(3.0) * detail::kaiming_deviation(weight, a, mode, nonlinearity);
  return uniform_(weight, -bound, bound, generator);
}
TENON_BODY const Tensor& kaiming_uniform_(const Tensor& weight, double a, const std::optional<Generator>& generator) {
  return kaiming_uniform_(weight, a, "fan_in", "leaky_relu", generator);
}
TENON_BODY const Tensor& kaiming_normal_(const Tensor& weight, double a, std::string_view mode,
                                         std::string_view nonlinearity, const std::optional<Generator>& generator) {
  if (weight.numel() == 0) return weight;
  return normal_(weight, 0, detail::kaiming_deviation(weight, a, mode, nonlinearity), generator);
}

TENON_BODY const Tensor& trunc_normal_(const Tensor& t, double mean, double std, double a, double b,
                                       const std::optional<Generator>& generator) {
  NoGradGuard no_grad;
  auto below = [&](double x) { return (1 + std::erf((x - mean) / std / std::sqrt(2.0))) / 2; };
  auto draw_again = [&](const Tensor& again, const Tensor& drawn) {
    Tensor written = t;
    ops::copy_(written, ops::where(again, drawn, t));
  };
  if (t.is_meta() || t.numel() == 0) return t;
  if (below(b) - below(a) > 0.3) {
    // The bounds as the tensor's elements can be.
    const Scalar low = ops::full({}, a, t.dtype()).item(), high = ops::full({}, b, t.dtype()).item();
    normal_(t, mean, std, generator);
    for (;;) {
      Tensor outside = ops::logical_or(ops::lt(t, low), ops::gt(t, high));
      if (!ops::any(outside).item<bool>()) return t;
      draw_again(outside, normal_(ops::empty_like(t), mean, std, generator));
    }
  }
  // Far from the mean: uniform numbers, kept as often as the density says.
  const double nearest = std::max(a, std::min(mean, b)),
               most = -0.5 * (nearest - mean) / std * ((nearest - mean) / std);
  auto refused = [&](const Tensor& drawn) {
    Tensor density = ops::empty_like(t).copy_(drawn);
    density.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(most);
    return ops::gt(uniform_(ops::empty_like(t), 0, 1, generator).log(), density);
  };
  uniform_(t, a, b, generator);
  for (Tensor again = refused(t); ops::any(again).item<bool>();) {
    Tensor drawn = uniform_(ops::empty_like(t), a, b, generator);
    draw_again(again, drawn);
    again = ops::logical_and(again, refused(drawn));
  }
  return t;
}

TENON_BODY const Tensor& orthogonal_(const Tensor& t, double gain, const std::optional<Generator>& generator) {
  TENON_CHECK(t.dim() >= 2, ValueError, "Only tensors with 2 or more dimensions are supported");
  if (t.numel() == 0 || t.is_meta()) return t;
  NoGradGuard no_grad;
  const std::int64_t rows = t.size(0), columns = t.numel() / rows;
  Tensor random = ops::new_empty(t, IntArrayRef{rows, columns});
  normal_(random, 0, 1, generator);
  // Vectors as rows of the host, in double; of those before it each loses its share twice, which makes them orthogonal
  // to rounding (Giraud et al., Numer. Math. 101, 2005). Lengths are positive: Q of the one QR whose R has a positive
  // diagonal.
  const bool wide = rows < columns;
  Tensor q = (wide ? random : ops::t(random)).to(kCPU, kDouble).contiguous();
  const std::int64_t count = std::min(rows, columns), length = std::max(rows, columns);
  auto* v = q.data_ptr<double>();
  for (std::int64_t i = 0; i < count; ++i) {
    double* x = v + i * length;
    for (int pass = 0; pass < 2; ++pass)
      for (std::int64_t j = 0; j < i; ++j) {
        const double* y = v + j * length;
        double dot = 0;
        for (std::int64_t k = 0; k < length; ++k) dot += x[k] * y[k];
        for (std::int64_t k = 0; k < length; ++k) x[k] -= dot * y[k];
      }
    double squares = 0;
    for (std::int64_t k = 0; k < length; ++k) squares += x[k] * x[k];
    for (std::int64_t k = 0; k < length; ++k) x[k] /= std::sqrt(squares);
  }
  q.mul_(gain);
  Tensor written = t;
  ops::copy_(written, ops::view_as(wide ? q : ops::t(q).contiguous(), t));
  return t;
}

TENON_BODY const Tensor& sparse_(const Tensor& matrix, double sparsity, double std,
                                 const std::optional<Generator>& generator) {
  TENON_CHECK(matrix.dim() == 2, ValueError, "Only tensors with 2 dimensions are supported");
  if (matrix.is_meta()) return matrix;
  NoGradGuard no_grad;
  const std::int64_t rows = matrix.size(0),
                     zeros = static_cast<std::int64_t>(std::ceil(sparsity * static_cast<double>(rows)));
  normal_(matrix, 0, std, generator);
  for (std::int64_t c = 0; c < matrix.size(1); ++c) {
    Tensor column = ops::select(matrix, 1, c);
    ops::index_fill_(column, 0, ops::slice(ops::randperm(rows), 0, 0, zeros).to(matrix.device()), 0);
  }
  return matrix;
}

}  // namespace tenon::nn::init
