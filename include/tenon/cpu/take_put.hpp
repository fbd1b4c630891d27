// Reading and writing by flat positions, and filling along an index, on the CPU.
#pragma once
#include <tenon/base/checked_element.hpp>
#include <tenon/composite/take_put_shapes.hpp>
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
    const T element = checked_element<T>(value);
    sizes[dim] = 1;
    Offsets places(sizes, strides);
    // Whole rows in turn where these lie closer together than the elements along the dimension.
    // By one thread where threads would meet in one place.
    std::int64_t grain = has_internal_overlap(out) ? places.count() : (1 << 14) / (n + 1) + 1;
    parallel_for(0, places.count(), grain, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = 0; i < n; ++i) {
        T* to = y + (p[i] < 0 ? p[i] + size : p[i]) * step;
        for (std::int64_t k = first; k < last; ++k) to[places[k]] = element;
      }
    });
  });
}
inline void index_fill_tensor_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& value,
                                  const Tensor& out) {
  index_fill_cpu(self, dim, index, composite::value_to_fill(value), out);
}

}  // namespace tenon::cpu::detail

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(take_base, CPU, cpu::detail::take_cpu);
TENON_STRUCTURED_KERNEL(put_base, CPU, cpu::detail::put_cpu);
TENON_STRUCTURED_KERNEL(index_fill_int_Scalar, CPU, cpu::detail::index_fill_cpu);
TENON_STRUCTURED_KERNEL(index_fill_int_Tensor, CPU, cpu::detail::index_fill_tensor_cpu);

}  // namespace tenon::ops
