// Tensors in a batch.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/data/collate.hpp>
#include <tenon/ops/join.hpp>

namespace tenon::data {

TENON_COLD_BODY void detail::collate_missing_key() {
  fail<ValueError>("collate(): each map of a batch should have the same keys");
}
TENON_BODY Tensor collate(std::vector<Tensor> samples) { return ops::stack(samples); }

}  // namespace tenon::data
