// Reductions to places on the CPU: argmax and argmin, and extremes along one dimension with their places, both
// extremes.
#pragma once
#include <tenon/composite/places.hpp>
#include <tenon/cpu/reduction.hpp>

namespace tenon::cpu::detail {

/// Indices of the extremes along `at` into `indices`; with no dimension, the index in row-major order.
template <bool Largest>
void find_places(const Tensor& self, std::optional<std::int64_t> at, bool keepdim, const Tensor& indices) {
  if (!has_arithmetic(self.dtype())) not_implemented_for(Largest ? "argmax_cpu" : "argmin_cpu", self.dtype());
  if (indices.numel() == 0) return;
  ScalarType compute = reduction::accumulation_dtype(self.dtype());
  if (self.numel() == 1 || self.dim() == 0) {
    *static_cast<std::int64_t*>(indices.data_ptr()) = 0;
    return;
  }
  auto run = [&](const Tensor& t, std::uint64_t mask, bool keep) {
    run_reduction(loops_of<first_place<Largest>>(), Largest ? "argmax_cpu" : "argmin_cpu", compute, t, mask, keep,
                  indices);
  };
  if (at) return run(self, composite::one_dim(self, *at), keepdim);
  Tensor flat = row_major(self);
  run(make_alias(flat, {flat.numel()}, {1}, flat.storage_offset()), 1, false);
}
template <bool Largest>
void place_cpu(const Tensor& self, std::optional<std::int64_t> dim, bool keepdim, const Tensor& out) {
  find_places<Largest>(self, dim ? std::optional(wrap_dim(*dim, self.dim())) : std::nullopt, keepdim, out);
}
template <bool Largest>
void extreme_dim_cpu(const Tensor& self, std::int64_t dim, bool keepdim, const Tensor& values, const Tensor& indices) {
  std::int64_t at = wrap_dim(dim, self.dim());
  find_places<Largest>(self, at, keepdim, indices);
  DimVector sizes(self.sizes()), v, i;
  if (self.dim() == 0) return copy_elements(values, self);
  if (values.numel() == 0) return;
  // Seen with the reduced dimension of size 1, so that one walk serves the three tensors.
  for (std::size_t d = 0, k = 0; d < sizes.size(); ++d) {
    bool reduced = static_cast<std::int64_t>(d) == at;
    v.push_back(reduced ? 0 : values.strides()[keepdim ? d : k]);
    i.push_back(reduced ? 0 : indices.strides()[keepdim ? d : k]);
    if (!reduced) ++k;
  }
  sizes[at] = 1;
  auto p = static_cast<const std::int64_t*>(indices.data_ptr());
  std::int64_t step = self.strides()[at];
  visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    auto y = static_cast<T*>(values.data_ptr());
    each_line(sizes, at, {self.strides(), IntArrayRef(v), IntArrayRef(i)}, 0, values.numel(),
              [&](const std::int64_t* o, std::int64_t) { y[o[1]] = x[o[0] + p[o[2]] * step]; });
  });
}
inline void aminmax_cpu(const Tensor& self, std::optional<std::int64_t> dim, bool keepdim, const Tensor& least,
                        const Tensor& most) {
  if (least.numel() == 0) return;
  std::uint64_t mask =
      dim ? composite::one_dim(self, wrap_dim(*dim, self.dim())) : reduction::dim_mask(std::nullopt, self.dim());
  ScalarType accumulates = reduction::accumulation_dtype(self.dtype());
  reduce_by<reduction::min>(accumulates, self, mask, keepdim, least);
  reduce_by<reduction::max>(accumulates, self, mask, keepdim, most);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) { install_reduce_kernels(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(argmax_base, CPU, cpu::detail::place_cpu<true>);
TENON_STRUCTURED_KERNEL(argmin_base, CPU, cpu::detail::place_cpu<false>);
TENON_STRUCTURED_KERNEL(max_dim, CPU, cpu::detail::extreme_dim_cpu<true>);
TENON_STRUCTURED_KERNEL(min_dim, CPU, cpu::detail::extreme_dim_cpu<false>);
TENON_STRUCTURED_KERNEL(aminmax_base, CPU, cpu::detail::aminmax_cpu);

}  // namespace tenon::ops
