// How the layer with a learned slope starts.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/activation.hpp>
#include <tenon/nn/detail/start.hpp>

namespace tenon::nn::detail {

TENON_BODY Tensor new_parameters(PReLU& l) { return filled_leaf({l.num_parameters}, l.init, l.dtype); }

}  // namespace tenon::nn::detail
