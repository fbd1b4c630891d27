// Batch normalisation's loops over the channels of float, double, Half and BFloat16.
#pragma once
#include <cstring>
#include <vector>

#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/cpu/loops.hpp>
#include <tenon/math/vec.hpp>

namespace tenon::cpu {

/// `outer` blocks of `channels` runs of `inner` elements; channels last has runs of one element. What is given of
/// channels is of the dtype that is computed in, what is found is double. Bits depend on neither set nor threads.
struct ChannelCall {
  ScalarType dtype;
  std::int64_t outer = 0, channels = 0, inner = 0;
  const void* x = nullptr;
  const void* grad = nullptr;
  void* to = nullptr;
};

struct ChannelKernels {
  /// The mean of each channel and the sum of its squared distances from that.
  void (*moments)(const ChannelCall& call, double* mean, double* squares);
  /// to = (x - center) * factor + add
  void (*scale)(const ChannelCall& call, const void* center, const void* factor, const void* add);
  /// The sums of grad and of grad * (x - center).
  void (*gradient_sums)(const ChannelCall& call, const void* center, double* sums, double* products);
  /// to = (grad - about - (x - center) * along) * factor
  void (*scale_gradient)(const ChannelCall& call, const void* center, const void* along, const void* about,
                         const void* factor);
};

}  // namespace tenon::cpu

#include <tenon/cpu/detail/channels_impl.hpp>
