// Reading and writing single elements by tensors of indices, on the CPU.
#pragma once
#include <tenon/cpu/index_ops.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/structured/pointwise.hpp>

namespace tenon::cpu::detail {

/// Sizes as if a zero-dim tensor had one dimension.
template <class Int>
dims_t<Int> at_least_1d(ArrayRef<Int> sizes) {
  return sizes.empty() ? dims_t<Int>{1} : dims_t<Int>(sizes);
}
inline DimVector strides_1d(const Tensor& t) { return t.dim() == 0 ? DimVector{1} : DimVector(t.strides()); }

template <class Int>
void check_gather_shapes(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor* src) {
  if (numel_of<Int>(index) == 0) return;
  dims_t<Int> s = at_least_1d(sizes_of<Int>(self)), i = at_least_1d(sizes_of<Int>(index));
  TENON_CHECK(s.size() == i.size(), ValueError, "Index tensor must have the same number of dimensions as ",
              src ? "self tensor" : "input tensor");
  if (!src) {
    for (std::size_t d = 0; d < s.size(); ++d)
      TENON_CHECK(static_cast<std::int64_t>(d) == dim || i[d] <= s[d], ValueError, "Size does not match at dimension ",
                  d, " expected index ", index.sym_sizes(), " to be no larger than self ", self.sym_sizes(),
                  " apart from dimension ", dim);
    return;
  }
  bool fits = true;
  for (std::size_t d = 0; d < s.size(); ++d) fits = fits && (static_cast<std::int64_t>(d) == dim || i[d] <= s[d]);
  if (!src->defined()) {
    TENON_CHECK(fits, ValueError, "Expected index ", index.sym_sizes(), " to be no larger than self ", self.sym_sizes(),
                " apart from dimension ", dim);
    return;
  }
  dims_t<Int> f = at_least_1d(sizes_of<Int>(*src));
  TENON_CHECK(f.size() == i.size(), ValueError, "Index tensor must have the same number of dimensions as src tensor");
  for (std::size_t d = 0; d < s.size(); ++d) fits = fits && i[d] <= f[d];
  TENON_CHECK(fits, ValueError, "Expected index ", index.sym_sizes(), " to be no larger than self ", self.sym_sizes(),
              " apart from dimension ", dim, " and to be no larger size than src ", src->sym_sizes());
}

template <class Int>
bool is_index_dtype(const Tensor& index) {
  return index.dtype() == kLong || index.dtype() == kInt || numel_of<Int>(index) == 0;
}
struct gather_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, bool) const {
    dim = wrap_dim(dim, self.dim());
    TENON_CHECK(is_index_dtype<Int>(index), TypeError, "gather(): Expected dtype int32/int64 for index");
    check_gather_shapes<Int>(self, dim, index, nullptr);
    out.set_output_raw_strided(0, sizes_of<Int>(index), {}, self.dtype(), self.device());
    if (out.form() == StructuredForm::Out) {
      check_no_overlap(out[0], self);
      check_no_overlap(out[0], index);
    }
  }
};
[[noreturn, gnu::cold, gnu::noinline]] inline void index_out_of_bounds(std::int64_t index, std::int64_t dim,
                                                                       std::int64_t size) {
  fail<IndexError>("index ", index, " is out of bounds for dimension ", dim, " with size ", size);
}
/// f(i, k) for every element of `index`: where `indexed` strides lead for its value along `dim`, which is below `size`,
/// and where `plain` ones lead for its place.
template <class F>
void each_index(const Tensor& index, std::int64_t dim, std::int64_t size, IntArrayRef indexed, IntArrayRef plain, F f) {
  if (index.numel() == 0) return;
  Tensor where = row_major(index, kLong);
  DimVector sizes = at_least_1d(index.sizes()), w = contiguous_strides(sizes);
  std::int64_t n = sizes[dim];
  auto p = static_cast<const std::int64_t*>(where.data_ptr());
  parallel_for(0, line_count(sizes, dim), (1 << 14) / (n + 1) + 1, [&](std::int64_t first, std::int64_t last) {
    each_line(sizes, dim, {indexed, plain, IntArrayRef(w)}, first, last, [&](const std::int64_t* at, std::int64_t) {
      for (std::int64_t k = 0; k < n; ++k) {
        std::int64_t i = p[at[2] + k * w[dim]];
        if (i < 0 || i >= size) index_out_of_bounds(i, dim, size);
        f(at[0] + i * indexed[dim], at[1] + k * plain[dim]);
      }
    });
  });
}
inline void gather_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, bool, const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  DimVector s = strides_1d(self), o = strides_1d(out);
  visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    each_index(index, dim, self.dim() ? self.sizes()[dim] : 1, s, o,
               [=](std::int64_t i, std::int64_t k) { y[k] = x[i]; });
  });
}

