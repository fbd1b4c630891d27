// The reduction rows on CUDA: from a call of a row to the kernel of its operation.
#include <tenon/composite/hash_tensor.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/reduction/device.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

ReduceLayout layout_of(const ReduceCall& c) {
  if (is_dense(c.reduced, 1, c.in_dtype) && is_on_packs(c.in, c.kept, 1)) return ReduceLayout::Rows;
  int last = c.kept.dims - 1;
  bool columns = last >= 0 && c.reduced.dims == 1 && c.kept.size[last] >= kWarp &&
                 c.kept.step[1][last] == static_cast<std::int64_t>(item_size(c.in_dtype));
  return columns ? ReduceLayout::Columns : ReduceLayout::Any;
}

void run(const reduction::DeviceCall& call) {
  const Tensor& out = call.out;
  if (out.numel() == 0) return;
  const reduction::Arguments& a = call.arguments;
  DeviceGuard guard(out.device());
  ScalarType elements = call.rule.elements(a, out.dtype());
  Tensor from = elements == a.self.dtype() ? a.self : row_major(a.self, elements);
  if (call.rule.magnitudes && from.is_complex()) {
    AutoDispatchBelowADInplaceOrView below;
    from = ops::abs(from);
  }
  ReduceCall c{};
  c.accumulates = call.rule.accumulates(from.dtype(), out.dtype());
  std::string_view name = call.name.empty() ? call.rule.name : call.name;
  if (c.accumulates != kBool && !has_arithmetic(from.dtype())) not_implemented_for(name, from.dtype());
  // The dimensions that stay, and those that go.
  std::uint64_t mask = call.rule.mask(a);
  DimVector kept, gone, to, from_kept, from_gone, none;
  auto item = static_cast<std::int64_t>(from.element_size()), out_item = static_cast<std::int64_t>(out.element_size());
  for (std::int64_t d = 0, at = 0; d < from.dim(); ++d) {
    std::int64_t size = from.sizes()[d], step = from.strides()[d] * item;
    if (mask >> d & 1) {
      gone.push_back(size);
      from_gone.push_back(step);
      none.push_back(0);
      at += a.keepdim;
      continue;
    }
    kept.push_back(size);
    from_kept.push_back(step);
    to.push_back(out.strides()[at++] * out_item);
  }
  c.kept = walk_over(kept, {&to, &from_kept});
  c.reduced = walk_over(gone, {&none, &from_gone});
  c.out = out.data_ptr(), c.in = from.data_ptr();
  c.out_dtype = out.dtype(), c.in_dtype = from.dtype();
  c.operation = call.operation;
  c.layout = layout_of(c);
  c.parts = reduce_parts_for(c.kept.count, c.reduced.count, c.layout);
  Tensor scratch;
  if (c.parts > 1) {
    scratch = scratch_on(out.device(), 16 * c.kept.count * c.parts);
    c.scratch = scratch.data_ptr();
  }
  if (!reduce(c, call.number, runtime::current_stream())) not_implemented_for(name, from.dtype());
  runtime::check_launch(call.rule.name);
}

}  // namespace
}  // namespace tenon::cuda

extern "C" void tenon_cuda_reduce(const tenon::reduction::DeviceCall& call) { tenon::cuda::run(call); }

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(hash_tensor_base, CUDA, &composite::hash_tensor);

}  // namespace tenon::ops
