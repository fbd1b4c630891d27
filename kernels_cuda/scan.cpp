// Registers running values and extremes with their places on CUDA.
#include <tenon/composite/place_shapes.hpp>
#include <tenon/composite/running_shapes.hpp>
#include <tenon/composite/scan.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

void run_scan(const char* name, Scan what, const Tensor& self, std::int64_t dim, const Tensor& out,
              const Tensor& places) {
  if (out.numel() == 0) return;
  ScanCall c{lines_of(self, wrap_dim(dim, self.dim()), out, places), 1, nullptr};
  c.parts = scan_parts_for(c.lines.lines.count, c.lines.size);
  Tensor scratch;
  if (c.parts > 1) {
    scratch = scratch_on(out.device(), 32 * c.lines.lines.count * c.parts);
    c.scratch = scratch.data_ptr();
  }
  if (!scan(c, what, runtime::current_stream())) not_implemented_for(name, self.dtype());
  runtime::check_launch(name);
}
template <Scan What>
void cumulate(const Tensor& self, std::int64_t dim, std::optional<ScalarType>, const Tensor& out) {
  Tensor from = self.dtype() == out.dtype() ? self : row_major(self, out.dtype());
  run_scan(What == Scan::Sum ? "cumsum_cuda" : "cumprod_cuda", What, from, dim, out, Tensor());
}
template <Scan What>
void running_extreme(const Tensor& self, std::int64_t dim, const Tensor& values, const Tensor& indices) {
  run_scan(What == Scan::Largest ? "cummax_cuda" : "cummin_cuda", What, self, dim, values, indices);
}
void logcumsumexp(const Tensor& self, std::int64_t dim, const Tensor& out) {
  run_scan("logcumsumexp_cuda", Scan::LogSum, self, dim, out, Tensor());
}

void run_extremes(const char* name, bool largest, const LinesCall& c) {
  if (c.lines.count == 0) return;
  if (!find_extremes(c, largest, runtime::current_stream())) not_implemented_for(name, c.dtype);
  runtime::check_launch(name);
}
template <bool Largest>
void find_place(const Tensor& self, std::optional<std::int64_t> dim, bool, const Tensor& out) {
  const char* name = Largest ? "argmax_cuda" : "argmin_cuda";
  if (dim) return run_extremes(name, Largest, lines_of(self, wrap_dim(*dim, self.dim()), Tensor(), out));
  Tensor flat = row_major(self);
  std::int64_t sizes[] = {self.numel(), 1}, one = 1;
  IntArrayRef all(sizes, 1), single(sizes + 1, 1), step(&one, 1);
  run_extremes(name, Largest,
               lines_of(make_alias(flat, all, step, flat.storage_offset()), 0, Tensor(),
                        make_alias(out, single, step, out.storage_offset())));
}
template <bool Largest>
void extreme_dim(const Tensor& self, std::int64_t dim, bool, const Tensor& values, const Tensor& indices) {
  run_extremes(Largest ? "max_cuda" : "min_cuda", Largest, lines_of(self, wrap_dim(dim, self.dim()), values, indices));
}
void aminmax(const Tensor& self, std::optional<std::int64_t> dim, bool keepdim, const Tensor& least,
             const Tensor& most) {
  if (least.numel() == 0) return;
  AutoDispatchBelowADInplaceOrView below;
  std::int64_t at = dim ? wrap_dim(*dim, self.dim()) : 0;
  IntArrayRef dims(&at, dim ? 1 : 0);
  copy_elements(least, ops::amin(self, dims, keepdim));
  copy_elements(most, ops::amax(self, dims, keepdim));
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(cumsum_base, CUDA, cuda::cumulate<cuda::Scan::Sum>);
TENON_STRUCTURED_KERNEL(cumprod_base, CUDA, cuda::cumulate<cuda::Scan::Product>);
TENON_STRUCTURED_KERNEL(cummax_base, CUDA, cuda::running_extreme<cuda::Scan::Largest>);
TENON_STRUCTURED_KERNEL(cummin_base, CUDA, cuda::running_extreme<cuda::Scan::Smallest>);
TENON_STRUCTURED_KERNEL(logcumsumexp_base, CUDA, cuda::logcumsumexp);
TENON_STRUCTURED_KERNEL(argmax_base, CUDA, cuda::find_place<true>);
TENON_STRUCTURED_KERNEL(argmin_base, CUDA, cuda::find_place<false>);
TENON_STRUCTURED_KERNEL(max_dim, CUDA, cuda::extreme_dim<true>);
TENON_STRUCTURED_KERNEL(min_dim, CUDA, cuda::extreme_dim<false>);
TENON_STRUCTURED_KERNEL(aminmax_base, CUDA, cuda::aminmax);

}  // namespace tenon::ops
