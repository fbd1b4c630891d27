// Sizes and strides of a tensor, as operators.
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
inline std::int64_t numel(const Tensor& self) { return self.sym_numel().guard_int(); }
inline SymInt sym_numel(const Tensor& self) { return self.sym_numel(); }
inline std::int64_t dim(const Tensor& self) { return self.dim(); }
inline std::vector<std::int64_t> stride(const Tensor& self) {
  std::vector<std::int64_t> strides;
  for (const SymInt& stride : self.sym_strides()) strides.push_back(stride.guard_int());
  return strides;
}
inline std::int64_t stride_int(const Tensor& self, std::int64_t dim) { return self.sym_stride(dim).guard_int(); }
inline SymInt sym_stride_int(const Tensor& self, std::int64_t dim) { return self.sym_stride(dim); }
inline std::int64_t storage_offset(const Tensor& self) { return self.sym_storage_offset().guard_int(); }
inline SymInt sym_storage_offset(const Tensor& self) { return self.sym_storage_offset(); }
inline bool is_contiguous(const Tensor& self) { return self.is_contiguous(); }
inline bool is_contiguous_as(const Tensor& self, MemoryFormat format) { return self.is_contiguous(format); }
/// Decided at once, which leaves guards on symbolic sizes.
inline bool sym_is_contiguous(const Tensor& self, MemoryFormat format) { return self.is_contiguous(format); }
/// The number of a device that has one; the CPU's is -1.
inline std::int64_t get_device(const Tensor& self) { return self.get_device(); }
inline SymInt sym_size_int(const Tensor& self, std::int64_t dim) { return self.sym_size(dim); }

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace ops = tenon::ops;
  namespace c = tenon::composite;
  m.def<ops::size_base>().def<ops::size_int>().def<ops::sym_size_base>().def<ops::sym_size_int>();
  m.def<ops::numel_base>()
      .def<ops::sym_numel_base>()
      .def<ops::dim_base>()
      .def<ops::stride_base>()
      .def<ops::stride_int>();
  m.def<ops::sym_stride_int>().def<ops::storage_offset_base>().def<ops::sym_storage_offset_base>();
  m.def<ops::is_contiguous_base>().def<ops::is_contiguous_memory_format>().def<ops::get_device_base>();
  m.def<ops::sym_is_contiguous_base>().impl<ops::sym_is_contiguous_base, &c::sym_is_contiguous>();
  m.impl<ops::sym_stride_int, &c::sym_stride_int>().impl<ops::storage_offset_base, &c::storage_offset>();
  m.impl<ops::sym_storage_offset_base, &c::sym_storage_offset>().impl<ops::is_contiguous_base, &c::is_contiguous>();
  m.impl<ops::is_contiguous_memory_format, &c::is_contiguous_as>().impl<ops::get_device_base, &c::get_device>();
  m.impl<ops::numel_base, &c::numel>().impl<ops::sym_numel_base, &c::sym_numel>().impl<ops::dim_base, &c::dim>();
  m.impl<ops::stride_base, &c::stride>().impl<ops::stride_int, &c::stride_int>();
  m.impl<ops::size_base, &c::size>().impl<ops::size_int, &c::size_int>();
  m.impl<ops::sym_size_base, &c::sym_size>().impl<ops::sym_size_int, &c::sym_size_int>();
}
TENON_SYMBOLIC_LIBRARY_IMPL(aten, m) {
  m.impl<tenon::ops::size_base, &tenon::composite::size>().impl<tenon::ops::size_int, &tenon::composite::size_int>();
  m.impl<tenon::ops::stride_base, &tenon::composite::stride>();
}