struct scatter_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src) const {
    dim = wrap_dim(dim, self.dim());
    TENON_CHECK(is_index_dtype<Int>(index), TypeError, "scatter(): Expected dtype int32/int64 for index");
    TENON_CHECK(!src.defined() || src.dtype() == self.dtype(), TypeError,
                "scatter(): Expected self.dtype to be equal to src.dtype");
    check_gather_shapes<Int>(self, dim, index, &src);
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
    if (out.form() != StructuredForm::Functional) {
      check_no_overlap(out[0], index);
      if (src.defined()) check_no_overlap(out[0], src);
    }
  }
};
/// f(destination, source) for every index; `value` is the source where `src` is undefined.
template <class T, class F>
void scatter_elements(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src, T value,
                      const Tensor& out, F f) {
  dim = wrap_dim(dim, self.dim());
  if (!out.is_same(self)) copy_elements(out, self);
  DimVector o = strides_1d(out), s = src.defined() ? strides_1d(src) : DimVector(o.size(), 0);
  const T* x = src.defined() ? static_cast<const T*>(src.data_ptr()) : &value;
  auto y = static_cast<T*>(out.data_ptr());
  each_index(index, dim, self.dim() ? self.sizes()[dim] : 1, o, s,
             [=](std::int64_t i, std::int64_t k) { f(y[i], x[k]); });
}
inline void scatter_src_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src,
                            const Tensor& out) {
  visit_item_size(out.element_size(), [&]<class T>(type_tag<T>) {
    scatter_elements<T>(self, dim, index, src, T{}, out, [](T& d, const T& s) { d = s; });
  });
}
struct scatter_value_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar&) const {
    scatter_meta{}.operator()<Int>(out, self, dim, index, Tensor());
  }
};
inline void scatter_value_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value,
                              const Tensor& out) {
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    scatter_elements<T>(self, dim, index, Tensor(), value.to<T>(), out, [](T& d, const T& s) { d = s; });
  });
}
template <class T>
T add_elements(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else
    return static_cast<T>(compute_t<T>(a) + compute_t<T>(b));
}
template <class T>
T multiply_elements(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else
    return static_cast<T>(compute_t<T>(a) * compute_t<T>(b));
}
inline void scatter_add_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src,
                            const Tensor& out) {
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    scatter_elements<T>(self, dim, index, src, T{}, out, [](T& d, const T& s) { d = add_elements(d, s); });
  });
}
inline bool adds(std::string_view reduce) {
  TENON_CHECK(reduce == "add" || reduce == "multiply", ValueError, "reduce argument must be either add or multiply.");
  return reduce == "add";
}
struct scatter_reduce_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src,
                  std::string_view reduce) const {
    adds(reduce);
    scatter_meta{}.operator()<Int>(out, self, dim, index, src);
  }
};
inline void scatter_reduce_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src,
                               std::string_view reduce, const Tensor& out) {
  if (adds(reduce)) return scatter_add_cpu(self, dim, index, src, out);
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    scatter_elements<T>(self, dim, index, src, T{}, out, [](T& d, const T& s) { d = multiply_elements(d, s); });
  });
}
struct scatter_value_reduce_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar&,
                  std::string_view reduce) const {
    adds(reduce);
    scatter_meta{}.operator()<Int>(out, self, dim, index, Tensor());
  }
};
inline void scatter_value_reduce_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value,
                                     std::string_view reduce, const Tensor& out) {
  bool add = adds(reduce);
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    scatter_elements<T>(self, dim, index, Tensor(), value.to<T>(), out,
                        [add](T& d, const T& s) { d = add ? add_elements(d, s) : multiply_elements(d, s); });
  });
}

