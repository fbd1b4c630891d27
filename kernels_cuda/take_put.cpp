// Registers reading and writing by flat positions, and filling along an index, on CUDA.
#include <tenon/composite/take_put_shapes.hpp>
#include <tenon/ops/arithmetic.hpp>

#include "index_calls.hpp"

namespace tenon::cuda {
namespace {

void take(const Tensor& self, const Tensor& index, const Tensor& out) {
  if (out.numel() == 0) return;
  Tensor from = line_of(row_major(self));
  IndexCall c = call_for(out, from, index, false);
  c.wraps = true;
  DimVector none(index.sizes().size(), 0);
  run_index(c, index.sizes(), steps_of(out, index.sizes()), none, steps_of(index, index.sizes()), 0, from, false,
            nullptr);
}
/// Of positions given twice any may win; with `accumulate` all are added, in an order that is not told.
void put(const Tensor& self, const Tensor& index, const Tensor& source, bool accumulate, const Tensor& out) {
  if (!out.is_same(self)) copy_elements(out, self);
  if (index.numel() == 0) return;
  ScalarType wide = accumulate ? adding_type(out.dtype()) : out.dtype();
  Tensor whole = row_major(out, wide), to = line_of(whole), from = line_of(row_major(source, wide)),
         list = line_of(row_major(index));
  IndexCall c = call_for(to, from, list, true);
  c.wraps = true;
  run_index(c, list.sizes(), {0}, steps_1d(from), steps_1d(list), 0, to, accumulate, nullptr);
  if (!whole.is_same(out)) copy_elements(out, whole);
}
void index_fill(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value, const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  if (!out.is_same(self)) copy_elements(out, self);
  if (index.numel() == 0 || out.numel() == 0) return;
  IndexCall c = call_for(out, Tensor(), index, true);
  c.wraps = true;
  std::memcpy(c.element, operand_of(value, out.dtype()).element, sizeof c.element);
  DimVector sizes = sizes_1d(out), none(sizes.size(), 0);
  sizes[dim] = index.numel();
  run_index(c, sizes, without(steps_1d(out), dim), none, steps_along(index, sizes.size(), dim), dim, out, false,
            nullptr);
}
void index_fill_tensor(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& value,
                       const Tensor& out) {
  index_fill(self, dim, index, composite::value_to_fill(value), out);
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(take_base, CUDA, cuda::take);
TENON_STRUCTURED_KERNEL(put_base, CUDA, cuda::put);
TENON_STRUCTURED_KERNEL(index_fill_int_Scalar, CUDA, cuda::index_fill);
TENON_STRUCTURED_KERNEL(index_fill_int_Tensor, CUDA, cuda::index_fill_tensor);

}  // namespace tenon::ops
