// Copies and fills of tensors: copy_, fill_, zero_.
#pragma once
#include <cstring>

#include <tenon/composite/copy_shapes.hpp>
#include <tenon/cpu/copy_loops.hpp>
#include <tenon/cpu/detail/one_by_one.hpp>
#include <tenon/cpu/tensor_operand.hpp>
#include <tenon/base/checked_element.hpp>
#include <tenon/tensor/overlap.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::cpu {

namespace detail {

/// The element, negated as a whole or in its imaginary part; integers without a sign wrap.
template <class T>
T turned(T x, bool real, bool imaginary) {
  if constexpr (is_complex_v<T>) {
    if (real) x.re = -x.re;
    if (imaginary) x.im = -x.im;
    return x;
  } else {
    return real ? static_cast<T>(-x) : x;
  }
}
/// Negates each imaginary part, or each whole element, in place: for a copy between a tensor and a lazy conjugate.
inline void negate_parts(const Tensor& t, bool real, bool imaginary) {
  visit_element_type(t.dtype(), [&]<class T>(type_tag<T>) {
    if constexpr (!std::is_same_v<T, bool>) {
      T* p = static_cast<T*>(t.data_ptr());
      if (t.is_non_overlapping_and_dense())
        return parallel_for(0, t.numel(), kParallelElements, [=](std::int64_t first, std::int64_t last) {
          for (std::int64_t i = first; i < last; ++i) p[i] = turned(p[i], real, imaginary);
        });
      DimVector index(t.sizes().size());
      for (std::int64_t i = 0; i < t.numel(); ++i) {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < index.size(); ++d) at += index[d] * t.strides()[d];
        p[at] = turned(p[at], real, imaginary);
        for (std::size_t d = index.size(); d-- > 0 && ++index[d] == t.sizes()[d];) index[d] = 0;
      }
    }
  });
}

inline Tensor& copy_(Tensor& self, const Tensor& src, bool) {
  if (self.is_same(src)) return self;
  composite::check_copied(src);
  if (self.is_meta() && (self.is_symbolic() || src.is_symbolic())) [[unlikely]] {
    (void)ViewGeometry<SymInt>::expand(src, self.sym_sizes());  // checks the shapes
    return self;
  }
  composite::check_shape_for_copy(self, src);
  if (self.is_meta()) return self;
  composite::check_has_data(src);
  TENON_CHECK(self.is_cpu() && src.is_cpu(), NotImplementedError, "copy_(): no kernel copies from device ",
              src.device(), " to ", self.device(), "; register one for the device's key");
  std::int64_t n = self.numel();
  if (n == 0) return self;
  bool shared = self->storage() == src->storage();
  // A copy to itself writes nothing, so it is no matter if elements share memory.
  if (shared && is_same_view(self, src) && self.is_conj() == src.is_conj() && self.is_neg() == src.is_neg())
    return self;
  if (!self.is_contiguous()) check_no_internal_overlap(self);
  if (shared) check_no_partial_overlap(self, src);
  void *to = self.data_ptr(), *from = src.data_ptr();
  bool dense = self.is_contiguous() && src.is_contiguous() && src.numel() == n;
  if (!dense && self.sizes() == src.sizes() && self.strides() == src.strides())
    dense = self.is_non_overlapping_and_dense();
  if (dense && self.dtype() == src.dtype() && n < kParallelElements) {
    std::memcpy(to, from, self.nbytes());
  } else if (dense) {
    active_tables().copy->copy(&n, 1, Operand::dense(to, self.dtype()), Operand::dense(from, src.dtype()));
  } else {
    IntArrayRef sizes = self.sizes();
    int dims = static_cast<int>(sizes.size());
    Operands o(sizes.data(), dims, n, self.dtype());
    o.add_output(operand_of(self, sizes));
    o.add_input(operand_of(src, sizes));
    auto copy = active_tables().copy->copy;
    const Tensor* read = &src;
    if (order_matters(self, &read, 1)) [[unlikely]]
      one_by_one(o, self, &read, 1, [&](const Operands& e) { copy(&e.count, 1, e.item[0], e.item[1]); });
    else
      copy(o.sizes, dims, o.item[0], o.item[1]);
  }
  bool conj = self.is_conj() != src.is_conj(), neg = self.is_neg() != src.is_neg();
  if (conj || neg) [[unlikely]]
    negate_parts(self, neg, conj != neg);
  return self;
}

