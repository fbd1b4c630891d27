// Tensors in a batch.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/data/collate.hpp>
#include <tenon/ops/join.hpp>

namespace tenon::data {

TENON_BODY Tensor collate(std::vector<Tensor> samples) { return ops::stack(samples); }

}  // namespace tenon::data
