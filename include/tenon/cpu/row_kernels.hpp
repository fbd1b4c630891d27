// Layer, group and root-mean-square normalisation's loops over rows of float, double, Half and BFloat16.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <tenon/cpu/channel_kernels.hpp>
#include <tenon/cpu/detail/short_row.hpp>
#include <tenon/reduction/operations.hpp>

namespace tenon::cpu {

/// Rows of `channels` runs of `inner` elements. Row r has the weights of group r % groups.
struct NormRows {
  std::int64_t rows, groups, channels, inner;
  bool centered;  ///< subtract the mean; without it the root mean square is taken about zero
  std::int64_t length() const { return channels * inner; }
  std::int64_t grain() const { return std::max<std::int64_t>(1, (1 << 14) / std::max<std::int64_t>(1, length())); }
  /// Calls f(first element, channel among all) for the stretches of a row that share a weight.
  template <class F>
  void each_channel(std::int64_t row, F f) const {
    std::int64_t first = row % groups * channels;
    for (std::int64_t c = 0; c < channels; ++c) f(c * inner, first + c);
  }
};
/// Weights, biases and statistics are of the dtype that is computed in.
struct RowCall {
  ScalarType dtype;
  NormRows rows;
  const void* x = nullptr;
  const void* weight = nullptr;  ///< may be null
};

struct RowKernels {
  /// `mean` and `bias` may be null.
  void (*normalize)(const RowCall& call, void* y, void* mean, void* rstd, const void* bias, double eps);
  /// The gradient by x; `mean` may be null.
  void (*back)(const RowCall& call, const void* grad, const void* mean, const void* rstd, void* to);
  /// Those by weight and bias; each may be null.
  void (*parameters)(const RowCall& call, const void* grad, const void* mean, const void* rstd, void* weight,
                     void* bias);
};

}  // namespace tenon::cpu

#include <tenon/cpu/detail/rows_impl.hpp>
