// Registers what reads and writes along an index, and joins, on CUDA.
#include <tenon/composite/gather.hpp>
#include <tenon/composite/join_shapes.hpp>
#include <tenon/composite/masked_shapes.hpp>
#include <tenon/composite/scatter.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/elements.hpp>
#include <tenon/ops/index.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// Runs a call over `sizes`; `indexed` is the tensor that the index leads into, of `size` places along `dim`. Throws
/// IndexError with `message`, or PyTorch's words where there is none. Waits for the device.
void run_index(IndexCall& c, IntArrayRef sizes, const DimVector& out, const DimVector& in, const DimVector& index,
               std::int64_t dim, const Tensor& indexed, bool adds, const char* message) {
  c.walk = walk_over(sizes, {&out, &in, &index});
  c.step = steps_1d(indexed)[dim];
  c.size = sizes_1d(indexed)[dim];
  std::int64_t one = 1;
  Tensor fault = make_tensor({&one, 1}, {}, kLong, indexed.device());
  fill_elements(fault, operand_of(Scalar(0), kLong));
  c.fault = static_cast<std::int64_t*>(fault.data_ptr());
  if (c.walk.count == 0) return;
  if (!adds)
    move_by_indices(c, runtime::current_stream());
  else if (!add_by_indices(c, runtime::current_stream()))
    not_implemented_for("scatter_add_cuda", c.dtype);
  runtime::check_launch("index");
  std::int64_t bad = fault.item().to_int();
  if (bad == 0) return;
  TENON_CHECK(!message, IndexError, message);
  alignas(8) char element[8];
  runtime::copy_to_host(element, c.index + Offsets<3>(c.walk, bad - 1).at[2], item_size(c.index_dtype));
  fail<IndexError>("index ", load_as<std::int64_t>(element, c.index_dtype), " is out of bounds for dimension ", dim,
                   " with size ", c.size);
}
IndexCall call_for(const Tensor& out, const Tensor& in, const Tensor& index, bool writes) {
  IndexCall c{};
  c.out = static_cast<char*>(out.data_ptr());
  c.in = in.defined() ? static_cast<const char*>(in.data_ptr()) : nullptr;
  c.index = static_cast<const char*>(index.data_ptr());
  c.dtype = out.dtype(), c.index_dtype = index.dtype();
  c.writes = writes;
  return c;
}
/// The steps of an index of one dimension, or none, along `dim` of a shape.
DimVector steps_along(const Tensor& index, std::size_t dims, std::int64_t dim) {
  DimVector steps(dims, 0);
  if (index.numel() > 1) steps[dim] = index.strides()[0] * static_cast<std::int64_t>(index.element_size());
  return steps;
}
DimVector without(DimVector steps, std::int64_t dim) {
  steps[dim] = 0;
  return steps;
}

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
/// A dtype that atomic additions take and that holds all sums of another.
ScalarType adding_type(ScalarType t) {
  return is_reduced_floating_type(t) ? kFloat : is_integral_type(t, true) && t != kInt ? kLong : t;
}
void scatter_add(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src, const Tensor& out) {
  ScalarType wide = adding_type(out.dtype());
  if (wide == out.dtype()) return scatter(self, dim, index, src, nullptr, out, true);
  Tensor sums = make_tensor(out.sizes(), {}, wide, out.device());
  scatter(self, dim, index, row_major(src, wide), nullptr, sums, true);
  copy_elements(out, sums);
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
TENON_STRUCTURED_KERNEL(index_copy_base, CUDA, cuda::index_copy);
TENON_STRUCTURED_KERNEL(masked_fill_Scalar, CUDA, cuda::masked_fill);
TENON_STRUCTURED_KERNEL(masked_fill_Tensor, CUDA, cuda::masked_fill_tensor);
TENON_STRUCTURED_KERNEL(cat_base, CUDA, cuda::cat);

}  // namespace tenon::ops
