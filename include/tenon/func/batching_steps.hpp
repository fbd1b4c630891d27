// Batching rules of steps of optimisers, bags of embeddings, counts in bins, and assertions.
#pragma once
#include <tenon/func/batching.hpp>

namespace tenon::func::detail {

void add_step_rules();

}  // namespace tenon::func::detail
