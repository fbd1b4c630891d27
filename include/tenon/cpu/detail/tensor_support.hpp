// What kernels over whole tensors share: copies that need no dispatch, and walking several tensors of one shape.
#pragma once
#include <cmath>

#include <tenon/cpu/copy_loops.hpp>
#include <tenon/cpu/tensor_operand.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::cpu::detail {

/// Writes `src`, of the same shape or broadcast, to `dst` with conversion of the dtype.
inline void copy_elements(const Tensor& dst, const Tensor& src) {
  if (dst.numel() == 0 || dst.is_same(src)) return;
  active_tables().copy->copy(dst.sizes().data(), static_cast<int>(dst.dim()), operand_of(dst, dst.sizes()),
                             operand_of(src, dst.sizes()));
}
inline void fill_elements(const Tensor& dst, const Scalar& value) {
  if (dst.numel() == 0) return;
  visit_element_type(dst.dtype(), [&]<class T>(type_tag<T>) {
    T element = value.to<T>();
    active_tables().copy->copy(dst.sizes().data(), static_cast<int>(dst.dim()), operand_of(dst, dst.sizes()),
                               Operand::splat(&element, dst.dtype()));
  });
}
/// The tensor itself if it is row-major and of the dtype, else a copy that is.
inline Tensor row_major(const Tensor& t, ScalarType dtype) {
  if (t.dtype() == dtype && t.is_contiguous()) return t;
  Tensor fresh = make_tensor(t.sizes(), {}, dtype, t.device());
  copy_elements(fresh, t);
  return fresh;
}
inline Tensor row_major(const Tensor& t) { return row_major(t, t.dtype()); }

/// A number as a floating type of 16 bits holds it.
inline float rounded_to_16_bits(float x, ScalarType type) {
  return type == kHalf ? static_cast<float>(Half(x)) : static_cast<float>(BFloat16(x));
}
/// Whether a number loses no digits in a 16-bit floating type; others are not asked.
inline bool is_exact(const Scalar& s, ScalarType type) {
  if (!is_reduced_floating_type(type)) return true;
  double x = s.to_double();
  return std::isnan(x) || static_cast<double>(rounded_to_16_bits(static_cast<float>(x), type)) == x;
}

/// `t` seen with `size` at dimension `dim` from `start` on.
inline Tensor narrowed(const Tensor& t, std::int64_t dim, std::int64_t start, std::int64_t length) {
  DimVector sizes(t.sizes());
  sizes[dim] = length;
  return make_alias(t, sizes, t.strides(), t.storage_offset() + start * t.strides()[dim]);
}

/// A shape cut at one dimension: elements before, at and behind it.
struct Cut {
  std::int64_t outer = 1, size = 1, inner = 1;
  Cut(IntArrayRef sizes, std::int64_t dim) {
    for (std::size_t d = 0; d < sizes.size(); ++d)
      (static_cast<std::int64_t>(d) < dim ? outer : static_cast<std::int64_t>(d) == dim ? size : inner) *= sizes[d];
  }
};

/// Calls f(offsets, index of the line) for every line along `dim` of a shape; offsets[k] counts elements by strides[k].
template <std::size_t N, class F>
void each_line(IntArrayRef sizes, std::int64_t dim, const IntArrayRef (&strides)[N], std::int64_t first,
               std::int64_t last, F f) {
  DimVector at(sizes.size(), 0);
  std::int64_t offset[N] = {};
  std::int64_t rest = first;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    if (static_cast<std::int64_t>(d) == dim) continue;
    at[d] = rest % sizes[d];
    rest /= sizes[d];
    for (std::size_t k = 0; k < N; ++k) offset[k] += at[d] * strides[k][d];
  }
  for (std::int64_t line = first; line < last; ++line) {
    f(offset, line);
    for (std::size_t d = sizes.size(); d-- > 0;) {
      if (static_cast<std::int64_t>(d) == dim) continue;
      for (std::size_t k = 0; k < N; ++k) offset[k] += strides[k][d];
      if (++at[d] < sizes[d]) break;
      for (std::size_t k = 0; k < N; ++k) offset[k] -= at[d] * strides[k][d];
      at[d] = 0;
    }
  }
}
inline std::int64_t line_count(IntArrayRef sizes, std::int64_t dim) {
  std::int64_t n = 1;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (static_cast<std::int64_t>(d) != dim) n *= sizes[d];
  return n;
}

/// Calls f(type_tag<T>) with an unsigned type (or pair of them) of the element's size: for kernels that only move
/// elements.
template <class F>
void visit_item_size(std::size_t bytes, F f) {
  switch (bytes) {
    case 1: return f(type_tag<std::uint8_t>{});
    case 2: return f(type_tag<std::uint16_t>{});
    case 4: return f(type_tag<std::uint32_t>{});
    case 8: return f(type_tag<std::uint64_t>{});
    default: return f(type_tag<Complex<std::uint64_t>>{});
  }
}

/// Calls f(type_tag<T>) for the floating type; others are what the kernel of that name does not implement.
template <class F>
void visit_floating(ScalarType dtype, const char* name, F f) {
  visit_floating_type(dtype, f, [&] { not_implemented_for(name, dtype); });
}

}  // namespace tenon::cpu::detail

namespace tenon {

namespace cpu {
/// Puts a group in force for operators that alone need it, if the program's selection keeps one of them.
template <auto Member, auto... Ops>
void install_kernels_for() noexcept {
  if constexpr ((tenon::detail::is_any_form_selected<std::remove_const_t<decltype(Ops)>>() || ...))
    install_kernels<Member>();
}
}  // namespace cpu

/// Defines a structured operator with its forms, and registers the kernel for the CPU, the meta function for Meta
/// tensors and `Symbolic`, the same for SymInt, for symbolic ones.
template <auto Op, auto Meta, auto Impl, auto Symbolic = nullptr>
TENON_COLD void define_structured(Library& m, std::vector<std::string> tags = {}, const char* file = __builtin_FILE(),
                                  int line = __builtin_LINE()) {
  define_forms(m, Op, std::move(tags), file, line);
  // Plain Meta tensors may come with symbolic arguments.
  using Sig = signature_of_t<std::remove_const_t<decltype(Op)>>;
  if constexpr (!tenon::detail::meta_adaptor<Sig, Meta>::takes_symbols &&
                tenon::detail::meta_adaptor<Sig, Symbolic>::takes_symbols)
    implement_structured<Op, Symbolic, nullptr>(m, DispatchKey::Meta, file, line);
  else
    implement_structured<Op, Meta, nullptr>(m, DispatchKey::Meta, file, line);
  implement_structured<Op, Meta, Impl>(m, DispatchKey::CPU, file, line);
  if constexpr (!std::is_same_v<decltype(Symbolic), std::nullptr_t> && is_selected(TENON_SELECTED_KEYS, kSymbolicKey))
    implement_structured<Op, Symbolic, nullptr>(m, kSymbolicKey, file, line);
}

}  // namespace tenon
