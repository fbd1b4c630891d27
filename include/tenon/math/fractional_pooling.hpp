// Fractional pooling: where the windows lie that a random number spreads over a dimension, on the host and on devices.
#pragma once
#include <cstddef>
#include <cstdint>

#include <tenon/base/host_device.hpp>

namespace tenon::math {

/// Of two numbers the first is for the width, of three for the depth.
TENON_HOST_DEVICE constexpr std::int64_t fractional_sample(std::size_t dims, std::size_t d) {
  return static_cast<std::int64_t>(dims == 2 ? 1 - d : d);
}
/// The first element of window i. A number outside of [0, 1] moves windows by the same rule, as far as there are
/// elements; one that is no number, or is huge, counts as zero.
template <class C>
TENON_HOST_DEVICE std::int64_t fractional_start(std::int64_t i, C sample, std::int64_t in, std::int64_t out,
                                                std::int64_t kernel) {
  std::int64_t last = in - kernel;
  if (i == out - 1 || last <= 0) return last < 0 ? 0 : last;
  if (!(sample > C(-1e6) && sample < C(1e6))) sample = C(0);
  C alpha = static_cast<C>(last) / static_cast<C>(out - 1);
  std::int64_t first =
      static_cast<std::int64_t>((static_cast<C>(i) + sample) * alpha) - static_cast<std::int64_t>(sample * alpha);
  return first < 0 ? 0 : first > last ? last : first;
}

}  // namespace tenon::math
