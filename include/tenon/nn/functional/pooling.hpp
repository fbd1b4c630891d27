// The functions behind the pooling layers that are no operators by themselves, with PyTorch's names and defaults.
#pragma once
#include <tenon/nn/pooling.hpp>

namespace tenon::nn::functional {

// The norm of each window, of the power `norm_type`; the stride is the window's size unless given.
#define TENON_INTERNAL_LP_POOL(NAME, RANK)                                                                        \
  inline Tensor NAME(const Tensor& input, double norm_type, const Sizes<RANK>& kernel_size,                       \
                     const OptionalSizes<RANK>& stride = {}, bool ceil_mode = false) {                            \
    return nn::detail::lp_pool({kernel_size, stride.value_or(kernel_size), {}, {}, ceil_mode}, input, norm_type); \
  }
TENON_INTERNAL_LP_POOL(lp_pool1d, 1)
TENON_INTERNAL_LP_POOL(lp_pool2d, 2)
TENON_INTERNAL_LP_POOL(lp_pool3d, 3)
#undef TENON_INTERNAL_LP_POOL

// The largest elements back where max pooling found them, zeros elsewhere.
#define TENON_INTERNAL_MAX_UNPOOL(NAME, RANK)                                                                      \
  inline Tensor NAME(const Tensor& input, const Tensor& indices, const Sizes<RANK>& kernel_size,                   \
                     const OptionalSizes<RANK>& stride = {}, const Sizes<RANK>& padding = 0,                       \
                     IntArrayRef output_size = {}) {                                                               \
    return nn::detail::max_unpool({kernel_size, stride.value_or(kernel_size), padding, {}, false}, input, indices, \
                                  output_size);                                                                    \
  }
TENON_INTERNAL_MAX_UNPOOL(max_unpool1d, 1)
TENON_INTERNAL_MAX_UNPOOL(max_unpool2d, 2)
TENON_INTERNAL_MAX_UNPOOL(max_unpool3d, 3)
#undef TENON_INTERNAL_MAX_UNPOOL

// Windows chosen for a size of the output; those named _with_indices say too where each element was found.
#define TENON_INTERNAL_ADAPTIVE_MAX_POOL(NAME, RANK)                                                           \
  inline std::tuple<Tensor, Tensor> NAME##_with_indices(const Tensor& input, const Sizes<RANK>& output_size) { \
    return nn::detail::adaptive_max_pool(RANK, input, output_size);                                            \
  }                                                                                                            \
  inline Tensor NAME(const Tensor& input, const Sizes<RANK>& output_size) {                                    \
    return std::get<0>(NAME##_with_indices(input, output_size));                                               \
  }
TENON_INTERNAL_ADAPTIVE_MAX_POOL(adaptive_max_pool1d, 1)
TENON_INTERNAL_ADAPTIVE_MAX_POOL(adaptive_max_pool2d, 2)
TENON_INTERNAL_ADAPTIVE_MAX_POOL(adaptive_max_pool3d, 3)
#undef TENON_INTERNAL_ADAPTIVE_MAX_POOL

/// Windows at random places: the output has a size or is a fraction of the input, one of which is given.
struct FractionalMaxPoolOptions {
  std::vector<std::int64_t> output_size = {};
  std::vector<double> output_ratio = {};
  Tensor random_samples = {};  ///< the places; drawn where undefined
};
#define TENON_INTERNAL_FRACTIONAL_MAX_POOL(NAME, RANK)                                                         \
  inline std::tuple<Tensor, Tensor> NAME##_with_indices(const Tensor& input, const Sizes<RANK>& kernel_size,   \
                                                        const FractionalMaxPoolOptions& o) {                   \
    if (o.output_size.empty())                                                                                 \
      return nn::detail::fractional_max_pool(input, kernel_size, {}, o.output_ratio, o.random_samples);        \
    Sizes<RANK> size{IntArrayRef(o.output_size)};                                                              \
    return nn::detail::fractional_max_pool(input, kernel_size, size, o.output_ratio, o.random_samples);        \
  }                                                                                                            \
  inline Tensor NAME(const Tensor& input, const Sizes<RANK>& kernel_size, const FractionalMaxPoolOptions& o) { \
    return std::get<0>(NAME##_with_indices(input, kernel_size, o));                                            \
  }
TENON_INTERNAL_FRACTIONAL_MAX_POOL(fractional_max_pool2d, 2)
TENON_INTERNAL_FRACTIONAL_MAX_POOL(fractional_max_pool3d, 3)
#undef TENON_INTERNAL_FRACTIONAL_MAX_POOL

}  // namespace tenon::nn::functional
