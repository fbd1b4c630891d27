// Whether tensors share memory, by their geometry.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon {

TENON_BODY bool has_internal_overlap(const Tensor& t) {
  if (t.is_non_overlapping_and_dense()) return false;
  for (std::size_t d = 0; d < t.sizes().size(); ++d)
    if (t.sizes()[d] > 1 && t.strides()[d] == 0) return true;
  return false;
}

TENON_BODY Overlap memory_overlap(const Tensor& a, const Tensor& b) {
  if (a.is_same(b)) return Overlap::Full;
  // A tensor without data, which may be symbolic, is not asked for its geometry.
  if (!a.impl().data() || a->storage() != b.impl().storage() || a.numel() == 0 || b.numel() == 0) return Overlap::None;
  if (!a.is_non_overlapping_and_dense() || !b.is_non_overlapping_and_dense()) return Overlap::Unknown;
  auto a_begin = static_cast<const char*>(a.data_ptr()), b_begin = static_cast<const char*>(b.data_ptr());
  auto a_end = a_begin + a.nbytes(), b_end = b_begin + b.nbytes();
  if (a_begin == b_begin && a_end == b_end) return a.strides() == b.strides() ? Overlap::Full : Overlap::Partial;
  return a_begin < b_end && b_begin < a_end ? Overlap::Partial : Overlap::None;
}

TENON_BODY void check_no_internal_overlap(const Tensor& t) {
  if (has_internal_overlap(t))
    fail<ValueError>(
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.");
}

TENON_BODY void check_no_partial_overlap(const Tensor& written, const Tensor& read) {
  if (memory_overlap(written, read) == Overlap::Partial)
    fail<ValueError>(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.");
}

TENON_BODY void check_no_overlap(const Tensor& written, const Tensor& read) {
  Overlap o = memory_overlap(written, read);
  if (o == Overlap::Partial || o == Overlap::Full)
    fail<ValueError>(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.");
}

}  // namespace tenon
