// The sizes of a tensor, as operators.
#pragma once
#include <vector>

#include <tenon/library/library.hpp>
#include <tenon/ops/size.hpp>
#include <tenon/structured/symbolic.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::composite {

/// Symbolic sizes become their numbers, which guards keep.
inline std::vector<std::int64_t> size(const Tensor& self) {
  std::vector<std::int64_t> sizes;
  for (const SymInt& size : self.sym_sizes()) sizes.push_back(size.guard_int());
  return sizes;
}
inline std::int64_t size_int(const Tensor& self, std::int64_t dim) { return self.sym_size(dim).guard_int(); }
inline std::vector<SymInt> sym_size(const Tensor& self) {
  auto sizes = self.sym_sizes();
  return {sizes.begin(), sizes.end()};
}
inline SymInt sym_size_int(const Tensor& self, std::int64_t dim) { return self.sym_size(dim); }

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace ops = tenon::ops;
  namespace c = tenon::composite;
  m.def<ops::size_base>().def<ops::size_int>().def<ops::sym_size_base>().def<ops::sym_size_int>();
  m.impl<ops::size_base, &c::size>().impl<ops::size_int, &c::size_int>();
  m.impl<ops::sym_size_base, &c::sym_size>().impl<ops::sym_size_int, &c::sym_size_int>();
}
TENON_SYMBOLIC_LIBRARY_IMPL(aten, m) {
  m.impl<tenon::ops::size_base, &tenon::composite::size>().impl<tenon::ops::size_int, &tenon::composite::size_int>();
}
