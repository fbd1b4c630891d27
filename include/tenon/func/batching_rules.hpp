// The library's own batching rules, by family.
#pragma once
#include <tenon/func/batching.hpp>

namespace tenon::func::detail {

/// For operators that work element by element: dimensions are aligned behind that of the batch.
bool pointwise_rule(BatchedCall& call, Stack& results);
/// Adds the rules of all other families.
void add_families();

}  // namespace tenon::func::detail
