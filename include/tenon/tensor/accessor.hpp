// Elements by their indices, at the speed of a pointer.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tenon/base/error.hpp>
#include <tenon/tensor/tensor.hpp>

/// Whether accessors check indices: in builds without NDEBUG, or as the program says.
#ifndef TENON_CHECK_INDICES
#ifdef NDEBUG
#define TENON_CHECK_INDICES 0
#else
#define TENON_CHECK_INDICES 1
#endif
#endif

namespace tenon {

namespace detail {
[[noreturn, gnu::cold]] inline void index_outside(std::int64_t index, std::int64_t size, std::size_t left) {
  fail<IndexError>("accessor: index ", index, " is out of range for a dimension of size ", size, " (", left,
                   left == 1 ? " index" : " indices", " to go)");
}
}  // namespace detail

/// N dimensions of a tensor's elements: `auto a = x.accessor<float, 2>(); a[i][j] += 1`, or `accessor<const float,
/// 2>()` to read alone. Refers to the tensor, which must live on. In checked builds an index outside throws IndexError,
/// negative ones too.
template <class T, std::size_t Rank>
class TensorAccessor {
 public:
  TensorAccessor(T* data, const std::int64_t* sizes, const std::int64_t* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  decltype(auto) operator[](std::int64_t i) const {
#if TENON_CHECK_INDICES
    if (i < 0 || i >= sizes_[0]) detail::index_outside(i, sizes_[0], Rank);
#endif
    if constexpr (Rank == 1)
      return static_cast<T&>(data_[i * strides_[0]]);  // NOLINT(clang-analyzer-core.*): null has no index
    else
      return TensorAccessor<T, Rank - 1>(data_ + i * strides_[0], sizes_ + 1, strides_ + 1);
  }
  std::int64_t size(std::size_t dim) const { return sizes_[dim]; }
  std::int64_t stride(std::size_t dim) const { return strides_[dim]; }
  IntArrayRef sizes() const { return {sizes_, Rank}; }
  IntArrayRef strides() const { return {strides_, Rank}; }
  T* data() const { return data_; }

 private:
  T* data_;
  const std::int64_t *sizes_, *strides_;
};

template <class T, std::size_t Rank>
TensorAccessor<T, Rank> Tensor::accessor() const& {
  static_assert(Rank > 0, "tenon: accessor() needs at least one dimension; item() reads a single number");
  using Element = std::remove_const_t<T>;
  T* data = numel() == 0 ? nullptr : data_ptr<Element>();
  if (dtype() != scalar_type_v<Element>) detail::wrong_dtype(scalar_type_v<Element>, dtype());
  TENON_CHECK(dim() == static_cast<std::int64_t>(Rank), ValueError, "accessor(): expected a tensor of ", Rank,
              " dimensions, got shape ", sizes());
  TENON_CHECK(is_cpu(), ValueError, "accessor(): expected a tensor on the CPU, got one on ", device());
  TENON_CHECK(!is_conj() && !is_neg() && !_is_zerotensor(), ValueError,
              "accessor(): expected a tensor that shows its memory as it is, got a conjugated or negated view or zeros "
              "without memory; use clone() first");
  return {data, sizes().data(), strides().data()};
}

}  // namespace tenon
