// Functions of torch.nn.functional that are operators as they stand, with the same arguments in the same order.
#pragma once
#include <tenon/ops/activation.hpp>
#include <tenon/ops/convolution.hpp>
#include <tenon/ops/distance.hpp>
#include <tenon/ops/dropout.hpp>
#include <tenon/ops/normalization.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/pixels.hpp>
#include <tenon/ops/pooling.hpp>

namespace tenon::nn::functional {

using ops::adaptive_avg_pool1d;
using ops::adaptive_avg_pool2d;
using ops::adaptive_avg_pool3d;
using ops::avg_pool1d;
using ops::avg_pool2d;
using ops::avg_pool3d;
using ops::celu_;
using ops::channel_shuffle;
using ops::conv1d;
using ops::conv2d;
using ops::conv3d;
using ops::conv_tbc;
using ops::conv_transpose1d;
using ops::conv_transpose2d;
using ops::conv_transpose3d;
using ops::elu_;
using ops::group_norm;
using ops::hardtanh_;
using ops::layer_norm;
using ops::leaky_relu_;
using ops::max_pool1d;
using ops::max_pool1d_with_indices;
using ops::max_pool2d;
using ops::max_pool2d_with_indices;
using ops::max_pool3d;
using ops::max_pool3d_with_indices;
using ops::native_channel_shuffle;
using ops::pad;
using ops::pdist;
using ops::pixel_shuffle;
using ops::pixel_unshuffle;
using ops::relu_;
using ops::rms_norm;
using ops::rrelu_;
using ops::selu_;
using ops::threshold_;

}  // namespace tenon::nn::functional
