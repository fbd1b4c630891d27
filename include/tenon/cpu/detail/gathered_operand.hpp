// A small operand in another order than the result's, or repeated, brought into the result's order: for a few elements
// that is quicker than an iteration over strides.
#pragma once
#include <cstdint>
#include <cstring>

#include <tenon/base/scalar_type.hpp>
#include <tenon/tensor/tensor_impl.hpp>

namespace tenon::cpu::detail {

inline constexpr std::int64_t kGatheredElements = 256;
inline constexpr std::size_t kGatheredBytes = 8 * kGatheredElements;

/// An operand's strides by the dimensions of another's shape: 0 where it is repeated.
struct RepeatedStrides {
  std::int64_t stride[TensorImpl::kInPlace];
  int moving = 0;  ///< dimensions that are not repeated
  bool fits;       ///< the operand broadcasts to the shape

  /// `shape`: at most kInPlace sizes.
  RepeatedStrides(const TensorImpl& t, IntArrayRef shape) {
    std::size_t fresh = shape.size() - t.sizes().size();
    fits = t.sizes().size() <= shape.size();
    for (std::size_t d = 0; fits && d < shape.size(); ++d) {
      std::int64_t size = d < fresh ? 1 : t.sizes()[d - fresh];
      stride[d] = size == 1 ? 0 : t.strides()[d - fresh];
      fits = size == 1 || size == shape[d];
      moving += stride[d] != 0;
    }
  }
};

template <std::size_t Item>
[[gnu::always_inline]] inline char* gather_line(char* to, const char* from, std::int64_t left, std::int64_t step) {
  for (; left >= 4; left -= 4, from += 4 * step, to += 4 * Item) {
    std::memcpy(to, from, Item);
    std::memcpy(to + Item, from + step, Item);
    std::memcpy(to + 2 * Item, from + 2 * step, Item);
    std::memcpy(to + 3 * Item, from + 3 * step, Item);
  }
  for (; left > 0; --left, from += step, to += Item) std::memcpy(to, from, Item);
  return to;
}
/// Copies the elements of one dimension and those behind it, one after the other; returns the place behind them.
template <std::size_t Item>
char* gather_dimension(char* to, const char* from, const std::int64_t* sizes, const std::int64_t* strides,
                       std::size_t dims) {
  constexpr auto item = static_cast<std::int64_t>(Item);
  // By value: what is written through `to` might be one of them for all that the compiler knows.
  const std::int64_t size = sizes[0], step = strides[0] * item;
  if (dims == 1) return gather_line<Item>(to, from, size, step);
  const std::int64_t inner = sizes[1], inner_step = strides[1] * item;
  for (std::int64_t i = 0; i < size; ++i, from += step)
    to = dims == 2 ? gather_line<Item>(to, from, inner, inner_step)
                   : gather_dimension<Item>(to, from, sizes + 1, strides + 1, dims - 1);
  return to;
}
/// The elements of `t` in row-major order of a shape that it broadcasts to, of at least one dimension and at most
/// kGatheredElements elements. False where they are larger than 8 bytes.
inline bool gather_elements(void* memory, const TensorImpl& t, IntArrayRef shape, const RepeatedStrides& by) {
  auto* to = static_cast<char*>(memory);
  const auto* from = static_cast<const char*>(t.data());
  switch (item_size(t.dtype())) {
    case 1: gather_dimension<1>(to, from, shape.data(), by.stride, shape.size()); return true;
    case 2: gather_dimension<2>(to, from, shape.data(), by.stride, shape.size()); return true;
    case 4: gather_dimension<4>(to, from, shape.data(), by.stride, shape.size()); return true;
    case 8: gather_dimension<8>(to, from, shape.data(), by.stride, shape.size()); return true;
    default: return false;
  }
}

}  // namespace tenon::cpu::detail
