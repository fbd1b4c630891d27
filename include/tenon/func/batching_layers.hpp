// Batching rules of what networks are made of: affine maps, norms, losses, and indices of any kind.
#pragma once
#include <tenon/func/batching.hpp>

namespace tenon::func::detail {

void add_layer_rules();

}  // namespace tenon::func::detail
