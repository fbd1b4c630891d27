// Registers sorting, and what is chosen by order, on CUDA.
#include <limits>

#include <tenon/composite/order_shapes.hpp>
#include <tenon/composite/sort_shapes.hpp>
#include <tenon/cuda/mode.hpp>
#include <tenon/ops/copy.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// The lines of a tensor in order.
struct SortedLines {
  Tensor memory, self;
  LinesCall lines;
  const SortItem* items = nullptr;

  SortedLines(const char* name, const Tensor& from, std::int64_t dim, bool descending, const Tensor& values,
              const Tensor& indices)
      : self(values.defined() && values->storage() == from->storage() ? row_major(Tensor(ops::clone(from))) : from),
        lines(lines_of(self, wrap_dim(dim, from.dim()), values, indices)) {
    if (!has_arithmetic(self.dtype())) not_implemented_for(name, self.dtype());
    std::int64_t count = self.numel();
    memory = scratch_on(self.device(), 2 * count * static_cast<std::int64_t>(sizeof(SortItem)));
    auto* both = static_cast<SortItem*>(memory.data_ptr());
    SortCall c{lines, descending, {both, both + count}};
    items = c.items[sort(c, runtime::current_stream())];
    runtime::check_launch(name);
  }
  void take(std::int64_t first, std::int64_t count) const {
    take_sorted(lines, items, first, count, runtime::current_stream());
    runtime::check_launch("sort");
  }
};
void sort_lines(const Tensor& self, std::int64_t dim, bool descending, const Tensor& values, const Tensor& indices) {
  if (indices.numel() == 0) return;
  SortedLines s("sort", self, dim, descending, values, indices);
  s.take(0, s.lines.size);
}
void sort_stable(const Tensor& self, std::optional<bool>, std::int64_t dim, bool descending, const Tensor& values,
                 const Tensor& indices) {
  sort_lines(self, dim, descending, values, indices);
}
void argsort_stable(const Tensor& self, bool, std::int64_t dim, bool descending, const Tensor& out) {
  sort_lines(self, dim, descending, Tensor(), out);
}
void topk(const Tensor& self, std::int64_t k, std::int64_t dim, bool largest, bool, const Tensor& values,
          const Tensor& indices) {
  if (indices.numel() == 0) return;
  SortedLines("topk_cuda", self, dim, largest, values, indices).take(0, k);
}
void kthvalue(const Tensor& self, std::int64_t k, std::int64_t dim, bool, const Tensor& values, const Tensor& indices) {
  if (indices.numel() == 0) return;
  SortedLines("kthvalue_cuda", self, dim, false, values, indices).take(k - 1, 1);
}
template <bool IgnoresNan>
void median_dim(const Tensor& self, std::int64_t dim, bool, const Tensor& values, const Tensor& indices) {
  if (values.numel() == 0) return;
  SortedLines s("median_cuda", self, dim, false, values, indices);
  take_medians(s.lines, s.items, IgnoresNan, runtime::current_stream());
  runtime::check_launch("median");
}
void mode(const Tensor& self, std::int64_t dim, bool, const Tensor& values, const Tensor& indices) {
  if (values.numel() == 0) return;
  SortedLines s("mode_cuda", self, dim, false, values, indices);
  take_modes(s.lines, s.items, runtime::current_stream());
  runtime::check_launch("mode");
}
template <bool IgnoresNan>
void median(const Tensor& self, const Tensor& out) {
  if (self.numel() == 0) {
    AutoDispatchBelowADInplaceOrView below;
    Tensor to = out;
    ops::fill_(to, self.is_floating_point() ? Scalar(std::numeric_limits<double>::quiet_NaN()) : Scalar(0));
    return;
  }
  Tensor flat = row_major(self);
  std::int64_t size = self.numel(), one = 1;
  median_dim<IgnoresNan>(make_alias(flat, {&size, 1}, {&one, 1}, flat.storage_offset()), 0, false, out, Tensor());
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(sort_base, CUDA, cuda::sort_lines);
TENON_STRUCTURED_KERNEL(sort_stable, CUDA, cuda::sort_stable);
TENON_STRUCTURED_KERNEL(argsort_stable, CUDA, cuda::argsort_stable);
TENON_STRUCTURED_KERNEL(topk_base, CUDA, cuda::topk);
TENON_STRUCTURED_KERNEL(kthvalue_base, CUDA, cuda::kthvalue);
TENON_STRUCTURED_KERNEL(mode_base, CUDA, cuda::mode);
TENON_STRUCTURED_KERNEL(median_dim, CUDA, cuda::median_dim<false>);
TENON_STRUCTURED_KERNEL(nanmedian_dim, CUDA, cuda::median_dim<true>);
TENON_STRUCTURED_KERNEL(median_base, CUDA, cuda::median<false>);
TENON_STRUCTURED_KERNEL(nanmedian_base, CUDA, cuda::median<true>);

}  // namespace tenon::ops
