// The places of a mask.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/indexing.hpp>

namespace tenon::detail {

TENON_BODY void push_places(std::vector<Tensor>& out, const Tensor& mask) {
  Tensor places = ops::nonzero(mask);
  for (std::int64_t d = 0; d < mask.dim(); ++d) out.push_back(ops::select(places, 1, d));
}

}  // namespace tenon::detail
