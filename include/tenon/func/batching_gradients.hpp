// Batching rules of gradients: what Jacobians of networks run backwards for every row at once.
#pragma once
#include <tenon/func/batching.hpp>

namespace tenon::func::detail {

void add_gradient_rules();

}  // namespace tenon::func::detail