inline std::uint64_t flipped_dims(const Tensor& self, IntArrayRef dims) {
  std::uint64_t mask = 0;
  for (std::int64_t d : dims) {
    std::int64_t at = wrap_dim(d, self.dim());
    TENON_CHECK(!(mask >> at & 1), ValueError, "dim ", at, " appears multiple times in the list of dims");
    mask |= std::uint64_t{1} << at;
  }
  return mask;
}
struct flip_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, IntArrayRef dims) const {
    flipped_dims(self, dims);
    const Tensor* operands[] = {&self};
    dims_t<Int> sizes(sizes_of<Int>(self));
    out.set_output_raw_strided(0, sizes, tenon::detail::result_strides(sizes, operands, 1), self.dtype(),
                               self.device());
  }
};
inline void flip_cpu(const Tensor& self, IntArrayRef dims, const Tensor& out) {
  if (self.dim() == 0 || self.numel() == 0) return copy_elements(out, self);
  std::uint64_t mask = flipped_dims(self, dims);
  DimVector strides(self.strides());
  std::int64_t start = 0, last_dim = self.dim() - 1, n = self.sizes().back();
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (mask >> d & 1) {
      start += (self.sizes()[d] - 1) * strides[d];
      strides[d] = -strides[d];
    }
  visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr()) + start;
    auto y = static_cast<T*>(out.data_ptr());
    std::int64_t a = strides.back(), b = out.strides().back();
    parallel_for(0, line_count(self.sizes(), last_dim), (1 << 15) / n + 1, [&](std::int64_t first, std::int64_t last) {
      each_line(self.sizes(), last_dim, {IntArrayRef(strides), out.strides()}, first, last,
                [&](const std::int64_t* at, std::int64_t) {
                  for (std::int64_t k = 0; k < n; ++k) y[at[1] + k * b] = x[at[0] + k * a];
                });
    });
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::ops {

TENON_STRUCTURED_OF(gather_base, cpu::detail::gather_meta);
TENON_STRUCTURED_KERNEL(gather_base, CPU, cpu::detail::gather_cpu);
TENON_STRUCTURED_OF(scatter_src, cpu::detail::scatter_meta);
TENON_STRUCTURED_KERNEL(scatter_src, CPU, cpu::detail::scatter_src_cpu);
TENON_STRUCTURED_OF(scatter_value, cpu::detail::scatter_value_meta);
TENON_STRUCTURED_KERNEL(scatter_value, CPU, cpu::detail::scatter_value_cpu);
TENON_STRUCTURED_OF(scatter_reduce, cpu::detail::scatter_reduce_meta);
TENON_STRUCTURED_KERNEL(scatter_reduce, CPU, cpu::detail::scatter_reduce_cpu);
TENON_STRUCTURED_OF(scatter_value_reduce, cpu::detail::scatter_value_reduce_meta);
TENON_STRUCTURED_KERNEL(scatter_value_reduce, CPU, cpu::detail::scatter_value_reduce_cpu);
TENON_STRUCTURED_OF(scatter_add_base, cpu::detail::scatter_meta);
TENON_STRUCTURED_KERNEL(scatter_add_base, CPU, cpu::detail::scatter_add_cpu);
TENON_STRUCTURED_OF(flip_base, cpu::detail::flip_meta);
TENON_STRUCTURED_KERNEL(flip_base, CPU, cpu::detail::flip_cpu);

}  // namespace tenon::ops
