// Registers what reads and writes along an index, and joins, on CUDA.
#include <tenon/composite/gather.hpp>
#include <tenon/composite/join_shapes.hpp>
#include <tenon/composite/masked_shapes.hpp>
#include <tenon/composite/scatter.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/elements.hpp>
#include <tenon/ops/index.hpp>

#include "index_calls.hpp"
#include "support.hpp"

namespace tenon::cuda {
namespace {

void index_select(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  IndexCall c = call_for(out, self, index, false);
  DimVector sizes = sizes_1d(out);
  run_index(c, sizes, steps_1d(out), without(steps_1d(self), dim), steps_along(index, sizes.size(), dim), dim, self,
            false, "index out of range in self");
}
void gather(const Tensor& self, std::int64_t dim, const Tensor& index, bool, const Tensor& out) {
  if (index.numel() == 0) return;
  dim = wrap_dim(dim, self.dim());
  IndexCall c = call_for(out, self, index, false);
  run_index(c, sizes_1d(index), steps_1d(out), without(steps_1d(self), dim), steps_1d(index), dim, self, false,
            nullptr);
}
void scatter(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src, const Scalar* value,
             const Tensor& out, bool adds) {
  if (!out.is_same(self)) copy_elements(out, self);
  if (index.numel() == 0) return;
  dim = wrap_dim(dim, self.dim());
  IndexCall c = call_for(out, src, index, true);
  if (value) std::memcpy(c.element, operand_of(*value, out.dtype()).element, sizeof c.element);
  DimVector sizes = sizes_1d(index), none(sizes.size(), 0);
  run_index(c, sizes, without(steps_1d(out), dim), src.defined() ? steps_1d(src) : none, steps_1d(index), dim, out,
            adds, nullptr);
}
void scatter_src(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src, const Tensor& out) {
  scatter(self, dim, index, src, nullptr, out, false);
}
void scatter_value(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value, const Tensor& out) {
  scatter(self, dim, index, Tensor(), &value, out, false);
}
void scatter_add(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src, const Tensor& out) {
  ScalarType wide = adding_type(out.dtype());
  if (wide == out.dtype()) return scatter(self, dim, index, src, nullptr, out, true);
  Tensor sums = make_tensor(out.sizes(), {}, wide, out.device());
  scatter(self, dim, index, row_major(src, wide), nullptr, sums, true);
  copy_elements(out, sums);
}
void index_add(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha,
               const Tensor& out) {
  AutoDispatchBelowADInplaceOrView below;
  if (!out.is_same(self)) copy_elements(out, self);
  if (source.numel() == 0 || index.numel() == 0) return;
  dim = wrap_dim(dim, self.dim());
  ScalarType wide = adding_type(out.dtype());
  Tensor sums = wide == out.dtype() ? out : row_major(out, wide), from = row_major(source, wide);
  if (!alpha.equal(1)) from = ops::mul(from, alpha);
  IndexCall c = call_for(sums, from, index, true);
  DimVector sizes = sizes_1d(out);
  sizes[dim] = index.numel();
  DimVector steps = from.dim() ? steps_1d(from) : DimVector(sizes.size(), 0);
  run_index(c, sizes, without(steps_1d(sums), dim), steps, steps_along(index, sizes.size(), dim), dim, sums, true,
            "index out of range in self");
  if (!sums.is_same(out)) copy_elements(out, sums);
}
void index_copy(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source, const Tensor& out) {
  if (!out.is_same(self)) copy_elements(out, self);
  if (source.numel() == 0) return;
  dim = wrap_dim(dim, self.dim());
  IndexCall c = call_for(out, source, index, true);
  DimVector sizes = sizes_1d(out);
  sizes[dim] = index.numel();
  DimVector from = source.dim() ? steps_1d(source) : DimVector(sizes.size(), 0);
  run_index(c, sizes, without(steps_1d(out), dim), from, steps_along(index, sizes.size(), dim), dim, out, false,
            nullptr);
}

void masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value, const Tensor& out) {
  if (out.numel() == 0) return;
  Tensor number = make_tensor({}, {}, out.dtype());
  visit_scalar_type(out.dtype(),
                    [&]<class T>(type_tag<T>) { *static_cast<T*>(number.data_ptr()) = checked_element<T>(value); });
  AutoDispatchBelowADInplaceOrView below;
  copy_elements(out, ops::where(mask, number, self));
}
void masked_fill_tensor(const Tensor& self, const Tensor& mask, const Tensor& value, const Tensor& out) {
  masked_fill(self, mask, value.item(), out);
}

void cat(TensorList tensors, std::int64_t dim, const Tensor& out) {
  composite::CatPlan plan = composite::plan_cat(tensors, dim);
  if (!plan.first || out.numel() == 0) return;
  std::int64_t at = 0;
  for (const Tensor& t : tensors) {
    if (composite::is_legacy_empty(t)) continue;
    DimVector sizes(out.sizes());
    sizes[plan.dim] = t.sizes()[plan.dim];
    copy_elements(make_alias(out, sizes, out.strides(), out.storage_offset() + at * out.strides()[plan.dim]), t);
    at += t.sizes()[plan.dim];
  }
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(index_select_base, CUDA, cuda::index_select);
TENON_STRUCTURED_KERNEL(gather_base, CUDA, cuda::gather);
TENON_STRUCTURED_KERNEL(scatter_src, CUDA, cuda::scatter_src);
TENON_STRUCTURED_KERNEL(scatter_value, CUDA, cuda::scatter_value);
TENON_STRUCTURED_KERNEL(scatter_add_base, CUDA, cuda::scatter_add);
TENON_STRUCTURED_KERNEL(index_add_base, CUDA, cuda::index_add);
TENON_STRUCTURED_KERNEL(index_copy_base, CUDA, cuda::index_copy);
TENON_STRUCTURED_KERNEL(masked_fill_Scalar, CUDA, cuda::masked_fill);
TENON_STRUCTURED_KERNEL(masked_fill_Tensor, CUDA, cuda::masked_fill_tensor);
TENON_STRUCTURED_KERNEL(cat_base, CUDA, cuda::cat);

}  // namespace tenon::ops
