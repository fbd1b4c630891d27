// Writing along an index on the CPU.
#pragma once
#include <tenon/base/checked_element.hpp>
#include <tenon/composite/scatter.hpp>
#include <tenon/cpu/detail/index_lines.hpp>

namespace tenon::cpu::detail {

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
inline void scatter_value_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value,
                              const Tensor& out) {
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    scatter_elements<T>(self, dim, index, Tensor(), checked_element<T>(value), out, [](T& d, const T& s) { d = s; });
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
/// f(self, src, out), of float where these hold 16 bits: PyTorch rounds such sums and products once.
template <class F>
void widened(const Tensor& self, const Tensor& src, const Tensor& out, F f) {
  if (!is_reduced_floating_type(out.dtype())) return f(self, src, out);
  Tensor wide = make_tensor(out.sizes(), {}, kFloat);
  f(row_major(self, kFloat), src.defined() ? row_major(src, kFloat) : src, wide);
  copy_elements(out, wide);
}
inline void scatter_add_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src,
                            const Tensor& out) {
  widened(self, src, out, [&](const Tensor& from, const Tensor& added, const Tensor& to) {
    visit_scalar_type(to.dtype(), [&]<class T>(type_tag<T>) {
      scatter_elements<T>(from, dim, index, added, T{}, to, [](T& d, const T& s) { d = add_elements(d, s); });
    });
  });
}
inline void scatter_reduce_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src,
                               std::string_view reduce, const Tensor& out) {
  if (composite::adds(reduce)) return scatter_add_cpu(self, dim, index, src, out);
  widened(self, src, out, [&](const Tensor& from, const Tensor& factors, const Tensor& to) {
    visit_scalar_type(to.dtype(), [&]<class T>(type_tag<T>) {
      scatter_elements<T>(from, dim, index, factors, T{}, to, [](T& d, const T& s) { d = multiply_elements(d, s); });
    });
  });
}
inline void scatter_value_reduce_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value,
                                     std::string_view reduce, const Tensor& out) {
  bool add = composite::adds(reduce);
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    scatter_elements<T>(self, dim, index, Tensor(), checked_element<T>(value), out,
                        [add](T& d, const T& s) { d = add ? add_elements(d, s) : multiply_elements(d, s); });
  });
}
inline void index_add_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
                          const Scalar& alpha, const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  std::int64_t size = self.dim() ? self.sizes()[dim] : 1;
  Tensor list = checked_indices(index, size, "index out of range in self");
  if (!out.is_same(self)) copy_elements(out, self);
  if (out.numel() == 0 || source.numel() == 0) return;
  // PyTorch rounds 16-bit floats once, after all additions, along the first and the last dimension if the indices are
  // int64.
  if (is_reduced_floating_type(out.dtype()) && index.dtype() == kLong && self.dim() > 1 &&
      (dim == 0 || dim == self.dim() - 1) && alpha.equal(1)) {
    Tensor wide = make_tensor(out.sizes(), {}, kFloat);
    copy_elements(wide, out);
    index_add_cpu(wide, dim, list, row_major(source, kFloat), alpha, wide);
    return copy_elements(out, wide);
  }
  Tensor from = row_major(source), to = row_major(out);
  Cut cut(to.sizes(), self.dim() ? dim : 0);
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  std::int64_t n = list.numel();
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    const C scale = alpha.to<C>();
    auto x = static_cast<const T*>(from.data_ptr());
    auto y = static_cast<T*>(to.data_ptr());
    // Threads share the columns of a row, so that every element is added to in the order of the indices.
    std::int64_t work = cut.outer * cut.inner;
    parallel_for(0, work, (1 << 15) / (n + 1) + 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t c = first; c < last;) {
        std::int64_t o = c / cut.inner, at = c % cut.inner, m = last - c < cut.inner - at ? last - c : cut.inner - at;
        for (std::int64_t i = 0; i < n; ++i) {
          const T* s = x + (o * n + i) * cut.inner + at;
          T* d = y + (o * size + p[i]) * cut.inner + at;
          for (std::int64_t k = 0; k < m; ++k) {
            if constexpr (std::is_same_v<T, bool>)
              d[k] = d[k] | (s[k] & scale);
            else
              d[k] = static_cast<T>(static_cast<C>(d[k]) + static_cast<C>(s[k]) * scale);
          }
        }
        c += m;
      }
    });
  });
  if (!to.is_same(out)) copy_elements(out, to);
}
/// Where an index is given twice the last row stays.
inline void index_copy_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
                           const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  if (!out.is_same(self)) copy_elements(out, self);
  Tensor list = row_major(index);
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  std::int64_t n = list.numel();
  DimVector sizes = composite::at_least_1d(out.sizes()), o = strides_1d(out), s = strides_1d(source);
  if (source.dim() == 0) s = DimVector(o.size(), 0);
  std::int64_t size = sizes[dim];
  for (std::int64_t i = 0; i < n; ++i)
    TENON_CHECK(p[i] >= 0 && p[i] < size, IndexError, "index_copy_(): index ", p[i], " is out of bounds for dimension ",
                dim, " with size ", size);
  if (out.numel() == 0) return;
  // Whole rows where these are long and their elements lie closer together than those along `dim`.
  bool closer = false;
  for (std::size_t d = 0; d < sizes.size(); ++d) closer = closer || (sizes[d] > 1 && o[d] < o[dim]);
  bool rows = closer && source.dim() > 0 && out.numel() / size >= 64;
  if (rows) {
    for (std::int64_t i = 0; i < n; ++i) copy_elements(narrowed(out, dim, p[i], 1), narrowed(source, dim, i, 1));
    return;
  }
  visit_item_size(out.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(source.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    parallel_for(0, line_count(sizes, dim), (1 << 14) / (n + 1) + 1, [&](std::int64_t first, std::int64_t last) {
      each_line(sizes, dim, {IntArrayRef(o), IntArrayRef(s)}, first, last, [&](const std::int64_t* at, std::int64_t) {
        for (std::int64_t i = 0; i < n; ++i) y[at[0] + p[i] * o[dim]] = x[at[1] + i * s[dim]];
      });
    });
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) { install_kernels<&KernelTables::copy>(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(scatter_src, CPU, cpu::detail::scatter_src_cpu);
TENON_STRUCTURED_KERNEL(scatter_value, CPU, cpu::detail::scatter_value_cpu);
TENON_STRUCTURED_KERNEL(scatter_reduce_src, CPU, cpu::detail::scatter_reduce_cpu);
TENON_STRUCTURED_KERNEL(scatter_value_reduce, CPU, cpu::detail::scatter_value_reduce_cpu);
TENON_STRUCTURED_KERNEL(scatter_add_base, CPU, cpu::detail::scatter_add_cpu);
TENON_STRUCTURED_KERNEL(index_add_base, CPU, cpu::detail::index_add_cpu);
TENON_STRUCTURED_KERNEL(index_copy_base, CPU, cpu::detail::index_copy_cpu);

}  // namespace tenon::ops
