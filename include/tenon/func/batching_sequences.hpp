// Batching rules of sequences and segments, masks, distances, and of operators that are made of others.
#pragma once
#include <tenon/func/batching.hpp>

namespace tenon::func::detail {

void add_sequence_rules();

}  // namespace tenon::func::detail
