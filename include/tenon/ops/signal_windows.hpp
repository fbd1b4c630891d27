// Windows of torch.signal.windows: symmetric for the design of filters, or periodic for spectra.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include <tenon/tensor/tensor.hpp>

namespace tenon::ops::signal::windows {

/// What all windows may be told. Without `dtype` it is the default one; float32 and float64 are possible.
struct WindowOptions {
  bool sym = true;  ///< else the periodic one: the symmetric one of one point more, without its last
  std::optional<ScalarType> dtype = {};
  std::optional<Device> device = {};
  bool requires_grad = false;
};
struct GaussianOptions {
  double std = 1;  ///< in points
  bool sym = true;
  std::optional<ScalarType> dtype = {};
  std::optional<Device> device = {};
  bool requires_grad = false;
};
struct ExponentialOptions {
  std::optional<double> center = {};  ///< in points, of periodic windows alone; the middle if left out
  double tau = 1;                     ///< points in which the window falls by e
  bool sym = true;
  std::optional<ScalarType> dtype = {};
  std::optional<Device> device = {};
  bool requires_grad = false;
};
struct KaiserOptions {
  double beta = 12;
  bool sym = true;
  std::optional<ScalarType> dtype = {};
  std::optional<Device> device = {};
  bool requires_grad = false;
};
struct GeneralCosineOptions {
  std::vector<double> a;  ///< weights of the cosines of 0, 1, 2, .. turns, whose signs alternate
  bool sym = true;
  std::optional<ScalarType> dtype = {};
  std::optional<Device> device = {};
  bool requires_grad = false;
};
struct GeneralHammingOptions {
  double alpha = 0.54;
  bool sym = true;
  std::optional<ScalarType> dtype = {};
  std::optional<Device> device = {};
  bool requires_grad = false;
};

// Each has so many points, one dimension, and is fresh memory; of one point it is 1.
// Errors: ValueError for a negative number of points, for another dtype than float32 and float64, and as said below.
// Source: torch.signal.windows of PyTorch 2.15.
/// exp(-(n / std)^2 / 2) of the distance n from the middle. ValueError unless std > 0.
Tensor gaussian(std::int64_t points, const GaussianOptions& o = {});
/// exp(-|n - center| / tau). ValueError unless tau > 0, and for a center of a symmetric window.
Tensor exponential(std::int64_t points, const ExponentialOptions& o = {});
/// Half a turn of a sine.
Tensor cosine(std::int64_t points, const WindowOptions& o = {});
/// The Bessel function I0 of beta sqrt(1 - x^2) over that of beta, x from -1 to 1. ValueError for a negative beta.
Tensor kaiser(std::int64_t points, const KaiserOptions& o = {});
/// a[0] - a[1] cos(t) + a[2] cos(2 t) - .., t being a turn. ValueError without weights.
Tensor general_cosine(std::int64_t points, const GeneralCosineOptions& o);
/// general_cosine() of alpha and 1 - alpha.
Tensor general_hamming(std::int64_t points, const GeneralHammingOptions& o = {});
/// general_cosine() of 0.54 and 0.46.
Tensor hamming(std::int64_t points, const WindowOptions& o = {});
/// general_cosine() of 0.5 and 0.5.
Tensor hann(std::int64_t points, const WindowOptions& o = {});
/// general_cosine() of 0.42, 0.5 and 0.08.
Tensor blackman(std::int64_t points, const WindowOptions& o = {});
/// general_cosine() of 0.3635819, 0.4891775, 0.1365995 and 0.0106411. Source: A. H. Nuttall,
/// https://doi.org/10.1109/TASSP.1981.1163506
Tensor nuttall(std::int64_t points, const WindowOptions& o = {});
/// A triangle, 0 at its ends.
Tensor bartlett(std::int64_t points, const WindowOptions& o = {});

}  // namespace tenon::ops::signal::windows