template <std::size_t Item>
void fill_items(void* to, const void* element, std::int64_t n) {
  struct Bytes {
    char bytes[Item];
  } value;
  std::memcpy(&value, element, Item);
  for (std::int64_t i = 0; i < n; ++i)
    std::memcpy(static_cast<char*>(to) + i * static_cast<std::int64_t>(Item), &value, Item);
}
inline void fill_dense(void* to, const void* element, std::size_t item, std::int64_t n) {
  switch (item) {
    case 1: std::memset(to, *static_cast<const unsigned char*>(element), static_cast<std::size_t>(n)); return;
    case 2: return fill_items<2>(to, element, n);
    case 4: return fill_items<4>(to, element, n);
    case 8: return fill_items<8>(to, element, n);
    default: return fill_items<16>(to, element, n);
  }
}

/// Fills with one element of the tensor's own type.
inline Tensor& fill_element(Tensor& self, const void* element) {
  ScalarType type = self.dtype();
  std::int64_t n = self.numel();
  if (n == 0) return self;
  Operand one = Operand::splat(element, type);
  if (self.is_contiguous() || self.is_non_overlapping_and_dense()) {
    if (n < kParallelElements)
      fill_dense(self.data_ptr(), element, item_size(type), n);
    else
      active_tables().copy->copy(&n, 1, Operand::dense(self.data_ptr(), type), one);
  } else {
    active_tables().copy->copy(self.sizes().data(), static_cast<int>(self.dim()), operand_of(self, self.sizes()), one);
  }
  return self;
}
inline Tensor& fill_Scalar(Tensor& self, const Scalar& value) {
  alignas(16) char element[16];
  visit_element_type(self.dtype(), [&]<class T>(type_tag<T>) {
    T v;
    // A single small float takes a number beyond its range as a conversion does, infinity mostly, as PyTorch's does.
    if constexpr (small_float<T>)
      v = self.numel() == 1 ? T(static_cast<float>(checked_element<double>(value))) : checked_element<T>(value);
    else
      v = checked_element<T>(value);
    std::memcpy(element, &v, sizeof v);
  });
  return fill_element(self, element);
}
inline Tensor& zero_(Tensor& self) {
  if (!self.is_contiguous() && !self.is_non_overlapping_and_dense()) return fill_Scalar(self, 0);
  std::size_t bytes = self.nbytes();
  constexpr std::int64_t grain = std::int64_t{4} << 20;  // bytes: below that one thread fills as fast as several
  if (bytes == 0) return self;
  parallel_for(0, static_cast<std::int64_t>(bytes), grain,
               [p = static_cast<char*>(self.data_ptr())](std::int64_t first, std::int64_t last) {
                 std::memset(p + first, 0, static_cast<std::size_t>(last - first));
               });
  return self;
}
inline Tensor& fill_Tensor(Tensor& self, const Tensor& value) {
  composite::check_fill_value(value);
  check_no_internal_overlap(self);  // a copy, where a number may be written twice
  if (value.is_conj() || value.is_neg()) return fill_Scalar(self, value.item());
  // A copy, not a conversion of numbers: nothing overflows.
  alignas(16) char element[16];
  std::int64_t one = 1;
  active_tables().copy->copy(&one, 1, Operand::dense(element, self.dtype()),
                             Operand::dense(value.data_ptr(), value.dtype()));
  return fill_element(self, element);
}

}  // namespace detail
}  // namespace tenon::cpu

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon;
  cpu::install_kernels<&cpu::KernelTables::copy>();
}
TENON_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) { m.impl<tenon::ops::copy_base_, &tenon::cpu::detail::copy_>(); }
TENON_LIBRARY_IMPL(aten, CPU, m) {
  using namespace tenon;
  m.impl<ops::fill_Scalar_, &cpu::detail::fill_Scalar>()
      .impl<ops::fill_Tensor_, &cpu::detail::fill_Tensor>()
      .impl<ops::zero_base_, &cpu::detail::zero_>();
}
