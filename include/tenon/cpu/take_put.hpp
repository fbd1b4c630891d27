// Reading and writing by flat positions, and filling along an index, on the CPU.
#pragma once
#include <tenon/cpu/detail/index_walk.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::cpu::detail {

/// Where the element at a row-major position lies. Errors: IndexError; negative positions count from the end.
class FlatPlaces {
 public:
  explicit FlatPlaces(const Tensor& t)
      : sizes_(t.sizes()), strides_(t.strides()), count_(t.numel()), contiguous_(t.is_contiguous()) {}
  std::int64_t operator()(std::int64_t given) const {
    std::int64_t i = given < 0 ? given + count_ : given, at = 0;
    TENON_CHECK(i >= 0 && i < count_, IndexError, "out of range: tried to access index ", given, " on a tensor of ",
                count_, " elements.");
    if (contiguous_) return i;
    for (std::size_t d = sizes_.size(); d-- > 0;) {
      at += i % sizes_[d] * strides_[d];
      i /= sizes_[d];
    }
    return at;
  }

 private:
  DimVector sizes_, strides_;
  std::int64_t count_;
  bool contiguous_;
};

template <class Int>
void take_meta(Outputs& out, const Tensor& self, const Tensor& index) {
  TENON_CHECK(index.dtype() == kLong, TypeError, "take(): Expected a long tensor for index, but got ", index.dtype());
  TENON_CHECK(numel_of<Int>(index) == 0 || numel_of<Int>(self) != 0, IndexError,
              "take(): tried to take from an empty tensor");
  const Tensor* operands[] = {&index};
  dims_t<Int> sizes(sizes_of<Int>(index)), strides;
  if (!index.is_contiguous()) strides = tenon::detail::result_strides(sizes, operands, 1);
  out.set_output_raw_strided(0, sizes, strides, self.dtype(), self.device());
  if (out.form() == StructuredForm::Out) {
    check_no_overlap(out[0], self);
    check_no_overlap(out[0], index);
  }
}
inline void take_cpu(const Tensor& self, const Tensor& index, const Tensor& out) {
  if (out.numel() == 0) return;
  FlatPlaces place(self);
  Tensor list = row_major(index), to = out.is_contiguous() ? out : make_tensor(out.sizes(), {}, out.dtype());
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    auto y = static_cast<T*>(to.data_ptr());
    parallel_for(0, list.numel(), 1 << 14, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) y[i] = x[place(p[i])];
    });
  });
  if (!to.is_same(out)) copy_elements(out, to);
}

template <class Int>
void put_meta(Outputs& out, const Tensor& self, const Tensor& index, const Tensor& source, bool) {
  TENON_CHECK(index.dtype() == kLong, TypeError, "put_(): Expected a long tensor for index, but got ", index.dtype());
  TENON_CHECK(self.dtype() == source.dtype(), TypeError,
              "put_(): self and source expected to have the same dtype, but got self.dtype = ", self.dtype(),
              " and source.dtype = ", source.dtype());
  TENON_CHECK(numel_of<Int>(index) == numel_of<Int>(source), ValueError,
              "put_(): Expected source and index to have the same number of elements, but got source.numel() = ",
              numel_of<Int>(source), ", index.numel() = ", numel_of<Int>(index));
  TENON_CHECK(numel_of<Int>(index) == 0 || numel_of<Int>(self) != 0, IndexError,
              "put_(): Tried to put elements into an empty tensor");
  const Tensor* operands[] = {&self};
  dims_t<Int> sizes(sizes_of<Int>(self)), strides;
  if (!self.is_contiguous()) strides = tenon::detail::result_strides(sizes, operands, 1);
  out.set_output_raw_strided(0, sizes, strides, self.dtype(), self.device());
  if (out.form() != StructuredForm::Functional) {
    check_no_overlap(out[0], index);
    check_no_overlap(out[0], source);
  }
}
/// In the order of the index, by one thread: a position may be given twice.
inline void put_cpu(const Tensor& self, const Tensor& index, const Tensor& source, bool accumulate, const Tensor& out) {
  if (!out.is_same(self)) copy_elements(out, self);
  Tensor list = row_major(index), from = row_major(source);
  FlatPlaces place(out);
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  std::int64_t n = list.numel();
  if (accumulate)
    visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
      auto x = static_cast<const T*>(from.data_ptr());
      auto y = static_cast<T*>(out.data_ptr());
      for (std::int64_t i = 0; i < n; ++i) {
        T& d = y[place(p[i])];
        if constexpr (std::is_same_v<T, bool>)
          d = d || x[i];
        else
          d = static_cast<T>(static_cast<compute_t<T>>(d) + static_cast<compute_t<T>>(x[i]));
      }
    });
  else
    visit_item_size(out.element_size(), [&]<class T>(type_tag<T>) {
      auto x = static_cast<const T*>(from.data_ptr());
      auto y = static_cast<T*>(out.data_ptr());
      for (std::int64_t i = 0; i < n; ++i) y[place(p[i])] = x[i];
    });
}

