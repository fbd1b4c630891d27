// The places alone of what is sorted.
#pragma once
#include <tenon/composite/sort_shapes.hpp>

namespace tenon::composite {

inline Tensor argsort(const Tensor& self, std::int64_t dim, bool descending) {
  return std::get<1>(ops::sort(self, dim, descending));
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::argsort_base>();
  m.impl<ops::argsort_base, &argsort>();
}

}  // namespace tenon::composite
