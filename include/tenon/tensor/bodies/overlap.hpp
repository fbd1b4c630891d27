// Whether tensors share memory, by their geometry.
#pragma once
#include <algorithm>

#include <tenon/base/body.hpp>
#include <tenon/base/dim_vector.hpp>
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

TENON_BODY bool may_overlap(IntArrayRef sizes, IntArrayRef strides) {
  SmallVector<int, 8> order;
  for (std::size_t d = sizes.size(); d-- > 0;)  // from the last, so that they mostly are sorted
    if (sizes[d] > 1) order.push_back(static_cast<int>(d));
  std::sort(order.begin(), order.end(), [&](int a, int b) { return strides[a] < strides[b]; });
  std::int64_t reach = 0;
  for (int d : order) {
    if (strides[d] <= reach) return true;
    reach += strides[d] * (sizes[d] - 1);
  }
  return false;
}

namespace detail {
/// Steps of one length, at most `most` of them; `reach` is how far these and all shorter ones lead.
struct Steps {
  std::int64_t length, most, reach;
};
/// Whether some number of steps of each length leads to `distance`.
inline bool leads_to(const Steps* first, const Steps* last, std::int64_t distance, int& budget) {
  if (distance == 0) return true;
  if (first == last || distance > first->reach) return false;
  if (--budget < 0) return true;
  std::int64_t rest = first + 1 == last ? 0 : first[1].reach;
  for (std::int64_t n = std::min(first->most, distance / first->length); n >= 0 && distance - n * first->length <= rest;
       --n)
    if (leads_to(first + 1, last, distance - n * first->length, budget)) return true;
  return false;
}
}  // namespace detail

TENON_COLD_BODY bool may_overlap(const Tensor& a, const Tensor& b) {
  if (a->storage() != b->storage() || a.numel() == 0 || b.numel() == 0) return false;
  if (a.dtype() != b.dtype()) return true;
  // An index of `a` meets one of `b` if its steps, and the steps back from b's last element, lead from a's first
  // element to b's last one.
  SmallVector<detail::Steps, 16> steps;
  std::int64_t distance = b.storage_offset() - a.storage_offset();
  for (const Tensor* t : {&a, &b})
    for (std::size_t d = 0; d < t->sizes().size(); ++d) {
      std::int64_t most = t->sizes()[d] - 1, length = t->strides()[d];
      if (t == &b) distance += most * length;
      if (most > 0 && length > 0) steps.push_back({length, most, 0});
    }
  std::sort(steps.begin(), steps.end(), [](const auto& x, const auto& y) { return x.length > y.length; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (kept && steps[kept - 1].length == steps[i].length)
      steps[kept - 1].most += steps[i].most;
    else
      steps[kept++] = steps[i];
  std::int64_t reach = 0;
  for (std::size_t i = kept; i-- > 0;) steps[i].reach = reach += steps[i].most * steps[i].length;
  int budget = 1000;
  return distance >= 0 && detail::leads_to(steps.data(), steps.data() + kept, distance, budget);
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
