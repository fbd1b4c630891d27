// What the tests of operators share.
#pragma once
#include <vector>

#include <tenon/tenon.hpp>

#include "../catch.hpp"

namespace test {

using namespace tenon;

/// The elements in row-major order.
inline std::vector<double> values(const Tensor& t) {
  Tensor d = tenon::detail::in_memory(t.detach().to(kDouble)).contiguous();
  const double* p = d.data_ptr<double>();
  return {p, p + d.numel()};
}
inline std::vector<std::int64_t> list(IntArrayRef l) { return l.vec(); }
using Ints = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

/// Where the elements lie.
struct Seen {
  Ints sizes, strides;
  std::int64_t offset;
  friend bool operator==(const Seen&, const Seen&) = default;
};
inline Seen seen(const Tensor& t) { return {list(t.sizes()), list(t.strides()), t.storage_offset()}; }

/// 0, 1, 2, ... in the shape.
inline Tensor counted(IntArrayRef sizes, ScalarType type = kFloat) {
  return ops::arange(count_elements(sizes), "dtype"_a = type).view(sizes);
}

}  // namespace test