template <class Int>
void index_fill_meta(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value) {
  TENON_CHECK(index.dtype() == kLong, IndexError, "index_fill_(): Expected dtype int64 for index.");
  TENON_CHECK(index.dim() <= 1, IndexError, "Index has to be a vector/scalar");
  TENON_CHECK(self.is_complex() || !value.is_complex(), TypeError,
              "index_fill_(): Converting complex Scalar to non-complex type is not supported");
  wrap_dim(dim, self.dim());
  const Tensor* operands[] = {&self};
  dims_t<Int> sizes(sizes_of<Int>(self)), strides;
  if (!self.is_contiguous()) strides = tenon::detail::result_strides(sizes, operands, 1);
  out.set_output_raw_strided(0, sizes, strides, self.dtype(), self.device());
  if (out.form() != StructuredForm::Functional) check_no_overlap(out[0], index);
}
inline void index_fill_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value,
                           const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  if (!out.is_same(self)) copy_elements(out, self);
  Tensor list = row_major(index);
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  std::int64_t n = list.numel();
  DimVector sizes = out.dim() ? DimVector(out.sizes()) : DimVector{1},
            strides = out.dim() ? DimVector(out.strides()) : DimVector{1};
  std::int64_t size = sizes[dim], step = strides[dim];
  for (std::int64_t i = 0; i < n; ++i)
    if (p[i] < -size || p[i] >= size) index_outside(p[i], dim, size);
  if (out.numel() == 0 || n == 0) return;
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    auto y = static_cast<T*>(out.data_ptr());
    const T element = value.to<T>();
    sizes[dim] = 1;
    Offsets places(sizes, strides);
    // Whole rows in turn where these lie closer together than the elements along the dimension.
    parallel_for(0, places.count(), (1 << 14) / (n + 1) + 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = 0; i < n; ++i) {
        T* to = y + (p[i] < 0 ? p[i] + size : p[i]) * step;
        for (std::int64_t k = first; k < last; ++k) to[places[k]] = element;
      }
    });
  });
}
inline Scalar value_to_fill(const Tensor& value) {
  TENON_CHECK(value.dim() == 0, ValueError,
              "index_fill_ only supports a 0-dimensional value tensor, but got tensor with ", value.dim(),
              " dimension(s).");
  return value.is_meta() ? Scalar(0) : value.item();
}
template <class Int>
void index_fill_tensor_meta(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index,
                            const Tensor& value) {
  index_fill_meta<Int>(out, self, dim, index, value_to_fill(value));
}
inline void index_fill_tensor_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& value,
                                  const Tensor& out) {
  index_fill_cpu(self, dim, index, value_to_fill(value), out);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_structured<ops::take_base, &detail::take_meta<std::int64_t>, &detail::take_cpu, &detail::take_meta<SymInt>>(m);
  define_structured<ops::put_base, &detail::put_meta<std::int64_t>, &detail::put_cpu, &detail::put_meta<SymInt>>(m);
  define_structured<ops::index_fill_int_Scalar, &detail::index_fill_meta<std::int64_t>, &detail::index_fill_cpu,
                    &detail::index_fill_meta<SymInt>>(m);
  define_structured<ops::index_fill_int_Tensor, &detail::index_fill_tensor_meta<std::int64_t>,
                    &detail::index_fill_tensor_cpu, &detail::index_fill_tensor_meta<SymInt>>(m);
}

}  // namespace tenon::cpu
