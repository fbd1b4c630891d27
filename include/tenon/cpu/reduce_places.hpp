// Reductions to places on the CPU: argmax and argmin, and extremes along one dimension with their places, both
// extremes.
#pragma once
#include <tenon/cpu/reduction.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/reduce.hpp>

namespace tenon::cpu::detail {

template <class Int>
std::int64_t check_place_dim(const char* name, const Tensor& self, std::int64_t dim) {
  std::int64_t at = wrap_dim(dim, self.dim());
  TENON_CHECK(self.dim() == 0 || sizes_of<Int>(self)[at] != 0, IndexError, name, "(): Expected reduction dim ", at,
              " to have non-zero size.");
  return at;
}
inline std::uint64_t one_dim(const Tensor& self, std::int64_t at) {
  return self.dim() == 0 ? 0 : std::uint64_t{1} << at;
}
template <bool Largest>
struct place_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::optional<std::int64_t> dim, bool keepdim) const {
    const char* name = Largest ? "argmax" : "argmin";
    TENON_CHECK(self.dtype() != kBool, NotImplementedError, name, "(): does not support bool input");
    reduction::check_ordered(name, self);
    std::uint64_t mask = 0;
    if (dim)
      mask = one_dim(self, check_place_dim<Int>(name, self, *dim));
    else {
      TENON_CHECK(
          numel_of<Int>(self) != 0, IndexError, name,
          "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
      mask = reduction::dim_mask(std::nullopt, self.dim());
    }
    out.set_output_raw_strided(0, reduction::reduced_sizes(sizes_of<Int>(self), mask, keepdim), {}, kLong,
                               self.device());
  }
};
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
  if (at) return run(self, one_dim(self, *at), keepdim);
  Tensor flat = row_major(self);
  run(make_alias(flat, {flat.numel()}, {1}, flat.storage_offset()), 1, false);
}
template <bool Largest>
void place_cpu(const Tensor& self, std::optional<std::int64_t> dim, bool keepdim, const Tensor& out) {
  find_places<Largest>(self, dim ? std::optional(wrap_dim(*dim, self.dim())) : std::nullopt, keepdim, out);
}

/// Values and places along one dimension.
template <bool Largest>
struct extreme_dim_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, bool keepdim) const {
    const char* name = Largest ? "max" : "min";
    std::uint64_t mask = one_dim(self, check_place_dim<Int>(name, self, dim));
    reduction::check_ordered(name, self);
    dims_t<Int> sizes = reduction::reduced_sizes(sizes_of<Int>(self), mask, keepdim);
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
    out.set_output_raw_strided(1, ArrayRef<Int>(sizes), {}, kLong, self.device());
  }
};
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

/// The smallest and the largest elements, without their places.
struct aminmax_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::optional<std::int64_t> dim, bool keepdim) const {
    std::uint64_t mask = 0;
    if (dim) {
      mask = one_dim(self, check_place_dim<Int>("aminmax", self, *dim));
    } else {
      TENON_CHECK(numel_of<Int>(self) > 0, IndexError,
                  "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
      mask = reduction::dim_mask(std::nullopt, self.dim());
    }
    reduction::check_ordered("aminmax", self);
    dims_t<Int> sizes = reduction::reduced_sizes(sizes_of<Int>(self), mask, keepdim);
    for (unsigned i : {0u, 1u}) out.set_output_raw_strided(i, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
  }
};
inline void aminmax_cpu(const Tensor& self, std::optional<std::int64_t> dim, bool keepdim, const Tensor& least,
                        const Tensor& most) {
  if (least.numel() == 0) return;
  std::uint64_t mask = dim ? one_dim(self, wrap_dim(*dim, self.dim())) : reduction::dim_mask(std::nullopt, self.dim());
  ScalarType accumulates = reduction::accumulation_dtype(self.dtype());
  reduce_by<reduction::min>(accumulates, self, mask, keepdim, least);
  reduce_by<reduction::max>(accumulates, self, mask, keepdim, most);
}

inline Tensor max_other(const Tensor& self, const Tensor& other) { return ops::maximum(self, other); }
inline Tensor min_other(const Tensor& self, const Tensor& other) { return ops::minimum(self, other); }
inline Tensor& max_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return ops::maximum(self, other, "out"_a = out);
}
inline Tensor& min_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return ops::minimum(self, other, "out"_a = out);
}

}  // namespace tenon::cpu::detail

namespace tenon::ops {

TENON_STRUCTURED_OF(argmax_base, cpu::detail::place_meta<true>);
TENON_STRUCTURED_KERNEL(argmax_base, CPU, &cpu::detail::place_cpu<true>);
TENON_STRUCTURED_OF(argmin_base, cpu::detail::place_meta<false>);
TENON_STRUCTURED_KERNEL(argmin_base, CPU, &cpu::detail::place_cpu<false>);
TENON_STRUCTURED_OF(max_dim, cpu::detail::extreme_dim_meta<true>);
TENON_STRUCTURED_KERNEL(max_dim, CPU, &cpu::detail::extreme_dim_cpu<true>);
TENON_STRUCTURED_OF(min_dim, cpu::detail::extreme_dim_meta<false>);
TENON_STRUCTURED_KERNEL(min_dim, CPU, &cpu::detail::extreme_dim_cpu<false>);

TENON_STRUCTURED_OF(aminmax_base, cpu::detail::aminmax_meta);
TENON_STRUCTURED_KERNEL(aminmax_base, CPU, &cpu::detail::aminmax_cpu);

}  // namespace tenon::ops

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_reduce_kernels();
  m.def<ops::max_other>().def<ops::min_other>().def<ops::max_other_out>().def<ops::min_other_out>();
  m.impl<ops::max_other, &detail::max_other>().impl<ops::min_other, &detail::min_other>();
  m.impl<ops::max_other_out, &detail::max_out>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::min_other_out, &detail::min_out>(DispatchKey::CompositeExplicitAutograd);
}

}  // namespace tenon::cpu
