// Registers turned, rolled and cut tensors on CUDA.
#include <tenon/composite/arrange.hpp>
#include <tenon/composite/triangles.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

void flip(const Tensor& self, IntArrayRef dims, const Tensor& out) {
  if (self.numel() == 0) return;
  if (self.dim() == 0) return copy_elements(out, self);
  std::uint64_t mask = composite::flipped_dims(self, dims);
  DimVector to = steps_of(out, self.sizes()), from = steps_of(self, self.sizes());
  CopyCall call{};
  call.elements.operands = 2;
  call.elements.at[0] = operand_of(out);
  call.elements.at[1] = operand_of(self);
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (mask >> d & 1) {
      call.elements.at[1].data += (self.sizes()[d] - 1) * from[d];
      from[d] = -from[d];
    }
  call.elements.walk = walk_over(self.sizes(), {&to, &from}, true);
  copy(call, runtime::current_stream());
  runtime::check_launch("flip");
}
/// A stretch of a dimension.
Tensor stretch(const Tensor& t, std::int64_t dim, std::int64_t first, std::int64_t size) {
  DimVector sizes(t.sizes());
  sizes[dim] = size;
  return make_alias(t, sizes, t.strides(), t.storage_offset() + first * t.strides()[dim]);
}
void roll(const Tensor& self, IntArrayRef shifts, IntArrayRef dims, const Tensor& out) {
  if (self.numel() == 0) return;
  if (self.dim() == 0) return copy_elements(out, self);
  auto once = [](const Tensor& from, std::int64_t shift, std::int64_t dim, const Tensor& to) {
    std::int64_t n = from.sizes()[dim], start = ((n - shift) % n + n) % n;
    copy_elements(stretch(to, dim, 0, n - start), stretch(from, dim, start, n - start));
    if (start) copy_elements(stretch(to, dim, n - start, start), stretch(from, dim, 0, start));
  };
  if (dims.empty()) {
    Tensor flat = row_major(self);
    Result to(out, out.dtype());
    once(line_of(flat), shifts[0], 0, line_of(to.tensor()));
    return to.done();
  }
  Tensor from = self;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    Tensor to = i + 1 == dims.size() ? out : make_tensor(self.sizes(), {}, self.dtype(), self.device());
    once(from, shifts[i], wrap_dim(dims[i], self.dim()), to);
    from = to;
  }
}
template <bool Upper>
void triangle(const Tensor& self, std::int64_t diagonal, const Tensor& out) {
  if (out.numel() == 0) return;
  DimVector to = steps_of(out, self.sizes()), from = steps_of(self, self.sizes());
  TriangleCall call{};
  call.elements.operands = 2;
  call.elements.at[0] = operand_of(out);
  call.elements.at[1] = operand_of(self);
  call.elements.walk = walk_over(self.sizes(), {&to, &from});
  call.rows = self.sizes()[self.dim() - 2], call.columns = self.sizes()[self.dim() - 1];
  call.diagonal = diagonal, call.upper = Upper;
  cut_triangle(call, runtime::current_stream());
  runtime::check_launch(Upper ? "triu" : "tril");
}
void trace(const Tensor& self, const Tensor& out) {
  AutoDispatchBelowADInplaceOrView below;
  copy_elements(out, ops::sum(ops::diagonal(self)));
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(flip_base, CUDA, cuda::flip);
TENON_STRUCTURED_KERNEL(roll_base, CUDA, cuda::roll);
TENON_STRUCTURED_KERNEL(tril_base, CUDA, cuda::triangle<false>);
TENON_STRUCTURED_KERNEL(triu_base, CUDA, cuda::triangle<true>);
TENON_STRUCTURED_KERNEL(trace_base, CUDA, cuda::trace);

}  // namespace tenon::ops
